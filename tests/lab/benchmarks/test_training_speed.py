"""Training is compared with plain padding on the same sums."""

from __future__ import annotations

import pytest

from evenhand.models.inputs import ResumeInput, SectionText
from evenhand_lab.benchmarks.predict import measure_training


@pytest.mark.long
def test_both_compute_the_same_loss_and_count_the_same_tokens() -> None:
    long = SectionText("Work Experience", "Coordinated clinical trials and consented patients. " * 2)
    short = SectionText("Skills", "Java")
    found = measure_training([ResumeInput((long,)), ResumeInput((short,))] * 2, rounds=1)
    # [CLS] 16 word pieces [SEP], [CLS] java [SEP]; the peer pads the latter to the former.
    assert (found.resumes, found.tokens, found.padded_tokens) == (4, 2 * (18 + 3), 4 * 18)
    assert found.loss_gap < 1e-5
    assert min(found.plain, found.ours, found.kept, found.reading) > 0
    assert found.ratio == found.ours / found.plain
