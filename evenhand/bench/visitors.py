"""People at their browsers, as far as a server notices: each asks, reads for a while, and asks again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

PAUSE_SECONDS = 5.0  # that somebody looks at a list before the next condition, on average
WAIT_SECONDS = 30.0  # for one answer
OK = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """`status` 0: there was none."""

    seconds: float
    status: int
    size_bytes: int


async def visit(
    host: str,
    port: int,
    walks: Sequence[Sequence[str]],
    *,
    headers: Sequence[str],
    seconds: float,
    seed: int,
) -> list[Answer]:
    """One visitor per walk, all at once, each going round its addresses until the time is over."""
    until = time.perf_counter() + seconds
    visitors = [
        _Visitor(host, port, headers, Random(seed * 1_000 + at)).walk(addresses, until)
        for at, addresses in enumerate(walks)
    ]
    return [answer for answers in await asyncio.gather(*visitors) for answer in answers]


class _Visitor:
    """Speaks plain HTTP/1.1 over one connection: a client library would take the processor from the server."""

    def __init__(self, host: str, port: int, headers: Sequence[str], random: Random) -> None:
        self._host, self._port = host, port
        self._headers = "".join(f"{line}\r\n" for line in (f"Host: {host}:{port}", *headers))
        self._random = random
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def walk(self, addresses: Sequence[str], until: float) -> list[Answer]:
        answers: list[Answer] = []
        await asyncio.sleep(self._random.uniform(0, PAUSE_SECONDS))  # nobody comes at the same moment
        for address in _round(addresses):
            if time.perf_counter() >= until:
                break
            answers.append(await self._ask(address))
            await asyncio.sleep(self._random.expovariate(1 / PAUSE_SECONDS))
        if self._streams:
            self._streams[1].close()
        return answers

    async def _ask(self, address: str) -> Answer:
        began = time.perf_counter()
        try:
            status, size_bytes = await asyncio.wait_for(self._exchange(address), WAIT_SECONDS)
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
            self._streams = None
            status, size_bytes = 0, 0
        return Answer(time.perf_counter() - began, status, size_bytes)

    async def _exchange(self, address: str) -> tuple[int, int]:
        if (
            self._streams and self._streams[0].at_eof()
        ):  # closed by the server after a long look: as browsers do
            self._streams = None
        reader, writer = self._streams or await asyncio.open_connection(self._host, self._port)
        self._streams = reader, writer
        writer.write(f"GET {address} HTTP/1.1\r\n{self._headers}\r\n".encode())
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head.split(" ", 2)[1])
        length = next(int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:"))
        await reader.readexactly(length)
        return status, length


def _round(addresses: Sequence[str]) -> Iterator[str]:
    while True:
        yield from addresses
