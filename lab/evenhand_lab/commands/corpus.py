"""`evenhand corpus`: generate resumes whose truth is known, describe them, check them; label resumes of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from evenhand.cli import options as opt
from evenhand.cli.options import command_group
from evenhand.cli.terminal import bar, print_rich, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand_lab.commands.annotation import adjudicate, agreement, sample

# What a corpus is like, as tables for a terminal.


SHOWN = 8  # values of each distribution
BAR = 24


def tables(description: dict[str, Any]) -> Iterator[Table | str]:
    total = description["resumes"]
    kinds = ", ".join(f"{count} {kind}" for kind, count in description["kinds"].items())
    yield (
        f"{total} resumes ({kinds}), {description['vocabulary']} different words, "
        f"{description['duplicate_sentences']:.1%} of sentences stand in more than one resume, "
        f"{description['beyond_token_512']:.0%} of resumes go on beyond token 512."
    )
    yield distribution("Designs", description["designs"], total, most=40)
    yield distribution("Section orders", description["orders"], total)
    for name, counts in description["choices"].items():
        yield distribution(name.capitalize(), counts, total, most=16 if name == "dates" else SHOWN)
    for type, counts in description["headings"].items():
        yield distribution(f"Headings of {type}", counts, total)
    yield sections(description["sections"])
    if "comparison" in description:
        yield comparison(description["comparison"])


def distribution(title: str, counts: dict[str, int], total: int, *, most: int = SHOWN) -> Table:
    """The commonest values, and how many resumes in a hundred have each."""
    table = Table("Value", "Resumes", "Share", "", title=title, title_justify="left")
    highest = max(counts.values(), default=1)
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    for value, count in ranked[:most]:
        table.add_row(value, str(count), f"{count / total:.1%}", "█" * round(BAR * count / highest))
    if len(ranked) > most:
        rest = sum(count for _, count in ranked[most:])
        table.add_row(f"{len(ranked) - most} more", str(rest), f"{rest / total:.1%}", "")
    return table


def sections(values: dict[str, dict[str, Any]]) -> Table:
    heads = ("Section", "Present", "Wanted", "Tokens (mean)", "Wanted", "Below 512")
    table = Table(*heads, title="Sections", title_justify="left")
    for name, each in values.items():
        length = each["length"] or {}
        table.add_row(
            name,
            share(each["presence"]),
            share(as_share(each["presence_wanted"])),
            number(length.get("mean")),
            number(each["length_wanted"]["mean"]),
            share(each["under_512"]),
        )
    return table


def comparison(values: dict[str, Any]) -> Table:
    table = Table("Measure", "Generated", "Others", title="Compared with other resumes", title_justify="left")
    for name, value in values.items():
        label = name.replace("_", " ")
        if isinstance(value, list) and len(value) == 2:
            table.add_row(label, *(number(each["mean"]) if isinstance(each, dict) else str(each) for each in value))
        elif isinstance(value, dict):
            table.add_row(label, ", ".join(f"{key} {each}" for key, each in value.items()), "")
        else:
            table.add_row(label, str(value), "")
    return table


def as_share(value: float | None) -> float | None:
    """Wanted shares may be given in percent."""
    return value / 100 if value is not None and value > 1 else value


def share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


SOME_FAILED = 1
SHOWN_FAULTS = 20

app = command_group("Generate resumes whose truth is known; label resumes of your own in rounds.")

Kind = Annotated[
    str,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="it (a services company), crc (clinical research coordinators with levels) or mixed (many occupations).",
    ),
]
Formats = Annotated[
    str,
    typer.Option(
        "--formats",
        metavar="LIST",
        help="Of pdf, docx, doc, odt, rtf, html, txt; each resume gets one of them. doc needs LibreOffice.",
    ),
]
AllFormats = Annotated[bool, typer.Option("--all-formats", help="Each resume in every one of the formats.")]
Jobs = Annotated[int, typer.Option("--jobs", metavar="K", help="How many job ads, with grades for every resume.")]
Plant = Annotated[
    str,
    typer.Option(
        "--plant",
        metavar="CASE=COUNT,...",
        help="Cases among the resumes: duplicates, no-hire, lookalikes, non-accredited, hidden, stuffing, scans.",
    ),
]
Workers = Annotated[int, typer.Option("--workers", metavar="N", help="Processes; 0 means one per processor.")]
Compare = Annotated[
    Path | None,
    typer.Option("--compare", metavar="TEXTS", help='JSON Lines, plain or gzipped, with a "text" in each line.'),
]
Corpus = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a corpus.")]


@app.command()
def generate(
    out: opt.OutFolder,
    n: opt.GeneratedCount,
    seed: opt.Seed = 0,
    kind: Kind = "it",
    formats: Formats = "pdf,docx",
    all_formats: AllFormats = False,
    jobs: Jobs = 10,
    plant: Plant = "",
    as_of: opt.AsOf = None,
    workers: Workers = 1,
) -> None:
    """Generate resumes with job ads, and the truth about them.

    DIR then holds resumes/, truth.jsonl, jobs.jsonl, relevance.jsonl, planted.jsonl, files.jsonl, corpus.json,
    and apart from the truth groups.jsonl. The same arguments give the same bytes, whatever the number of
    processes. A run that was interrupted goes on where it stopped.

    Examples:

    - evenhand corpus generate --out corpus --n 1000
    - evenhand corpus generate --out corpus --n 500 --kind crc --formats pdf,docx,txt --seed 7
    - evenhand corpus generate --out corpus --n 200 --plant duplicates=20,hidden=5,no-hire=10
    """
    from evenhand.documents.reading import available_cores
    from evenhand_lab.corpora.generate import generate as generate_corpus

    arguments: dict[str, Any] = {} if as_of is None else {"as_of": month_of(as_of)}
    with bar("Generating", n) as progress:
        about = generate_corpus(
            out,
            n=n,
            seed=seed,
            kind=kind,
            formats=tuple(name.strip().lower() for name in formats.split(",") if name.strip()),
            every_format=all_formats,
            jobs=jobs,
            planted=counts_of(plant),
            workers=workers or available_cores(),
            advance=progress.advance,
            **arguments,
        )
    planted = sum(about["settings"]["planted"].values())
    cases = f", {planted} of them with planted cases," if planted else ""
    print_rich(f"{n} resumes{cases} are in {out}.")


def counts_of(text: str) -> dict[str, int]:
    """ "duplicates=20,hidden=5" as numbers by name."""
    counts: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, count = part.partition("=")
        if not equals or not count.strip().isdecimal():
            raise UsageError(f"--plant takes CASE=COUNT, not {part!r}.")
        counts[name.strip()] = int(count)
    return counts


def month_of(text: str) -> int:
    from evenhand_lab.corpora.career import month

    year, _, number = text.partition("-")
    if not (len(year) == 4 and year.isdecimal() and number.isdecimal() and 1 <= int(number) <= 12):
        raise UsageError(f"--as-of takes a month like 2026-10, not {text!r}.")
    return month(int(year), int(number))


@app.command()
def describe(folder: Corpus, compare: Compare = None, json: opt.AsJson = False) -> None:
    """Describe a corpus: section orders, headings, designs, date styles, lengths, vocabulary.

    With --compare, its words and lengths stand beside those of other resumes.

    Examples:

    - evenhand corpus describe corpus
    - evenhand corpus describe corpus --compare resumes.jsonl.gz --json
    """
    from evenhand_lab.corpora.checks import describe_corpus

    description = describe_corpus(folder, compare)
    if json:
        write_json(description)
    else:
        print_rich(*tables(description))


@app.command()
def check(folder: Corpus, json: opt.AsJson = False) -> None:
    """Check that the truth of a corpus agrees with its texts, with itself and with its files.

    Exit code: 0 everything agrees, 1 something does not (it is printed), 2 wrong usage.

    Examples:

    - evenhand corpus check corpus
    - evenhand corpus check corpus --json
    """
    from evenhand.records import canonical_json
    from evenhand_lab.corpora.checks import check_corpus, size_of

    faults = []
    with bar("Checking", total := size_of(folder)) as progress:
        for number, messages in check_corpus(folder):
            progress.advance()
            faults += [{"number": number, "fault": message} for message in messages]
    if json:
        write_stdout("".join(canonical_json(fault) + "\n" for fault in faults))
    else:
        for fault in faults[:SHOWN_FAULTS]:
            write_stderr(f"{fault['number']}: {fault['fault']}")
        print_rich(f"{total} resumes checked, {len(faults)} faults.")
    if faults:
        raise typer.Exit(SOME_FAILED)


app.command()(agreement)
app.command()(sample)
app.command()(adjudicate)
