"""The audit of a model: how groups fare with it, whether they can be read from what it sees, and where it errs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evenhand import __version__
from evenhand.audit.methods import method_texts
from evenhand.audit.models.findings import findings_of
from evenhand.audit.models.leakage import represent
from evenhand.audit.models.measures import measure, predict_all
from evenhand.audit.models.report import sections_of
from evenhand.audit.models.resumes import read_audited
from evenhand.errors import UsageError
from evenhand.models.manifest import GROUPS, Manifest, write_card
from evenhand.models.predict import Predictor, classifier_for
from evenhand.models.registry import checked_task, find_model, load_artefact, save_artefact
from evenhand.progress import Progress, no_progress
from evenhand.records.report import Report
from evenhand.settings import Settings


def audit_model(
    task: str,
    folder: Path,
    *,
    model: str | None = None,
    variables: Sequence[str] | None = None,
    most: int | None = None,
    seed: int = 0,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Of a generated corpus, or of a folder with resumes, labels.csv and groups.csv. UsageError for anything else."""
    settings = settings or Settings()
    known = checked_task(task)
    classifier = classifier_for(find_model(known, model, settings), settings)
    given = read_audited(
        known,
        Path(folder),
        classifier.manifest,
        variables=variables,
        most=most,
        seed=seed,
        settings=settings,
        progress=progress,
    )
    outputs = predict_all(Predictor(classifier, None, classifier.manifest.abstain_below), given, progress)
    resumes = [resume.resume for resume in given.resumes]
    texts = [None if resume.job is None else given.job_texts[resume.job] for resume in given.resumes]
    representations = represent(classifier, resumes, texts, settings=settings, progress=progress)
    measures = measure(outputs, given, representations, seed=seed, progress=progress)
    manifest = classifier.manifest
    rows = ", ".join(f"{source.name} ({source.table.shape[1]:,} numbers)" for source in representations) or "none"
    limits = [*method_texts("model", "limits"), *(method_texts("model", "generated") if given.is_generated else ())]
    if given.is_generated and given.kind == "crc" and f"(seed {given.seed})" in manifest.data:
        limits += method_texts("model", "learned_from_these")
    limits += [f"Left out: {count:,} resumes that {reason}." for reason, count in given.left_out.items()]
    return Report(
        kind="model",
        title=f"Bias audit of the model {manifest.name}",
        subject=f"{manifest.name} {manifest.version} ({manifest.task}), on {given.about}",
        made=datetime.now(UTC).replace(microsecond=0).isoformat(),
        findings=findings_of(measures),
        sections=sections_of(measures),
        method=method_texts("model", "method"),
        limits=tuple(limits),
        facts=(
            ("model", f"{manifest.name} {manifest.version}"),
            ("data", given.about),
            ("resumes", f"{measures.resumes:,}"),
            ("true label said", f"{measures.accuracy:.1%}"),
            ("variables", ", ".join(given.variables)),
            ("representations", rows),
            ("seed", str(seed)),
            ("Evenhand", __version__),
        ),
        data={"model": manifest.name, "version": manifest.version, "about": given.about, **measures.to_json()},
    )


# What an audit found by group, written into the card of the model that was audited. Nothing in it is typed by hand.


def update_card(report: Report, task: str, *, model: str | None = None, settings: Settings | None = None) -> Manifest:
    """The model keeps its weights to the byte; its manifest gets the figures and its card a section. UsageError where
    the report is of another model or the folder cannot be written."""
    folder = find_model(checked_task(task), model, settings or Settings())
    artefact = load_artefact(folder)
    manifest = artefact.manifest
    if (report.data.get("model"), report.data.get("version")) != (manifest.name, manifest.version):
        raise UsageError(f"The report is not about the model {manifest.name} {manifest.version}.")
    figures = {  # from what was measured, not from what is shown: unrounded
        "date": report.made[:10],
        "data": report.data["about"],
        "resumes": report.data["resumes"],
        "variables": [_variable(variable, report.data["adjusted"]) for variable in report.data["variables"]],
    }
    updated = replace(manifest, metrics={**manifest.metrics, GROUPS: figures})
    try:
        return save_artefact(folder, updated, artefact.tensors, write_card(updated), texts=artefact.texts)
    except OSError as error:
        raise UsageError(f"The card of {manifest.name} cannot be written: {error.strerror}.") from error


def _variable(variable: Mapping[str, Any], adjusted: Mapping[str, float]) -> dict[str, Any]:
    name = variable["variable"]
    p_of = {gap["group"]: adjusted.get(f"gap/{name}/{gap['group']}") for gap in variable["gaps"]}
    tested = [p for p in p_of.values() if p is not None]
    if len(p_of) == 2 and tested:
        p_of = dict.fromkeys(p_of, tested[0])  # of two groups one was tested: the other has the same gap turned round
    leakage = [_leak(source, probes) for source, probes in variable["probes"].items() if probes]
    return {
        "variable": name,
        "groups": [_group(gap, p_of[gap["group"]]) for gap in variable["gaps"]],
        "leakage": leakage,
    }


def _group(gap: Mapping[str, Any], p: float | None) -> dict[str, Any]:
    known = p is not None
    return {
        "group": gap["group"],
        "resumes": gap["resumes"],
        "accuracy": gap["accuracy"]["value"],
        "gap": gap["like_for_like"]["value"] if known else None,
        "gap_low": gap["like_for_like"]["low"] if known else None,
        "gap_high": gap["like_for_like"]["high"] if known else None,
        "p": p,
    }


def _leak(source: str, probes: Any) -> dict[str, Any]:
    best = max(probes, key=lambda probe: probe["balanced"]["value"])
    return {
        "from": source,
        "reader": best["reader"],
        "balanced": best["balanced"]["value"],
        "floor": max(best["chance"], best["label_floor"]),
    }
