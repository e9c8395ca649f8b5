"""`evenhand corpus`: generate resumes whose truth is known, describe them, check them; label resumes of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from evenhand.cli.corpus_annotation import adjudicate, agreement, sample
from evenhand.cli.terminal import bar, put, show, tell
from evenhand.errors import UsageError

SOME_FAILED = 1
SHOWN_FAULTS = 20

app = typer.Typer(
    help="Generate resumes whose truth is known; label resumes of your own in rounds.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Out = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Folder of the corpus; an unfinished one is finished.")
]
Number = Annotated[int, typer.Option("--n", metavar="N", help="How many resumes.")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Start of the random choices.")]
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
Jobs = Annotated[
    int, typer.Option("--jobs", metavar="K", help="How many job ads, with grades for every resume.")
]
Plant = Annotated[
    str,
    typer.Option(
        "--plant",
        metavar="CASE=COUNT,...",
        help="Cases among the resumes: duplicates, no-hire, lookalikes, non-accredited, hidden, stuffing, scans.",
    ),
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", metavar="YYYY-MM", help='The month that "present" means.')
]
Workers = Annotated[int, typer.Option("--workers", metavar="N", help="Processes; 0 means one per processor.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Compare = Annotated[
    Path | None,
    typer.Option(
        "--compare", metavar="TEXTS", help='JSON Lines, plain or gzipped, with a "text" in each line.'
    ),
]
Corpus = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a corpus.")]


@app.command()
def generate(
    out: Out,
    n: Number,
    seed: Seed = 0,
    kind: Kind = "it",
    formats: Formats = "pdf,docx",
    all_formats: AllFormats = False,
    jobs: Jobs = 10,
    plant: Plant = "",
    as_of: AsOf = None,
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
    from evenhand.workflows.corpus import generate as generate_corpus
    from evenhand.workflows.reading import available_cores

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
    show(f"{n} resumes{cases} are in {out}.")


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
    from evenhand.corpora.career import month

    year, _, number = text.partition("-")
    if not (len(year) == 4 and year.isdecimal() and number.isdecimal() and 1 <= int(number) <= 12):
        raise UsageError(f"--as-of takes a month like 2026-10, not {text!r}.")
    return month(int(year), int(number))


@app.command()
def describe(folder: Corpus, compare: Compare = None, json: AsJson = False) -> None:
    """Describe a corpus: section orders, headings, designs, date styles, lengths, vocabulary.

    With --compare, its words and lengths stand beside those of other resumes.

    Examples:

    - evenhand corpus describe corpus
    - evenhand corpus describe corpus --compare resumes.jsonl.gz --json
    """
    from evenhand.cli.description import tables
    from evenhand.records import canonical_json
    from evenhand.workflows.corpus_description import describe_corpus

    description = describe_corpus(folder, compare)
    if json:
        put(canonical_json(description) + "\n")
    else:
        show(*tables(description))


@app.command()
def check(folder: Corpus, json: AsJson = False) -> None:
    """Check that the truth of a corpus agrees with its texts, with itself and with its files.

    Exit code: 0 everything agrees, 1 something does not (it is printed), 2 wrong usage.

    Examples:

    - evenhand corpus check corpus
    - evenhand corpus check corpus --json
    """
    from evenhand.records import canonical_json
    from evenhand.workflows.corpus_checks import check_corpus, size_of

    faults = []
    with bar("Checking", total := size_of(folder)) as progress:
        for number, messages in check_corpus(folder):
            progress.advance()
            faults += [{"number": number, "fault": message} for message in messages]
    if json:
        put("".join(canonical_json(fault) + "\n" for fault in faults))
    else:
        for fault in faults[:SHOWN_FAULTS]:
            tell(f"{fault['number']}: {fault['fault']}")
        show(f"{total} resumes checked, {len(faults)} faults.")
    if faults:
        raise typer.Exit(SOME_FAILED)


app.command()(agreement)
app.command()(sample)
app.command()(adjudicate)
