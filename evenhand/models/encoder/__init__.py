"""Sentence encoder: a BERT read from safetensors and run by ONNX Runtime, without torch."""
