"""Pages as a scanner gives them: pictures, a little askew, grey and noisy."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from random import Random

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from evenhand.errors import EvenhandError, UsageError

DOTS_PER_INCH = 150
POINTS_PER_INCH = 72


def scan(pdf: bytes, rng: Random) -> bytes:
    """The same pages without any text in them."""
    source = pypdfium2.PdfDocument(pdf)
    stream = BytesIO()
    canvas = Canvas(stream, invariant=1)
    try:
        for number in range(len(source)):
            page = source[number]
            size = page.get_size()
            picture = page.render(scale=DOTS_PER_INCH / POINTS_PER_INCH, grayscale=True).to_pil()
            page.close()
            canvas.setPageSize(size)
            canvas.drawImage(ImageReader(BytesIO(photographed(picture, rng))), 0, 0, *size)
            canvas.showPage()
    finally:
        source.close()
    canvas.save()
    return stream.getvalue()


def photographed(picture: Image.Image, rng: Random) -> bytes:
    """Turned by less than a degree, softened, on paper that is not quite white; as JPEG."""
    turned = picture.rotate(rng.uniform(-0.7, 0.7), resample=Image.Resampling.BICUBIC, fillcolor=255)
    soft = turned.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.6)))
    values = np.asarray(soft, dtype=np.float32)
    noise = np.random.default_rng(rng.getrandbits(32)).normal(0, rng.uniform(3, 8), values.shape)
    paper = rng.uniform(0.93, 0.99)
    dirty = np.clip(values * paper + noise, 0, 255).astype(np.uint8)
    stream = BytesIO()
    Image.fromarray(dirty).save(stream, "JPEG", quality=72)
    return stream.getvalue()


# DOCX to DOC by LibreOffice, many files in one go: starting it takes longer than converting.

PROGRAM = "soffice"
SECONDS_PER_FILE = 20
SECONDS_TO_START = 60


def find_office() -> str:
    program = shutil.which(PROGRAM)
    if program is None:
        raise UsageError("DOC files are written by LibreOffice, and no soffice was found on the PATH.")
    return program


def convert_to_doc(files: Sequence[bytes]) -> list[bytes]:
    """Each DOCX file as a DOC file. A profile of its own keeps a LibreOffice that is open from answering."""
    program = find_office()
    with tempfile.TemporaryDirectory(prefix="evenhand-doc-") as folder:
        names = [f"{number:06d}" for number in range(len(files))]
        sources = [Path(folder, f"{name}.docx") for name in names]
        for source, data in zip(sources, files, strict=True):
            source.write_bytes(data)
        command = [
            program, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "doc:MS Word 97",
            "--outdir", f"{folder}/out", *map(str, sources),
        ]  # fmt: skip
        try:
            subprocess.run(
                command, check=True, capture_output=True, timeout=SECONDS_TO_START + SECONDS_PER_FILE * len(files)
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise EvenhandError(f"LibreOffice could not write DOC files: {error}.") from error
        results = [Path(folder, "out", f"{name}.doc") for name in names]
        if lacking := [result.name for result in results if not result.exists()]:
            raise EvenhandError(f"LibreOffice did not write {len(lacking)} of {len(files)} DOC files.")
        return [result.read_bytes() for result in results]
