"""Parts of Evenhand that are installed on request, and the sentence that says how to get a missing one."""

from __future__ import annotations

from importlib.util import find_spec

from evenhand.errors import MissingExtra

EXTRAS: dict[str, tuple[str, ...]] = {
    "audit": ("pymupdf_fonts", "reportlab", "scipy", "sklearn", "uharfbuzz", "vl_convert"),
    "encoder": ("onnxruntime", "tokenizers"),
    "ocr": ("onnxruntime", "PIL"),
    "postgres": ("psycopg",),
    "server": ("argon2", "authlib", "fastapi", "httptools", "httpx", "multipart", "uvicorn", "uvloop"),
    "train": ("captum", "torch", "transformers"),
}
"""The modules that are imported of each extra of pyproject.toml; an extra may bring more that these need."""


def missing_modules(extra: str) -> list[str]:
    """What the extra brings and is not installed; nothing is imported."""
    return [module for module in EXTRAS[extra] if find_spec(module) is None]


def require(extra: str) -> None:
    """Raises MissingExtra unless everything is installed that the extra brings.

    Packages that cannot do without an extra call it in their `__init__`, others where they import what it brings.
    """
    if missing := missing_modules(extra):
        raise MissingExtra(extra, missing)
