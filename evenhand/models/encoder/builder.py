"""Nodes and constants of an ONNX graph, gathered one call at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, ValueInfoProto, helper, numpy_helper
from onnx.onnx_ml_pb2 import NodeProto

OPSET = 20  # the first with Gelu
IR_VERSION = 9
FUSED = "com.microsoft"  # ONNX Runtime's own operators


@dataclass(slots=True)
class GraphBuilder:
    """Every method returns the name of what it computes; the same computation asked for twice is made once."""

    nodes: dict[tuple[object, ...], NodeProto] = field(default_factory=dict)
    constants: dict[str, TensorProto] = field(default_factory=dict)

    def constant(self, name: str, array: NDArray[np.generic]) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def scalar(self, name: str, value: np.generic) -> str:
        """A constant without sides, as scales and zero points of a whole matrix have to be."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.array(value), name)
        return name

    def integers(self, *values: int) -> str:
        return self.constant(f"integers_{'_'.join(map(str, values))}", np.array(values, np.int64))

    def add(self, operator: str, *inputs: str, output: str = "", domain: str = "", **attributes: Any) -> str:
        key = (operator, *inputs, *sorted(attributes.items()))
        if key not in self.nodes:
            name = output or f"{operator}_{len(self.nodes)}"
            self.nodes[key] = helper.make_node(operator, inputs, [name], name, domain=domain, **attributes)
        return str(self.nodes[key].output[0])

    def to_bytes(self, inputs: Sequence[ValueInfoProto], outputs: Sequence[ValueInfoProto]) -> bytes:
        constants = list(self.constants.values())
        graph = helper.make_graph(list(self.nodes.values()), "encoder", inputs, outputs, constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
        return bytes(
            helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION).SerializeToString()
        )
