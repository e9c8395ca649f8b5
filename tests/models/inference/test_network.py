"""Networks judged with numpy and ONNX Runtime against the same worked out by hand, and what never changes a verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from evenhand.errors import ModelError, UsageError
from evenhand.models.architectures import ARCHITECTURES, Architecture
from evenhand.models.inference.loading import load_network
from evenhand.models.inference.network import NetworkClassifier
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.registry import Artefact, load_artefact, load_manifest, save_artefact
from tests.explain.gradients.by_hand import JOB, RESUMES, draw_network, expected, small
from tests.models.encoder.tiny_bert import write_tiny_bert

CASES: dict[str, tuple[Architecture, bool]] = {
    "C": (small(ARCHITECTURES["C"]), False),
    "C, mean": (small(ARCHITECTURES["C"], pooling="mean"), False),
    "C+I": (small(ARCHITECTURES["C+I"]), False),
    "C+I by the letter": (small(ARCHITECTURES["C+I"], binding="none"), False),
    "C+I with features": (small(ARCHITECTURES["C+I"]), True),
    "C+I+J": (small(ARCHITECTURES["C+I+J"]), False),
    "C+I+J+A": (small(ARCHITECTURES["C+I+J+A"]), False),
    "C+I+J+A with features": (small(ARCHITECTURES["C+I+J+A"]), True),
    "C+I+J+A, two blocks, job too": (small(ARCHITECTURES["C+I+J+A"], shared_attention=False, concat_job=True), False),
    "C+I+J+A-E": (small(ARCHITECTURES["C+I+J+A-E"]), False),
}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert(tmp_path_factory.mktemp("encoder") / "tiny")


def load(artefact: Artefact, encoder: Path, **options: Any) -> NetworkClassifier:
    settings = {"encoders": (encoder,), "precision": "fp32", "cache": None, "threads": 1}
    return load_network(artefact, **{**settings, **options})


@pytest.mark.parametrize("case", CASES)
def test_as_worked_out_by_hand(case: str, encoder: Path, tmp_path: Path) -> None:
    architecture, features = CASES[case]
    artefact = draw_network(tmp_path, encoder, architecture, features=features)
    job_text = JOB if architecture.needs_job else None
    found = load(artefact, encoder).predict(RESUMES, job_text=job_text)
    by_hand = expected(artefact, encoder, architecture, job_text)
    np.testing.assert_allclose(found, by_hand, atol=1e-5)
    assert np.ptp(by_hand, axis=0).max() > 50 * 1e-5  # resumes are told apart, so that equal means something


@pytest.mark.parametrize("precision", ["fp32", "int8"])
@pytest.mark.parametrize("case", ["C+I", "C+I+J+A"])
def test_the_same_alone_and_among_others(case: str, precision: str, encoder: Path, tmp_path: Path) -> None:
    architecture, _ = CASES[case]
    judge = load(draw_network(tmp_path, encoder, architecture), encoder, precision=precision)
    job_text = JOB if architecture.needs_job else None
    together = judge.predict(RESUMES, job_text=job_text)
    for batch_tokens in (1, 16, 24, 100):
        run = partial(judge.encoder.run, batch_tokens=batch_tokens)
        batched: Any = SimpleNamespace(output=judge.encoder.output, hidden=judge.encoder.hidden, run=run)
        again = replace(judge, encoder=batched).predict(RESUMES, job_text=job_text)
        np.testing.assert_allclose(again, together, atol=1e-6)
    alone = np.vstack([judge.predict([resume], job_text=job_text) for resume in RESUMES])
    np.testing.assert_allclose(alone, together, atol=1e-6)
    crowd = judge.predict([*RESUMES, *RESUMES[::-1], *RESUMES], job_text=job_text)
    np.testing.assert_allclose(crowd[:3], together, atol=1e-6)
    assert judge.predict([], job_text=job_text).shape == (0, 3)


def test_small_integers_are_near_and_not_the_same(encoder: Path, tmp_path: Path) -> None:
    artefact = draw_network(tmp_path / "model", encoder, CASES["C+I"][0])
    full, compact = (load(artefact, encoder), load(artefact, encoder, precision="int8", cache=tmp_path / "notes"))
    assert (compact.precision, compact.note) == ("int8", "")
    apart = np.abs(full.predict(RESUMES) - compact.predict(RESUMES)).max()
    assert 1e-6 < apart < 0.05


def test_the_comparison_is_made_once(encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    artefact = draw_network(tmp_path / "model", encoder, CASES["C+I"][0])
    notes = tmp_path / "notes"
    load(artefact, encoder, precision="int8", cache=notes)
    (note,) = notes.iterdir()

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("evenhand.models.inference.loading.compare_classifiers", forbidden)
    assert load(artefact, encoder, precision="int8", cache=notes).precision == "int8"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"labels": 0.5, "difference": 0.1}))
    instead = load(artefact, encoder, precision="int8", cache=notes)
    assert instead.precision == "fp32"
    assert instead.note.startswith("int8 was not used: it agrees with fp32 on 50% of labels (at least 95%)")


def test_a_whole_resume_is_one_sequence(encoder: Path, tmp_path: Path) -> None:
    """Wr knows no sections: the same words under other heads are the same to it, and beyond its budget unread."""
    judge = load(draw_network(tmp_path, encoder, small(ARCHITECTURES["Wr"])), encoder)
    one = ResumeInput((SectionText("Profile", "nurse ward"), SectionText("Skills", "java")))
    other = ResumeInput((SectionText("Others", "nurse"), SectionText("Profile", "ward java")))
    found = judge.predict([one, other])
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)


def test_resume_and_job_in_one_sequence(encoder: Path, tmp_path: Path) -> None:
    judge = load(draw_network(tmp_path, encoder, small(ARCHITECTURES["Wr+b"])), encoder)
    one, other = (judge.predict(RESUMES[1:2], job_text=text) for text in ("nurse", "java java"))
    assert np.abs(one - other).max() > 1e-4
    with pytest.raises(UsageError, match="tiny compares a resume with a job and needs its text"):
        judge.predict(RESUMES)


Spoil = Callable[[dict[str, Any], dict[str, Any]], object]
UNFIT: dict[str, tuple[Spoil, str, str]] = {
    "a head of another size": (
        lambda tensors, _: tensors.update({"decoder.weight": tensors["decoder.weight"][:, :30]}),
        "model_malformed",
        r"decoder\.weight of size \(3, 30\), not \(3, 32\)",
    ),
    "an addition of another size": (
        lambda tensors, _: tensors.update({"lora.encoder.layer.1.output.dense.up": np.zeros((31, 2), np.float16)}),
        "model_malformed",
        "does not have the size of its encoder's",
    ),
    "half an addition": (
        lambda tensors, _: tensors.pop("lora.encoder.layer.1.output.dense.up"),
        "model_malformed",
        r"lack lora\.encoder\.layer\.1\.output\.dense\.up",
    ),
    "no head": (lambda tensors, _: tensors.pop("decoder.bias"), "model_malformed", r"lack decoder\.bias"),
    "a design from elsewhere": (
        lambda _, settings: settings.update({"design": {"name": "C", "cut": "chunked", "magic": 1}}),
        "model_malformed",
        "names no design that is known",
    ),
    "no design": (lambda _, settings: settings.pop("design"), "model_malformed", "names no design"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_a_model_that_does_not_fit_is_refused(case: str, encoder: Path, tmp_path: Path) -> None:
    spoil, code, sentence = UNFIT[case]
    good = draw_network(tmp_path, encoder, CASES["C"][0])
    tensors, settings = dict(good.tensors), dict(good.manifest.settings)
    spoil(tensors, settings)
    content = json.loads(good.manifest.to_text()) | {"settings": settings}
    (tmp_path / "manifest.json").write_text(json.dumps(content))
    save_artefact(tmp_path, load_manifest(tmp_path), tensors, "card")
    with pytest.raises(ModelError, match=sentence) as refused:
        load(load_artefact(tmp_path), encoder)
    assert refused.value.code == code


def test_the_encoder_is_found_by_its_sums(encoder: Path, tmp_path: Path) -> None:
    artefact = draw_network(tmp_path / "model", encoder, CASES["C"][0])
    other = write_tiny_bert(tmp_path / "other", seed=1)
    with pytest.raises(ModelError, match="stands on the encoder tiny, which was not found: other is another"):
        load(artefact, other)
    found = load(artefact, encoder, encoders=(other, tmp_path / "nowhere", encoder))
    np.testing.assert_array_equal(found.predict(RESUMES), load(artefact, encoder).predict(RESUMES))


def test_nothing_loads_torch(encoder: Path, tmp_path: Path) -> None:
    draw_network(tmp_path, encoder, CASES["C+I"][0])
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from evenhand.models.registry import load_artefact\n"
        "from evenhand.models.inference.loading import load_classifier\n"
        "from evenhand.models.inputs import ResumeInput, SectionText\n"
        "judge = load_classifier(load_artefact(Path(sys.argv[1])), encoders=[Path(sys.argv[2])])\n"
        "judge.predict([ResumeInput((SectionText('Skills', 'java'),))])\n"
        "print([name for name in ('torch', 'transformers', 'sklearn') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), str(encoder)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
