"""Sentence encoder: a BERT read from safetensors and run by ONNX Runtime, without torch."""

from evenhand.models.encoder.encoder import Encoder
from evenhand.models.encoder.loading import load_encoder

__all__ = ["Encoder", "load_encoder"]
