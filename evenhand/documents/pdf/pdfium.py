"""The pdfium functions that are called very often, bound so that the call itself costs little."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pypdfium2.raw as raw

Pointer = ctypes.c_void_p
Int = ctypes.c_int


def bind(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """The pdfium function `name` with plain integers for pointers.

    The generated bindings check and wrap every pointer and release the interpreter lock around each call,
    which for thousands of calls a page costs more than the calls.
    """
    return ctypes.PYFUNCTYPE(result, *arguments)(address(getattr(raw, name)))


def address(handle: Any) -> int:
    """The address behind a pypdfium2 handle or function."""
    value = ctypes.cast(handle, Pointer).value
    if value is None:
        raise ValueError("pdfium gave no object")
    return value


get_loose_char_box = bind("FPDFText_GetLooseCharBox", Int, Pointer, Int, Pointer)
get_char_origin = bind("FPDFText_GetCharOrigin", Int, Pointer, Int, Pointer, Pointer)
get_unicode = bind("FPDFText_GetUnicode", ctypes.c_uint, Pointer, Int)
get_text = bind("FPDFText_GetText", Int, Pointer, Int, Int, Pointer)
get_text_object = bind("FPDFText_GetTextObject", Pointer, Pointer, Int)
get_char_matrix = bind("FPDFText_GetMatrix", Int, Pointer, Int, Pointer)
get_char_font_size = bind("FPDFText_GetFontSize", ctypes.c_double, Pointer, Int)

get_font = bind("FPDFTextObj_GetFont", Pointer, Pointer)
get_render_mode = bind("FPDFTextObj_GetTextRenderMode", Int, Pointer)
set_render_mode = bind("FPDFTextObj_SetTextRenderMode", Int, Pointer, Int)
get_font_name = bind("FPDFFont_GetBaseFontName", ctypes.c_size_t, Pointer, Pointer, ctypes.c_size_t)
get_font_weight = bind("FPDFFont_GetWeight", Int, Pointer)
get_font_flags = bind("FPDFFont_GetFlags", Int, Pointer)

count_objects = bind("FPDFPage_CountObjects", Int, Pointer)
get_object = bind("FPDFPage_GetObject", Pointer, Pointer, Int)
count_form_objects = bind("FPDFFormObj_CountObjects", Int, Pointer)
get_form_object = bind("FPDFFormObj_GetObject", Pointer, Pointer, ctypes.c_ulong)
get_type = bind("FPDFPageObj_GetType", Int, Pointer)
get_bounds = bind("FPDFPageObj_GetBounds", Int, Pointer, Pointer, Pointer, Pointer, Pointer)
get_matrix = bind("FPDFPageObj_GetMatrix", Int, Pointer, Pointer)
get_fill_color = bind("FPDFPageObj_GetFillColor", Int, Pointer, Pointer, Pointer, Pointer, Pointer)
set_fill_color = bind("FPDFPageObj_SetFillColor", Int, Pointer, *([ctypes.c_uint] * 4))
get_stroke_color = bind("FPDFPageObj_GetStrokeColor", Int, Pointer, Pointer, Pointer, Pointer, Pointer)
set_active = bind("FPDFPageObj_SetIsActive", Int, Pointer, Int)
get_draw_mode = bind("FPDFPath_GetDrawMode", Int, Pointer, Pointer, Pointer)
count_segments = bind("FPDFPath_CountSegments", Int, Pointer)
get_segment = bind("FPDFPath_GetPathSegment", Pointer, Pointer, Int)

has_transparency = bind("FPDFPageObj_HasTransparency", Int, Pointer)
count_marks = bind("FPDFPageObj_CountMarks", Int, Pointer)
get_mark = bind("FPDFPageObj_GetMark", Pointer, Pointer, ctypes.c_ulong)
get_mark_name = bind("FPDFPageObjMark_GetName", Int, Pointer, Pointer, ctypes.c_ulong, Pointer)

get_clip_path = bind("FPDFPageObj_GetClipPath", Pointer, Pointer)
count_clip_paths = bind("FPDFClipPath_CountPaths", Int, Pointer)
count_clip_segments = bind("FPDFClipPath_CountPathSegments", Int, Pointer, Int)
get_clip_segment = bind("FPDFClipPath_GetPathSegment", Pointer, Pointer, Int, Int)
get_segment_point = bind("FPDFPathSegment_GetPoint", Int, Pointer, Pointer, Pointer)


class Answer:
    """A few numbers that pdfium writes to, with their addresses."""

    def __init__(self, count: int, kind: Any = ctypes.c_float) -> None:
        self.values = (kind * count)()
        start, step = ctypes.addressof(self.values), ctypes.sizeof(kind)
        self.places = tuple(start + i * step for i in range(count))
