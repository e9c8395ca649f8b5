"""`evenhand corpus`: generate resumes whose truth is known, describe them, check them; label resumes of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from evenhand.cli import options as opt
from evenhand.cli.options import command_group
from evenhand.cli.terminal import bar, print_rich, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError

if TYPE_CHECKING:
    from evenhand_lab.corpora.annotation import AgreementReport

# What a corpus is like, as tables for a terminal.


SHOWN_VALUES = 8  # values of each distribution
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
        yield distribution(name.capitalize(), counts, total, most=16 if name == "dates" else SHOWN_VALUES)
    for type, counts in description["headings"].items():
        yield distribution(f"Headings of {type}", counts, total)
    yield sections(description["sections"])
    if "comparison" in description:
        yield comparison(description["comparison"])


def distribution(title: str, counts: dict[str, int], total: int, *, most: int = SHOWN_VALUES) -> Table:
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
    for name, section in values.items():
        length = section["length"] or {}
        table.add_row(
            name,
            share(section["presence"]),
            share(as_share(section["presence_wanted"])),
            number(length.get("mean")),
            number(section["length_wanted"]["mean"]),
            share(section["under_512"]),
        )
    return table


def comparison(values: dict[str, Any]) -> Table:
    table = Table("Measure", "Generated", "Others", title="Compared with other resumes", title_justify="left")
    for name, value in values.items():
        label = name.replace("_", " ")
        if isinstance(value, list) and len(value) == 2:
            table.add_row(label, *(number(side["mean"]) if isinstance(side, dict) else str(side) for side in value))
        elif isinstance(value, dict):
            table.add_row(label, ", ".join(f"{key} {figure}" for key, figure in value.items()), "")
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


# The rounds in which people label resumes.

OPEN = 1  # exit code: some items are still contested
SHOWN_ITEMS = 20

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...", help="CSV or JSON Lines with item and label; annotator and round where a file has several."
    ),
]
Labels = Annotated[
    str, typer.Option("--labels", metavar="LIST", help="The labels from the lowest to the highest, with commas.")
]
Pool = Annotated[
    Path, typer.Argument(metavar="POOL", help="CSV or JSON Lines of all resumes: item, and what --by names.")
]
Annotated_ = Annotated[
    list[Path] | None,
    typer.Option("--annotated", metavar="FILE", help="Annotations there are; may be given several times."),
]
Size = Annotated[int, typer.Option("--size", metavar="N", help="How many resumes.")]
By = Annotated[
    str, typer.Option("--by", metavar="COLUMN", help="What is to be represented: a level applied for, a prediction.")
]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="CSV file to write; without it, stdout.")]
Resolved = Annotated[
    Path | None,
    typer.Option("--resolved", metavar="FILE", help="The list of the contested, with its column resolved filled in."),
]


@app.command()
def agreement(files: Files, labels: Labels = "", json: opt.AsJson = False) -> None:
    """How far annotators agree beyond chance: Fleiss' kappa by label and overall, round by round.

    n/a stands where kappa has no meaning: nobody chose the label, or no more than two ratings did. How many ratings
    chose it stands beside.

    Examples:

    - evenhand corpus agreement ada.csv bo.csv cy.csv --labels NQ,CRC1,CRC2,CRC3,CRC4
    - evenhand corpus agreement annotations.jsonl --json
    """
    from evenhand_lab.corpora.annotation import measure_agreement

    report = measure_agreement(files, listed(labels))
    if json:
        write_json(report.to_json())
    else:
        print_rich(agreement_table(report))


@app.command()
def sample(
    pool: Pool, annotated: Annotated_ = None, size: Size = 50, by: By = "stratum", seed: opt.Seed = 0, out: Out = None
) -> None:
    """The next resumes to label: none that is labelled already, every stratum by its share of the pool.

    The sheet has the columns item and label, in chance order, and does not tell the stratum: who knows what a model
    said is led by it.

    Examples:

    - evenhand corpus sample pool.csv --by applied --size 50 --out round1.csv
    - evenhand corpus sample pool.csv --by prediction --annotated round1.csv --out round2.csv
    """
    from evenhand_lab.corpora.annotation import sample_next

    batch = sample_next(pool, annotated or [], size=size, by=by, seed=seed)
    write(batch.to_csv(), out)
    strata = ", ".join(f"{name}: {count}" for name, count in batch.counts().items())
    write_stderr(f"{len(batch.candidates)} resumes ({strata}); {batch.left} are left in the pool.")


@app.command()
def adjudicate(files: Files, labels: Labels = "", resolved: Resolved = None, out: Out = None) -> None:
    """Without --resolved, the list of what annotators differ on, the most contested first, as CSV.

    Somebody fills in its column resolved. With --resolved, the labels that stand: unanimous ones, those that only one
    person gave, and what was resolved. What is still open is left out and told.

    Exit code: 0 nothing is open, 1 something is, 2 wrong usage.

    Examples:

    - evenhand corpus adjudicate ada.csv bo.csv --labels NQ,CRC1,CRC2,CRC3,CRC4 --out contested.csv
    - evenhand corpus adjudicate ada.csv bo.csv --resolved contested.csv --out labels.csv
    """
    from evenhand_lab.corpora.annotation import contested_csv, finals_csv, list_contested, settle

    if resolved is None:
        items = list_contested(files, listed(labels))
        write(contested_csv(items), out)
        tied = sum(item.majority is None for item in items)
        sentence = f"{len(items)} resumes are contested, {tied} of them without a majority."
        write_stderr(sentence if items else "Nothing is contested.")
        return
    final, still_open = settle(files, resolved, listed(labels))
    write(finals_csv(final), out)
    write_stderr(f"{len(final)} labels stand.")
    if still_open:
        more = f" and {len(still_open) - SHOWN_ITEMS} more" if len(still_open) > SHOWN_ITEMS else ""
        write_stderr(f"{len(still_open)} are still contested: {', '.join(still_open[:SHOWN_ITEMS])}{more}.")
        raise typer.Exit(OPEN)


def listed(labels: str) -> tuple[str, ...]:
    names = tuple(filter(None, (label.strip() for label in labels.split(","))))
    if len(set(names)) < len(names):
        raise UsageError("--labels names a label twice.")
    return names


def write(text: str, out: Path | None) -> None:
    if out is None:
        write_stdout(text)
    else:
        out.write_text(text, encoding="utf-8", newline="")


def agreement_table(report: AgreementReport) -> Table:
    """Labels by rounds, kappa with the number of ratings behind it."""
    table = Table("Label", title="Fleiss' kappa (ratings)", title_justify="left")
    for result in report.rounds:
        table.add_column(f"Round {result.round}" if result.round else "Kappa", justify="right")
    for label in report.labels:
        table.add_row(label, *(f"{kappa_text(row.kappa(label))} ({row.support(label)})" for row in report.rounds))
    table.add_section()
    agreements = [result.agreement for result in report.rounds]
    table.add_row("overall", *(kappa_text(agreement.kappa if agreement else None) for agreement in agreements))
    table.add_row("items", *(str(agreement.items if agreement else 0) for agreement in agreements))
    table.add_row("raters", *(str(agreement.raters if agreement else 0) for agreement in agreements))
    if any(result.left_out for result in report.rounds):
        table.add_row("left out", *(str(result.left_out) for result in report.rounds))
    return table


def kappa_text(kappa: float | None) -> str:
    return "n/a" if kappa is None else f"{kappa:.3f}"
