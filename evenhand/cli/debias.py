"""`evenhand debias`: remove information about a group from a representation, and measure what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from evenhand.cli import options as opt
from evenhand.cli.options import command_group, settings_from
from evenhand.cli.report.audit_report import finish
from evenhand.cli.terminal import bar, write_json, write_stderr, write_stdout

app = command_group(
    "Remove information about a group (gender, origin, age band, ...) from what a model sees, and measure the cost."
)

Rows = Annotated[
    Path, opt.argument("ROWS", "A matrix (.npy, .npz), or a table of texts (.csv, .jsonl), one line per text.")
]
Folder = Annotated[Path, opt.argument("REMOVAL", "A folder that evenhand debias fit has written.")]
Labels = Annotated[Path | None, opt.option("--labels FILE", "Table with the labels, one line per row of the matrix.")]
Task = Annotated[str, opt.option("--task COL", "Column with the task's labels.")]
Sensitive = Annotated[
    list[str], opt.option("--sensitive COL", "Column with the concept to remove; repeat it for several.")
]
OtherTask = Annotated[str | None, opt.option("--task COL", "Column with the task's labels, if named differently.")]
OtherSensitive = Annotated[
    list[str] | None, opt.option("--sensitive COL", "Columns with the removed concepts, if named differently.")
]
Text = Annotated[str, opt.option("--text COL", "Column with the texts.")]
Model = Annotated[
    str | None,
    opt.option("--model NAME", "Rows of this model instead of the sentence encoder's; texts are resumes then."),
]
Rank = Annotated[int, opt.option("--rank R", "How many concepts to look for.", min=2)]
Decomposition = Annotated[str, opt.option("--decomposition D", "svd, pca or ica.")]
Thorough = Annotated[bool, opt.option("--thorough", "Try every decomposition and several ranks; takes many minutes.")]
Residual = Annotated[
    bool, opt.option("--residual", "Try also to keep what no concept explains: costs less, leaks more.")
]
MostLost = Annotated[float, opt.option("--most-lost P", "Points of the task that removal may cost.", min=0, max=100)]
Neutral = Annotated[
    bool, opt.option("--neutral", "Compare with texts whose gender words and first names were replaced.")
]
Corpus = Annotated[Path, opt.argument("FOLDER", "A generated corpus: evenhand corpus generate makes one.")]
JobFile = Annotated[Path, opt.option("--job FILE", "The job that the ranker ranks for.")]
OneSensitive = Annotated[str, opt.option("--sensitive NAME", "gender or origin.")]
Most = Annotated[int, opt.option("--sample --most N", "How many resumes to edit.", min=20)]


@app.callback()
def commands() -> None:
    """Concept removal."""


@app.command("fit")
def fit_command(
    rows: Rows,
    task: Task,
    sensitive: Sensitive,
    labels: Labels = None,
    text: Text = "text",
    model: Model = None,
    out: opt.OutFolder = Path("removal"),
    rank: Rank = 20,
    decomposition: Decomposition = "svd",
    thorough: Thorough = False,
    residual: Residual = False,
    most_lost: MostLost = 2.0,
    neutral: Neutral = False,
    seed: opt.Seed = 0,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    json: opt.AsJson = False,
    fail_on: opt.FailOn = None,
    set_: opt.Set = None,
) -> None:
    """Find the concepts of the rows, remove those that carry information about a group, and measure what it costs.

    How many go is chosen on rows that nothing was fitted on: as little leak as possible for at most --most-lost points
    of the task. The report measures every other method on the same rows. The same rows and seed give the same bytes.

    Examples:

    - evenhand debias fit rows.npy --labels people.csv --task occupation --sensitive gender --out removal
    - evenhand debias fit bios.csv --task occupation --sensitive gender --neutral --html removal.html
    - evenhand debias fit bios.csv --task occupation --sensitive gender --sensitive origin --thorough
    - evenhand debias fit resumes.jsonl --model level --task level --sensitive gender --pdf removal.pdf
    """
    from evenhand.debias.run import DebiasOptions, fit, load_input

    settings = settings_from(set_)
    wish = DebiasOptions(
        task,
        tuple(sensitive),
        rank=rank,
        decomposition=decomposition,
        thorough=thorough,
        residual=residual,
        most_lost=most_lost / 100,
        neutral=neutral,
        seed=seed,
    )
    wish.plan()  # refused before the work
    given = load_input(rows, labels=labels, text=text, model=model, settings=settings, progress=bar)
    fitted = fit(given, wish, out=out, subject=rows.name, settings=settings, progress=bar)
    write_stderr(f"The removal is in {out}; put it to use with: evenhand debias apply {out} ROWS")
    finish(fitted.report, json=json, html=html, pdf=pdf, fail_on=fail_on)


@app.command("apply")
def apply_command(
    removal: Folder,
    rows: Rows,
    out: opt.OutFile = Path("rows-after.npy"),
    text: Text = "text",
    model: Model = None,
    json: opt.AsJson = False,
    set_: opt.Set = None,
) -> None:
    """Apply a removal to rows, or to texts: what comes out has the same number of columns.

    Examples:

    - evenhand debias apply removal rows.npy --out after.npy
    - evenhand debias apply removal bios.csv --text bio --out after.npy
    """
    from evenhand.debias.learned_removal import load_removal
    from evenhand.debias.run import apply, load_input, write_rows

    settings = settings_from(set_)
    learned = load_removal(removal)
    given = load_input(rows, text=text, model=model, settings=settings, progress=bar)
    after = apply(learned, given)
    write_rows(out, after)
    done = {"rows": len(after), "columns": learned.dimension, "removal": learned.recipe.name, "out": str(out)}
    if json:
        write_json(done)
    else:
        write_stdout(
            f"{len(after):,} rows without {', '.join(learned.sensitive)} ({learned.recipe.name}) are in {out}.\n"
        )


@app.command("report")
def report_command(
    removal: Folder,
    rows: Rows,
    labels: Labels = None,
    task: OtherTask = None,
    sensitive: OtherSensitive = None,
    text: Text = "text",
    model: Model = None,
    seed: opt.Seed = 0,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    json: opt.AsJson = False,
    fail_on: opt.FailOn = None,
    set_: opt.Set = None,
) -> None:
    """Measure a removal on labelled rows, such as those of a later month: before, after, and every other method.

    Examples:

    - evenhand debias report removal rows.npy --labels people.csv --html after.html
    - evenhand debias report removal bios.csv --json
    """
    from evenhand.debias.learned_removal import load_removal
    from evenhand.debias.run import load_input, report

    settings = settings_from(set_)
    learned = load_removal(removal)
    given = load_input(rows, labels=labels, text=text, model=model, settings=settings, progress=bar)
    measured = report(learned, given, task=task, sensitive=sensitive or (), seed=seed, subject=rows.name)
    finish(measured, json=json, html=html, pdf=pdf, fail_on=fail_on)


@app.command("audit")
def audit_command(
    folder: Corpus,
    job: JobFile,
    sensitive: OneSensitive = "gender",
    most: Most = 120,
    seed: opt.Seed = 0,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    json: opt.AsJson = False,
    fail_on: opt.FailOn = None,
    set_: opt.Set = None,
) -> None:
    """Remove a concept from an occupation model and the semantic ranker, and audit both before and after.

    What can be read from the rows, what a swap of words does and how groups fare stand side by side: less leak is not
    yet a fairer outcome.

    Examples:

    - evenhand corpus generate --out people --n 600 --kind mixed --formats txt
    - evenhand debias audit people --job job.txt --html before-after.html
    - evenhand debias audit people --job job.txt --sensitive origin --json
    """
    from evenhand.debias.before_after import audit_removal
    from evenhand.debias.before_after_report import before_after_report
    from evenhand.mining.pipeline import read_job

    settings = settings_from(set_)
    understood = read_job(job, settings)
    audited = audit_removal(
        folder, understood, sensitive=sensitive, most=most, seed=seed, settings=settings, progress=bar
    )
    subject = f"{audited.resumes:,} resumes of {folder.name}"
    finish(before_after_report(audited, subject=subject), json=json, html=html, pdf=pdf, fail_on=fail_on)
