"""What pages are packed with: nothing, Snappy or gzip."""

from __future__ import annotations

import zlib

from evenhand.corpora.sets.parquet.thrift import Malformed

UNPACKED, SNAPPY, GZIP = 0, 1, 2
OTHERS = {3: "LZO", 4: "Brotli", 5: "LZ4", 6: "Zstandard", 7: "LZ4"}


def unpack(data: bytes, codec: int, size: int) -> bytes:
    """To exactly `size` bytes, which the page's header tells; never to more."""
    if codec == UNPACKED:
        found = data
    elif codec == SNAPPY:
        found = unpack_snappy(data, size)
    elif codec == GZIP:
        try:
            found = zlib.decompressobj(wbits=31).decompress(data, size)
        except zlib.error as damage:
            raise Malformed(f"A page is damaged: {damage}") from damage
    else:
        raise Malformed(
            f"It is packed with {OTHERS.get(codec, codec)}; Snappy, gzip or nothing was expected."
        )
    if len(found) != size:
        raise Malformed("A page is damaged: its length is not what its header tells.")
    return found


def unpack_snappy(data: bytes, size: int) -> bytes:
    """A length, then stretches that stand here or are repeated from before."""
    place = _skip_length(data)
    found = bytearray()
    while place < len(data) and len(found) <= size:
        tag = data[place]
        place += 1
        if tag & 3 == 0:
            length, place = _literal_length(data, place, tag >> 2)
            found += data[place : place + length]
            place += length
            continue
        extra = (0, 1, 2, 4)[tag & 3]
        number = int.from_bytes(data[place : place + extra], "little")
        place += extra
        if tag & 3 == 1:
            _repeat(found, length=4 + (tag >> 2 & 7), back=(tag >> 5) << 8 | number)
        else:
            _repeat(found, length=1 + (tag >> 2), back=number)
    return bytes(found)


def _skip_length(data: bytes) -> int:
    for place, byte in enumerate(data[:5]):
        if byte < 0x80:
            return place + 1
    raise Malformed("A page is damaged.")


def _literal_length(data: bytes, place: int, short: int) -> tuple[int, int]:
    if short < 60:
        return short + 1, place
    extra = short - 59
    return int.from_bytes(data[place : place + extra], "little") + 1, place + extra


def _repeat(found: bytearray, *, length: int, back: int) -> None:
    if not 0 < back <= len(found):
        raise Malformed("A page is damaged.")
    start = len(found) - back
    if back >= length:
        found += found[start : start + length]
    else:  # it repeats what it is writing
        found += (bytes(found[start:]) * (length // back + 1))[:length]
