"""Instructions for use of this installation, in the order in which the EU AI Act lists what they have to say."""

from __future__ import annotations

from evenhand.models.manifest import Manifest
from evenhand.store import KeptJob
from evenhand.version import __version__
from evenhand.workflows.service import Service


def instructions(service: Service, job: KeptJob, models: list[Manifest]) -> str:
    """Markdown."""
    weights = service.weights.in_force()
    origin = f"version {weights.version}, learned from decisions" if weights.version else "the defaults"
    parts = ", ".join(f"{name} {value:g}" for name, value in weights.weights.to_json().items())
    settings = service.settings
    named = ", ".join(f"{model.name} {model.version}" for model in models) or "none"
    shown = service.store.job_settings(job.id)
    return TEXT.format(
        version=__version__,
        job=job.title or job.id,
        weights=origin,
        parts=parts,
        models=named,
        pages=settings.page_models or "none",
        fit="no part in it"
        if not settings.fit_weight
        else f"{settings.fit_weight:g} points of 100 in folders only",
        blind="blind: names, contact data, photos, age, gender and addresses are masked"
        if shown.blind
        else "openly",
        contact=settings.rights_contact or "not set: the setting rights_contact names it",
    )


TEXT = """# Instructions for use

Evenhand {version}, for the job "{job}". Written from the settings in force when this pack was made.

## What it is for

It reads resumes, finds facts with their places in the document, and puts the applications for one job in an order by
what the job asks for. It helps people to decide whom to look at first. It is not made to reject anybody by itself, to
judge character, health or emotions, to guess which group somebody belongs to, or to be used outside hiring.

## What it goes by

The ranker best adds parts that are shown with every rank. Weights in force: {weights} ({parts}). A trained model has
{fit}. Models whose guesses a page can show, marked as guesses: {pages}. Installed models: {models}; their cards say how
well each does and for whom worse. Group data that applicants give of themselves lie in a table that neither search nor
ranking can read.

## How well, and where it fails

Figures of every model are on its card. The bias audits in this pack tell whether names, places, schools or gaps moved
the ranking of this job, and how groups fared. Text that a picture or an unusual layout hides may be missed; hidden
text is shown and never scored; whoever is described in words that the lexicons do not know ranks lower than they
should. A rank is a reading aid and no measure of a person.

## Oversight by people

Every decision is made by a person, is on record with who, when and why, and can be undone. This job is screened
{blind}. Whoever screens should open candidates from all over the list, read the warnings, and correct what was misread;
the rank follows. To stop: close the job, which then takes no more applications, or stop the server; nothing is decided
while nobody decides. `evenhand train ranker --roll-back` takes learned weights out of force.

## Before and during use

Tell applicants (see notices), run an audit before the first decision and by a schedule after it, look at every finding
that says "Act on this", keep the checkpoints of the ledger on another machine, verify the ledger before relying on it.
Applicants reach who answers for their data at: {contact}.

## Logs

Every import, ranking, view, decision, correction, export and erasure is an event of the ledger, in order, tied to the
one before by its hash and covered by signed checkpoints. The extract for this job is in log/events.jsonl; people
appear as seals. It is kept as long as the installation is; applications follow the retention rules.
"""
