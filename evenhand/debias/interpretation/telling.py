"""Three concepts that tell the story of a fit, and the texts that have most of each, with what their words add."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.interpretation.occlusion import Embed, Occlusion, Project, occlude
from evenhand.debias.interpretation.typical import most_typical
from evenhand.debias.interpretation.units import UnitKind
from evenhand.debias.ranking import Concept


def telling_concepts(concepts: Sequence[Concept]) -> tuple[Concept, ...]:
    """One that is mostly of the sensitive variable, one that is of both, one that is mostly of the task."""
    if len(concepts) < 3:
        return tuple(concepts)
    sensitive = max(concepts, key=lambda each: each.sensitive - each.task)
    task = max((each for each in concepts if each != sensitive), key=lambda each: each.task - each.sensitive)
    rest = [each for each in concepts if each not in (sensitive, task)]
    return sensitive, max(rest, key=lambda each: min(each.sensitive, each.task)), task


def occlude_typical(
    texts: Sequence[str],
    u: NDArray[np.floating],
    embed: Embed,
    project: Project,
    *,
    concepts: Sequence[Concept],
    count: int = 1,
    kind: UnitKind = "word",
) -> tuple[Occlusion, ...]:
    """`count` texts of each concept, each once; `u` has a row per text. All concepts are shown in every text."""
    rows = dict.fromkeys(
        found.row for concept in concepts for found in most_typical(u, concept.index, count=count)
    )
    shown = [concept.index for concept in concepts]
    return occlude([texts[row] for row in rows], embed, project, concepts=shown, kind=kind)
