"""The laboratory of Evenhand: generated resumes, training, benchmarks, published experiments, the demo."""

from evenhand.version import __version__ as __version__
