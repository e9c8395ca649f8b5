"""The laboratory of Evenhand: generated resumes, training, benchmarks, published experiments, the demo."""

__version__ = "0.1.0"
