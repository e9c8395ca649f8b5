"""An artefact opened for gradients says what its judge says, and reads exactly what its judge reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from evenhand.errors import UsageError
from evenhand.explain.attribution import centred
from evenhand.explain.gradients.baselines import cut_placed
from evenhand.explain.gradients.networks import open_network
from evenhand.explain.gradients.path_integrals import open_output, standardised
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.inference.loading import load_network
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.sequences import PruningWords, cut_resume
from evenhand.models.training.layers import pack
from tests.explain.gradients.by_hand import JOB, RESUMES, draw_network, small
from tests.explain.gradients.drawn import long_resume, opened, place

CASES = {name: (small(architecture), name in {"C+I", "C+I+J+A"}) for name, architecture in ARCHITECTURES.items()}
CASES["C, mean"] = (small(ARCHITECTURES["C"], pooling="mean"), False)
CASES["C+I by the letter"] = (small(ARCHITECTURES["C+I"], binding="none"), True)
CASES["two blocks"] = (small(ARCHITECTURES["C+I+J+A"], shared_attention=False, concat_job=True), True)


@pytest.mark.parametrize("case", CASES)
def test_logits_are_the_judges(case: str, encoder: Path, tmp_path: Path) -> None:
    architecture, features = CASES[case]
    artefact, network = opened(tmp_path, encoder, architecture, features=features)
    judge = load_network(artefact, encoders=(encoder,), precision="fp32", cache=None, threads=1)
    job_text = JOB if architecture.needs_job else None
    expected = centred(judge.logits(RESUMES, job_text=job_text))
    for resume, row in zip(RESUMES, expected, strict=True):
        cut = cut_placed(place(resume), architecture, network.rules, words=network.words, job_text=job_text)
        output = open_output(network, 1, count=len(cut.sequences), job_text=job_text)
        with torch.no_grad():
            vectors = torch.cat(
                [
                    output.vectors(
                        network.network.encoder.words(torch.from_numpy(each.ids).long()),
                        pack([len(each.ids)]),
                        torch.tensor([each.kind]),
                        -1,
                    )
                    for each in cut.sequences
                ]
            )
            found = output.logits(vectors, standardised(network, resume))
        np.testing.assert_allclose(found.numpy(), row, atol=1e-4)


def test_nothing_in_it_learns(encoder: Path, tmp_path: Path) -> None:
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]))
    assert not any(parameter.requires_grad for parameter in network.network.parameters())


LONG = ResumeInput(
    (
        SectionText("Profile", "the nurse, of ward (java)\nengineer"),
        SectionText("Work Experience", long_resume(60).text + " the and of javascript"),
        SectionText("Skills", ""),
    )
)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_cuts_as_judges_cut_and_every_token_stands_where_it_says(name: str, encoder: Path, tmp_path: Path) -> None:
    architecture = small(ARCHITECTURES[name])
    _, network = opened(tmp_path, encoder, architecture)
    words = PruningWords(frozenset({"nurse"}), frozenset({"nurse", "ward"}))
    placed = place(LONG)
    document = "\n".join(section.text for section in LONG.sections)
    job_text = JOB if architecture.needs_job else None
    expected = cut_resume(LONG, architecture, network.rules, words=words, job_text=job_text)
    found = cut_placed(placed, architecture, network.rules, words=words, job_text=job_text)
    assert [each.ids.tolist() for each in found.sequences] == [ids.tolist() for ids in expected.sequences]
    assert tuple(each.kind for each in found.sequences) == expected.kinds
    for sequence in found.sequences:
        for id, where, held in zip(sequence.ids.tolist(), sequence.places, sequence.held, strict=True):
            token = network.rules.tokenizer.id_to_token(id) or ""
            if where is not None:
                assert document[slice(*where)] == token.removeprefix("##") or token == "[UNK]"
            assert held == (where is None)


def test_what_a_design_leaves_out_is_counted(encoder: Path, tmp_path: Path) -> None:
    written = sum(len(network_tokens(encoder, tmp_path, section.text)) for section in LONG.sections)
    for name, read in (("C", written), ("Wr", 14)):
        _, network = opened(tmp_path / name, encoder, small(ARCHITECTURES[name]))
        found = cut_placed(place(LONG), network.architecture, network.rules)
        assert (found.tokens, found.unread) == (read, written - read)
    _, network = opened(tmp_path / "P", encoder, small(ARCHITECTURES["P"]))
    found = cut_placed(place(LONG), network.architecture, network.rules)
    assert found.tokens + found.unread == written
    assert found.unread > 0


def network_tokens(encoder: Path, folder: Path, text: str) -> list[int]:
    _, network = opened(folder / "any", encoder, small(ARCHITECTURES["C"]))
    return network.rules.content(text)


def test_a_model_without_its_job_is_refused(encoder: Path, tmp_path: Path) -> None:
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I+J"]))
    with pytest.raises(UsageError, match="needs its text"):
        open_output(network, 0, count=1, job_text=None)


def test_a_joined_model_is_refused(encoder: Path, tmp_path: Path) -> None:
    artefact = draw_network(tmp_path, encoder, small(ARCHITECTURES["C"]))
    joined = replace(artefact, manifest=replace(artefact.manifest, kind="joined"))
    with pytest.raises(UsageError, match="no network"):
        open_network(joined, encoders=(encoder,))
