"""One pdfium question asked of many characters or objects: through compiled loops, or through Python's.

Both ways give the same arrays; the compiled one (see _bulk.c) is some four times faster and is built with
the package where a C compiler is at hand.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray
Function = Callable[..., Any]

Pointer = ctypes.c_void_p
Int = ctypes.c_int


def load_loops() -> Any:
    """The compiled loops, or None where they were not built."""
    for path in sorted(Path(__file__).parent.glob("_bulk.*")):
        if path.suffix in (".so", ".pyd", ".dylib"):
            try:
                return declared(ctypes.PyDLL(str(path)))
            except (OSError, AttributeError):  # built for another machine, or from an older source
                continue
    return None


def declared(loops: Any) -> Any:
    long = ctypes.c_long
    loops.boxes.argtypes = (Pointer, Pointer, long, Pointer)
    loops.points.argtypes = (Pointer, Pointer, long, Pointer)
    loops.pointers_at.argtypes = (Pointer, Pointer, long, Pointer, Pointer)
    loops.ints_of.argtypes = (Pointer, Pointer, long, Pointer)
    loops.pointers_of.argtypes = (Pointer, Pointer, long, Pointer)
    loops.colors_of.argtypes = (Pointer, Pointer, long, Pointer)
    loops.clips_of.argtypes = (Pointer, Pointer, Pointer, Pointer, Pointer, Pointer, long, Pointer)
    for name in ("boxes", "points", "pointers_at", "ints_of", "pointers_of", "colors_of", "clips_of"):
        getattr(loops, name).restype = None
    return loops


LOOPS = load_loops()


def boxes(call: Function, owner: int, count: int) -> Array:
    """`call(owner, i, box)` for i from 0: four floats each."""
    out = np.zeros((count, 4), dtype=np.float32)
    start = out.ctypes.data
    if LOOPS:
        LOOPS.boxes(call, owner, count, start)
    else:
        run(call, repeat(owner), range(count), range(start, start + 16 * count, 16))
    return out


def points(call: Function, owner: int, count: int) -> Array:
    """`call(owner, i, x, y)` for i from 0: two doubles each."""
    out = np.zeros((count, 2))
    start = out.ctypes.data
    if LOOPS:
        LOOPS.points(call, owner, count, start)
    else:
        xs, ys = range(start, start + 16 * count, 16), range(start + 8, start + 8 + 16 * count, 16)
        run(call, repeat(owner), range(count), xs, ys)
    return out


def pointers_at(call: Function, owner: int, index: Array) -> Array:
    """`call(owner, i)` for each i of `index`: an address each, 0 for none."""
    index = np.ascontiguousarray(index, dtype=np.int32)
    if not LOOPS:
        found = (pointer or 0 for pointer in map(call, repeat(owner), index.tolist()))
        return np.fromiter(found, dtype=np.uint64, count=len(index))
    out = np.zeros(len(index), dtype=np.uint64)
    LOOPS.pointers_at(call, owner, len(index), index.ctypes.data, out.ctypes.data)
    return out


def ints_of(call: Function, of: Array) -> Array:
    """`call(pointer)` for each pointer: an integer each."""
    if not LOOPS:
        return np.fromiter(map(call, of.tolist()), dtype=np.int32, count=len(of))
    out = np.zeros(len(of), dtype=np.int32)
    LOOPS.ints_of(call, of.ctypes.data, len(of), out.ctypes.data)
    return out


def pointers_of(call: Function, of: Array) -> Array:
    """`call(pointer)` for each pointer: an address each, 0 for none."""
    if not LOOPS:
        found = (pointer or 0 for pointer in map(call, of.tolist()))
        return np.fromiter(found, dtype=np.uint64, count=len(of))
    out = np.zeros(len(of), dtype=np.uint64)
    LOOPS.pointers_of(call, of.ctypes.data, len(of), out.ctypes.data)
    return out


def colors_of(call: Function, of: Array) -> Array:
    """`call(pointer, red, green, blue, alpha)` for each pointer; black where pdfium knows no colour."""
    out = np.zeros((len(of), 4), dtype=np.uint32)
    out[:, 3] = 255
    start = out.ctypes.data
    if LOOPS:
        LOOPS.colors_of(call, of.ctypes.data, len(of), start)
    else:
        places = [range(start + 4 * part, start + 4 * part + 16 * len(of), 16) for part in range(4)]
        run(call, of.tolist(), *places)
    return out


def clips_of(calls: Sequence[Function], of: Array) -> Array:
    """The area that each object's clip paths leave: left, top, right, bottom, y upwards; infinite for none.

    `calls` get the clip of an object, count its paths and a path's segments, get a segment and a segment's point.
    """
    out = np.tile(np.array([-np.inf, np.inf, np.inf, -np.inf], np.float32), (len(of), 1))
    if LOOPS:
        LOOPS.clips_of(*calls, of.ctypes.data, len(of), out.ctypes.data)
        return out
    known: dict[int, Array] = {}
    for place, obj in enumerate(of.tolist()):
        if obj not in known:
            known[obj] = clip_of(calls, obj, out[place])
        out[place] = known[obj]
    return out


def clip_of(calls: Sequence[Function], obj: int, area: Array) -> Array:
    get_clip, count_paths, count_segments, get_segment, get_point = calls
    clip = get_clip(obj) if obj else 0
    point = np.zeros(2, np.float32)
    x, y = point.ctypes.data, point.ctypes.data + 4
    for path in range(min(count_paths(clip), 8) if clip else 0):
        points = []
        for place in range(min(count_segments(clip, path), 64)):
            segment = get_segment(clip, path, place)
            if segment and get_point(segment, x, y):
                points.append(point.tolist())
        if points:
            (left, bottom), (right, top) = np.min(points, axis=0), np.max(points, axis=0)
            area[:2] = max(area[0], left), min(area[1], top)
            area[2:] = min(area[2], right), max(area[3], bottom)
    return area.copy()


def run(call: Function, *columns: Any) -> None:
    """Call for each row of `columns`, keeping no results."""
    for _ in map(call, *columns):
        pass
