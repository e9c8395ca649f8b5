"""Work done in processes of their own, some of which are killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any, NoReturn


def start(work: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Forked: quick, and nothing has to be found again. No store may be open here while it starts."""
    process = multiprocessing.get_context("fork").Process(target=work, args=arguments)
    process.start()
    return process


def finish(*processes: BaseProcess) -> list[int | None]:
    """How they ended; one that hangs is a fault."""
    for process in processes:
        process.join(60)
        if process.is_alive():
            process.kill()
            process.join()
            raise AssertionError("A process did not come to an end.")
    return [process.exitcode for process in processes]


def die(*_: Any, **__: Any) -> NoReturn:
    """As kill -9 does it: nothing is tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")
