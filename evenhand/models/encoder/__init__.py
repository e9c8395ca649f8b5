"""Sentence encoder: a BERT read from safetensors and run by ONNX Runtime, without torch."""

from evenhand.models.encoder.encoder import Encoder
from evenhand.models.encoder.loading import Precision, load_encoder

__all__ = ["Encoder", "Precision", "load_encoder"]
