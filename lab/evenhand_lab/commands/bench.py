"""`evenhand bench` and `evenhand reproduce`: find a benchmark or a published experiment by name, run it, print it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.cli import options as opt
from evenhand.cli.terminal import bar, print_rich, write_json, write_stderr
from evenhand.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from evenhand_lab.reproduce.registry import Reproduction

PEERS = ("captum", "concept_erasure", "datasketch", "torch", "transformers")
FORMER = {"fallen": "server-crash"}  # names that scripts may still use
INSTALL_PEERS = 'To install all peers: pip install "evenhand-lab[peers]"'

Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="Which benchmark; without a name they are listed.")]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Folder of files to measure on.")]
Number = Annotated[int | None, typer.Option("--n", metavar="N", help="How many files.")]


def bench(
    name: Name = None, json: opt.AsJson = False, data: Data = None, n: Number = None, seed: opt.OptionalSeed = None
) -> None:
    """Measure Evenhand, each figure against a named peer or floor in the same run.

    Examples:

    - evenhand bench
    - evenhand bench read --data resumes/
    """
    if name is None:
        print_rich(_list())
        if missing := [peer.replace("_", "-") for peer in PEERS if find_spec(peer) is None]:
            write_stderr(f"Peers that are not installed: {', '.join(missing)}. {INSTALL_PEERS}")
        return
    options = {"data": data, "n": n, "seed": seed}
    given: dict[str, Any] = {option: value for option, value in options.items() if value is not None}
    run = _find(name, given)
    if "progress" in inspect.signature(run).parameters:
        given["progress"] = bar
    try:
        result = run(**given)
    except ModuleNotFoundError as error:
        raise missing_peer(name, error) from error
    if json:
        write_json(result.to_json())
    else:
        print_rich(result.table())


def _list() -> Any:
    from rich.table import Table

    from evenhand_lab.benchmarks.measurements import MODULES

    table = Table("Name", "What it measures")
    for name, module in MODULES.items():
        table.add_row(name, first_line(module).partition(": ")[2])
    return table


def first_line(module: str) -> str:
    """Of its description. It is not imported: that would need the peers that it compares with."""
    spec = find_spec(module)
    source = Path(spec.origin).read_text("utf-8") if spec and spec.origin else ""
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def missing_peer(name: str, error: ModuleNotFoundError) -> Exception:
    """A sentence for a peer that is not installed; a missing module of Evenhand itself stays an error."""
    package = (error.name or "").partition(".")[0].replace("_", "-")
    if not package or package.startswith("evenhand"):
        return error
    return UsageError(f"{name} compares with the package {package}, which is not installed. {INSTALL_PEERS}")


def _find(name: str, given: dict[str, Any]) -> Callable[..., Any]:
    """The benchmark's `run`, once it is clear that it takes the options given."""
    from evenhand_lab.benchmarks.measurements import MODULES

    name = FORMER.get(name, name)
    if name not in MODULES:
        raise UsageError(f"There is no benchmark {name!r}; there are {', '.join(MODULES)}.")
    try:
        run: Callable[..., Any] = import_module(MODULES[name]).run
    except ModuleNotFoundError as error:
        raise missing_peer(name, error) from error
    for option in given:
        if option not in inspect.signature(run).parameters:
            raise UsageError(f"The benchmark {name} takes no --{option}.")
    return run


ReproduceName = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="What to reproduce; without a name they are listed.")
]
ReproduceData = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Folder with annotated resumes, measured beside generated ones."),
]
ReproduceNumber = Annotated[int | None, typer.Option("--n", metavar="N", help="How many resumes are generated.")]
Seeds = Annotated[
    int | None, typer.Option("--seeds", metavar="K", min=1, help="Trainings of each network, each from its own seed.")
]
Small = Annotated[
    bool, typer.Option("--small", help="Only show that the whole experiment runs; its figures mean nothing.")
]


def reproduce(
    name: ReproduceName = None,
    data: ReproduceData = None,
    n: ReproduceNumber = None,
    seed: opt.OptionalSeed = None,
    seeds: Seeds = None,
    small: Small = False,
    work: opt.WorkFolder = None,
    json: opt.AsJson = False,
) -> None:
    """Repeat a published experiment by its protocol, and print its figures beside ours.

    Examples:

    - evenhand reproduce
    - evenhand reproduce segmenter
    - evenhand reproduce recognizer --data annotated/ --json
    - evenhand reproduce competence --seeds 1 --work runs/
    """
    from evenhand_lab.reproduce.registry import REPRODUCTIONS

    if name is None:
        print_rich(listed(REPRODUCTIONS))
        return
    if name not in REPRODUCTIONS:
        raise UsageError(f"There is no experiment {name!r}; there are {', '.join(REPRODUCTIONS)}.")
    options = {"data": data, "n": n, "seed": seed, "seeds": seeds, "small": small or None, "work": work}
    given: dict[str, Any] = {option: value for option, value in options.items() if value is not None}
    try:
        result = REPRODUCTIONS[name].run(**given, progress=bar)
    except ModuleNotFoundError as error:
        raise missing_peer(name, error) from error
    if json:
        write_json(result.to_json())
    else:
        print_rich(result.table())


def listed(reproductions: dict[str, Reproduction]) -> Table:
    from rich.table import Table

    table = Table("Name", "What it repeats")
    for name, reproduction in reproductions.items():
        table.add_row(name, reproduction.shows)
    return table
