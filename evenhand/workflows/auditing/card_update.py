"""What an audit found by group, written into the card of the model that was audited. Nothing in it is typed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evenhand.errors import UsageError
from evenhand.models.artefact import load_artefact, save_artefact
from evenhand.models.card import GROUPS, write_card
from evenhand.models.manifest import Manifest
from evenhand.records.report import Report
from evenhand.settings import Settings
from evenhand.workflows.model_choice import checked_task, find_model


def update_card(
    report: Report, task: str, *, model: str | None = None, settings: Settings | None = None
) -> Manifest:
    """The model keeps its weights to the byte; its manifest gets the figures and its card a section. UsageError where
    the report is of another model or the folder cannot be written."""
    folder = find_model(checked_task(task), model, settings or Settings())
    artefact = load_artefact(folder)
    manifest = artefact.manifest
    if (report.data.get("model"), report.data.get("version")) != (manifest.name, manifest.version):
        raise UsageError(f"The report is not about the model {manifest.name} {manifest.version}.")
    metrics = {**manifest.metrics, GROUPS: group_metrics(report)}
    updated = replace(manifest, metrics=metrics)
    try:
        return save_artefact(folder, updated, artefact.tensors, write_card(updated), texts=artefact.texts)
    except OSError as error:
        raise UsageError(f"The card of {manifest.name} cannot be written: {error.strerror}.") from error


def group_metrics(report: Report) -> dict[str, Any]:
    """From what was measured, not from what is shown: unrounded."""
    adjusted = report.data["adjusted"]
    return {
        "date": report.made[:10],
        "data": report.data["about"],
        "resumes": report.data["resumes"],
        "variables": [_variable(each, adjusted) for each in report.data["variables"]],
    }


def _variable(each: Mapping[str, Any], adjusted: Mapping[str, float]) -> dict[str, Any]:
    name = each["variable"]
    p_of = {gap["group"]: adjusted.get(f"gap/{name}/{gap['group']}") for gap in each["gaps"]}
    tested = [p for p in p_of.values() if p is not None]
    if len(p_of) == 2 and tested:
        p_of = dict.fromkeys(
            p_of, tested[0]
        )  # of two groups one was tested: the other has the same gap turned round
    leakage = [_leak(source, probes) for source, probes in each["probes"].items() if probes]
    return {
        "variable": name,
        "groups": [_group(gap, p_of[gap["group"]]) for gap in each["gaps"]],
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
