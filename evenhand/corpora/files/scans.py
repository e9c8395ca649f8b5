"""Pages as a scanner gives them: pictures, a little askew, grey and noisy."""

from __future__ import annotations

from io import BytesIO
from random import Random

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

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
