"""What programs get about candidates: one, several side by side, a page of a list; as the caller may see them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from evenhand.web.api.answers import Answer, Page, Record, at


class Part(Answer):
    name: str
    value: float
    reason: str | None


class Score(Answer):
    """`parts` sum to `value`."""

    value: float
    full: Annotated[float | None, Field(description="Of a perfect fit; null where the ranker knows none.")]
    parts: Annotated[list[Part], at("all_parts")]


class Flag(Answer):
    key: str
    code: str
    title: str
    message: str
    set_aside: Annotated[
        str | None, Field(description="The reason, where somebody has looked into it and set it aside.")
    ]


class Tag(Answer):
    key: str
    tag: str


class NewTag(Answer):
    key: str
    new: Annotated[bool, Field(description="False where it was there already.")]


class Note(Answer):
    id: str
    text: str
    by: str
    time: datetime


class Happening(Answer):
    time: datetime
    who: str
    what: str
    why: str
    undone: bool
    times: Annotated[int, Field(description="How often on that day.")]
    event: Annotated[int | None, at("sequence", description="In the ledger.")]


STATED = "Of degree, city and total_months, what only the applicant's form states; the resume does not say."


class Demand(Answer):
    name: str
    must: bool
    state: Annotated[str, Field(description="met, short, not dated, missing or not mentioned.")]
    months: int | None
    required_months: int | None


class Facts(Answer):
    title: str | None
    employer: str | None
    is_current: bool
    total_months: int | None
    relevant_months: int | None
    musts_met: int
    musts_asked: int
    musts_undated: int
    degree: str | None
    city: str | None
    emails: list[str]
    phones: list[str]
    stated: Annotated[list[str], Field(description=STATED)]


class Related(Answer):
    application: str
    job: str
    job_title: str | None
    status: str
    link: str
    resemblance: float | None


class Hidden(Answer):
    text: str
    reason: str
    page: int | None


class Remark(Answer):
    code: str
    message: str


class FormField(Answer):
    label: str
    value: str


class Candidate(Answer):
    """`profile`, `facts`, `demands` are null until the resume has been read."""

    id: str
    job: str
    candidate: Annotated[str, Field(description="The name, or what stands for it.")]
    file: str | None
    masked: Annotated[bool, Field(description="Something is not shown to you.")]
    status: str
    source: str | None
    received: datetime
    external_id: str | None
    rank: int | None
    total: int
    before: Annotated[str | None, Field(description="The application one better on the list asked for.")]
    after: str | None
    ranking: Annotated[int | None, Field(description="The event of this rank; `seen` of a decision.")]
    score: Score | None
    facts: Facts | None
    demands: list[Demand] | None
    profile: Record | None
    hidden: list[Hidden]
    warnings: list[Remark]
    flags: list[Flag]
    related: list[Related]
    related_unseen: Annotated[
        int, Field(description="Always 0: a count would tell who applied elsewhere.", deprecated=True)
    ]
    form: list[FormField]
    tags: list[Tag]
    notes: Page[Note]
    history: Page[Happening]


class LabelProbability(Answer):
    label: str
    probability: float


class ModelStamp(Answer):
    name: str
    version: str
    encoder: str | None


class Prediction(Answer):
    """As `evenhand predict --json`, without a file."""

    file: None
    task: str
    label: Annotated[str | None, Field(description="Null where the model is not sure enough to say.")]
    labels: Annotated[list[LabelProbability], Field(description="All of them, the most probable first.")]
    model: ModelStamp
    abstained: bool


class Predictions(Answer):
    """Guesses about a text, no decisions about a person."""

    predictions: list[Prediction]
    problems: Annotated[list[str], Field(description="Why a model was not asked.")]


class Explanation(Answer):
    """As `evenhand explain --json`. Scores of words and `special` sum to `output` - `baseline_output` + `delta`."""

    file: str | None
    task: str
    target: str
    model: ModelStamp
    method: str
    baseline: str
    layer: str | None
    output: Annotated[float, Field(description="The logit of the target for this resume.")]
    baseline_output: float
    delta: Annotated[float, Field(description="What the scores miss.")]
    steps: int
    converged: Annotated[bool, Field(description="Whether the scores add up.")]
    words: list[dict[str, Any]]
    sections: list[dict[str, Any]]
    special: Annotated[float, Field(description="What no word of the resume accounts for.")]
    facts: list[dict[str, Any]]
    faithfulness: dict[str, Any] | None
    change: Annotated[
        dict[str, Any] | None, Field(description="The fewest lines found without which the model says something else.")
    ]
    spread: list[float]
    tokens: int
    unread: int
    warnings: list[str]
    seconds: float


class Explanations(Answer):
    """One for each label that the model gives, or the one that was asked for."""

    explanations: list[Explanation]


class Listed(Answer):
    """One line of the list; `score` is the sum of `parts`."""

    rank: int
    application: str
    candidate: str
    file: str | None
    status: str | None
    source: str | None
    score: float
    parts: list[Part]
    matched: list[dict[str, Any]]
    missing: list[str]
    flags: list[Flag]
    tags: list[str]
    snippets: list[dict[str, Any]]
    title: str | None
    employer: str | None
    city: str | None
    degree: str | None
    total_months: int | None
    relevant_months: int | None
    stated: Annotated[list[str], Field(description=STATED)]


class FoundPerson(Answer):
    application: str
    candidate: str | None
    found_by: Annotated[str, Field(description="name, e-mail or phone")]
    status: str | None
    rank: Annotated[int | None, Field(description="In the list asked for; none for who is not in it.")]


class Screen(Answer):
    """As `evenhand search --json`, with the number of the event that says it was shown."""

    job: Record
    ranker: str
    total: int
    ordered: Annotated[int, Field(description="How many of them the ranker looked at.")]
    results: list[Listed]
    errors: list[dict[str, Any]]
    criteria: dict[str, Any]
    weights: dict[str, Any] | None
    people: Annotated[list[FoundPerson], Field(description="Found by the name or contact typed; not while masked.")]
    unmatched: Annotated[
        list[str],
        Field(description="Words typed that no resume of the job mentions; with masks, outside what can be masked."),
    ]
    facets: Any
    skill_months: Any
    ranking: int
    problems: Annotated[list[str], Field(description="What of the address could not be understood.")]
    first: int
    size: int
    next: int | None


class Placed(Answer):
    application: str
    score: float


class Difference(Answer):
    name: str
    value: float
    above: str
    below: str


class Why(Answer):
    above: Placed
    below: Placed
    difference: float
    parts: list[Difference]


class Stretch(Answer):
    name: str
    dates: str
    months: int | None


class Column(Answer):
    application: Annotated[str, at("application.id")]
    candidate: Annotated[str, at("name")]
    status: Annotated[str, at("application.status")]
    rank: Annotated[int | None, at("standing.rank")]
    score: Score
    facts: Facts
    demands: list[Demand]
    jobs: list[Stretch]
    studies: list[Stretch]
    skills: list[str]
    only: Annotated[list[str], Field(description="Skills that none of the others has.")]
    flags: list[Flag]


class Step(Answer):
    above: str
    below: str
    difference: float
    telling: list[Difference]


class Comparison(Answer):
    """The best first, and why each stands above the next."""

    job: str
    total: int
    columns: list[Column]
    common: list[str]
    steps: list[Step]


class Segment(Answer):
    kind: str
    text: str


class Side(Answer):
    application: Annotated[str, at("application.id")]
    job: Annotated[str, at("job.id")]
    candidate: Annotated[str, at("name")]
    segments: list[Segment]


class Apart(Answer):
    first: Side
    second: Side
    resemblance: float | None
    words_only_first: int
    words_only_second: int
