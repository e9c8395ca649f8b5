"""An explanation in plain words, every one of them from its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evenhand.records.explanation import Counterfactual, Explanation, FactScore, WordScore
from evenhand.text.wording import join_and, percent

MAX_WORDS, MAX_FACTS = 5, 3
NAMED_SHARE = 0.6  # of all that speaks for a label: words beyond are not named
MIN_STRENGTH = 0.05  # of the strongest side: what is weaker is not worth a word
EXACT, SMALL = 1e-6, 0.0005  # of what scores miss
MAX_LINE_LENGTH = 90
MAX_WORD_LENGTH = 40
_EDGES = " \t.,;:!?()[]{}<>\"'“”‘’«»*•·-–—|/\\_=~`"


@dataclass(frozen=True, slots=True)
class NamedWord:
    """A word in all its occurrences."""

    text: str
    score: float
    times: int


def describe(explanation: Explanation, *, probability: float, is_said: bool) -> list[str]:
    """Sentences in the order in which they are read. `is_said`: whether the model gives the label."""
    label, sure = explanation.target, sureness(probability)
    return [
        f"The model says {label} and gives it a probability of {sure}."
        if is_said
        else f"The model does not say {label}; it gives it a probability of {sure}.",
        *describe_words(explanation, is_said=is_said),
        *describe_change(explanation, is_said=is_said),
    ]


def describe_words(explanation: Explanation, *, is_said: bool) -> list[str]:
    """What counts most comes first: words, or numbers that were mined."""
    facts = list(_facts(explanation))
    words = [_for(explanation, is_said=is_said, is_first=not facts), _against(explanation)]
    positive = [section for section in explanation.sections if section.score > 0]
    if len(explanation.sections) > 1 and positive:
        best = max(positive, key=lambda section: section.score)
        share = best.score / sum(section.score for section in positive)
        words.append(f"The section {best.type} made {percent(share)} of what sections say for it.")
    sentences = [*facts, *words] if facts else [*words, *_beside(explanation)]
    # Where the label was not won by the resume: a model can lean to a label before it has read a word.
    if is_said and explanation.output < explanation.baseline_output:
        against = (
            "All in all this resume speaks against it, but not enough: what it is compared with is given this label "
            "even more clearly."
        )
        return [against, *sentences]
    return sentences


def check_words(explanation: Explanation) -> list[str]:
    """How far to trust it: whether it adds up, and whether its words matter."""
    difference = explanation.output - explanation.baseline_output
    if explanation.converged:
        gap = abs(explanation.delta)
        exactly = " exactly" if gap < EXACT else f" but for {gap:.3f}" if gap >= SMALL else " but for less than 0.001"
        sentences = [f"The scores add up to the difference they explain ({difference:+.2f}){exactly}."]
    else:
        sentences = [
            f"The scores do not add up: they miss the difference they explain ({difference:+.2f}) by "
            f"{explanation.delta:+.2f}. Take them for a rough order at most."
        ]
    if faithfulness := explanation.faithfulness:
        ours, random = faithfulness.comprehensiveness, faithfulness.random_comprehensiveness
        verdict = (
            "the words named here are those that the model goes by."
            if faithfulness.beats_random
            else "the words named here are no better than random ones. Do not rely on them."
        )
        lowers = f"lowers the output by {ours:.2f}, as many random words by {random:.2f}"
        sentences.append(f"Taking out the strongest words {lowers}: {verdict}")
    return sentences


def _facts(explanation: Explanation) -> Iterator[str]:
    """Where they count more than all words together."""
    added = sum(fact.score for fact in explanation.facts)
    words = sum(word.score for word in explanation.words)
    if not explanation.facts or abs(added) <= abs(words):
        return
    strongest = sorted(explanation.facts, key=lambda fact: -abs(fact.score))[:MAX_FACTS]
    parts = ", ".join(f"{fact_name(fact)} {fact.score:+.2f}" for fact in strongest)
    figures = f"({added:+.2f}: {parts}); its words add {words:+.2f}."
    if added > 0:
        yield f"Most of it comes from numbers that were mined from the resume {figures}"
    else:
        yield f"Numbers that were mined from the resume speak against it {figures}"


def fact_name(fact: FactScore) -> str:
    return fact.name.replace("_", " ")


def _for(explanation: Explanation, *, is_said: bool, is_first: bool) -> str:
    words, against = (spoken(explanation.words, sign=sign) for sign in (1, -1))
    if not words:
        return "No word of the resume spoke for it."
    if not is_said and _size(words) < MIN_STRENGTH * _size(against):
        return "Hardly anything spoke for it."
    named, share = _named(words)
    if is_said:
        most = "Mostly because of" if is_first else "Of the words, most for it spoke"
        return f"{most} {listed(named)}, {percent(share)} of what the words say for it."
    return f"For it spoke {listed(named)}."


def _against(explanation: Explanation) -> str:
    words, for_it = (spoken(explanation.words, sign=sign) for sign in (-1, 1))
    if not words:
        return "No word spoke against it."
    if _size(words) < MIN_STRENGTH * _size(for_it):
        return "Hardly anything spoke against it."
    return f"Against it spoke {listed(_named(words)[0])}."


def _size(words: Sequence[NamedWord]) -> float:
    return sum(abs(word.score) for word in words)


def _beside(explanation: Explanation) -> Iterator[str]:
    """What is no word, where it counts less than the words."""
    size = sum(abs(word.score) for word in explanation.words)
    facts = sorted(explanation.facts, key=lambda fact: -abs(fact.score))
    strong = [fact for fact in facts if abs(fact.score) > MIN_STRENGTH * size][:MAX_FACTS]
    if strong:
        parts = ", ".join(f"{fact_name(fact)} {fact.score:+.2f}" for fact in strong)
        yield f"Numbers that were mined from the resume count too: {parts}."
    elif abs(explanation.special) > MIN_STRENGTH * max(size, 1e-9):
        yield (
            f"What the baseline has and the resume lacks, and what is no word of it, adds {explanation.special:+.2f}."
        )


def describe_change(explanation: Explanation, *, is_said: bool) -> Iterator[str]:
    if not is_said:
        return
    change = explanation.change
    kept = " Numbers that were mined from the resume stayed as they were." if explanation.facts else ""
    if change is None:
        yield f"Whichever lines were taken away, the model would still have said {explanation.target}.{kept}"
        return
    number = len(change.lines)
    lines = "this line" if number == 1 else f"these {number} lines"
    quoted = "; ".join(f"“{shortened(line.text, MAX_LINE_LENGTH)}”" for line in change.lines[:3])
    more = f" and {number - 3} more" if number > 3 else ""
    yield f"Without {lines} the model would have said {said_instead(change)}: {quoted}{more}.{kept}"


def said_instead(change: Counterfactual) -> str:
    return " and ".join(change.labels) if change.labels else "no label at all"


def spoken(words: Sequence[WordScore], *, sign: int) -> list[NamedWord]:
    """Words for (1) or against (-1), all occurrences together, the strongest first."""
    named: dict[str, NamedWord] = {}
    for word in words:
        if sign * word.score > 0:
            text = tidy(word.text)
            before = named.get(text.casefold(), NamedWord(text, 0.0, 0))
            named[text.casefold()] = NamedWord(before.text, before.score + word.score, before.times + 1)
    return sorted(named.values(), key=lambda word: -abs(word.score))


def _named(words: Sequence[NamedWord]) -> tuple[list[NamedWord], float]:
    """The strongest that make up enough, and their share."""
    total = sum(word.score for word in words)
    named: list[NamedWord] = []
    share = 0.0
    for word in words[:MAX_WORDS]:
        named.append(word)
        share += word.score / total
        if share >= NAMED_SHARE:
            break
    return named, share


def listed(words: Sequence[NamedWord]) -> str:
    parts = [f"“{word.text}”" + (f" ({word.times} times)" if word.times > 1 else "") for word in words]
    return join_and(parts)


def tidy(word: str) -> str:
    """Without the punctuation around it, but for words of nothing else."""
    return shortened(word.strip(_EDGES) or word, MAX_WORD_LENGTH)


def shortened(text: str, longest: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def sureness(probability: float) -> str:
    """Never 100 % of what is not certain, nor 0 % of what is possible."""
    rounded = round(100 * probability)
    if rounded == 100 and probability < 1:
        return "more than 99%"
    return f"{rounded}%" if rounded or not probability else "less than 1%"
