"""Text boxes into reading order; words that a converter put into boxes of their own become lines again."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from evenhand.documents.office.blocks import Block, Frame, Paragraph, Span
from evenhand.documents.office.boxes import Rect, reading_order

PlacedFrame: TypeAlias = tuple[Rect | None, Frame]
Word: TypeAlias = tuple[Rect, Paragraph]
BLANK_LINE = 14.0  # points
FEW_WORDS = 3  # boxes of one line each, below which they are captions and not a shattered text
TALLEST_LINE = 40.0  # points
SAME_LINE = 0.5  # of the height, between the middles of two boxes
WIDEST_GAP = 3.0  # of the height, between words of one line
MEAN_WIDTH = 0.5  # of the size, for one character
BLANK_GAP = 0.8  # of the size, from where two boxes are two words


def arrange(items: list[PlacedFrame]) -> list[Block]:
    """The frames as a person reads them; one whose place is unknown keeps its turn and parts the others."""
    blocks: list[Block] = []
    placed: list[PlacedFrame] = []
    for rect, frame in items:
        if rect is None:
            blocks.extend([*_arrange(placed), frame])
            placed = []
        else:
            placed.append((rect, frame))
    return [*blocks, *_arrange(placed)]


def lowered(items: list[PlacedFrame], lines: int) -> list[PlacedFrame]:
    """Places that hang on a blank line, seen from the first of several."""
    return [
        (replace(rect, y=rect.y + lines * BLANK_LINE) if rect is not None and rect.floating else rect, frame)
        for rect, frame in items
    ]


def _arrange(items: list[PlacedFrame]) -> list[Block]:
    words: list[Word] = []
    others: list[PlacedFrame] = []
    for rect, frame in items:
        word = _word(frame) if rect is not None and rect.height <= TALLEST_LINE else None
        if rect is not None and word is not None:
            words.append((rect, word))
        else:
            others.append((rect, frame))
    if len(words) < FEW_WORDS:
        return list(reading_order(items))
    lines = [line for row in _rows(words) for line in _chains(row)]
    return list(reading_order([*others, *((rect, Frame([line])) for rect, line in lines)]))


def single_line(blocks: list[Block]) -> list[Span] | None:
    """The spans of blocks that together are one line or none; None when there is more."""
    filled = [block for block in blocks if not isinstance(block, Paragraph) or block.has_text()]
    hidden = any(isinstance(block, Paragraph) and any(s.hidden for s in block.spans) for block in blocks)
    if hidden or len(filled) > 1:
        return None
    if not filled:
        return []
    only = filled[0]
    if isinstance(only, Frame):
        return single_line(only.blocks)
    if not isinstance(only, Paragraph) or only.marker or any("\n" in span.text for span in only.spans):
        return None
    return only.spans


def _word(frame: Frame) -> Paragraph | None:
    """The only line of a frame."""
    block = frame.blocks[0] if len(frame.blocks) == 1 else None
    if not isinstance(block, Paragraph) or block.marker or any("\n" in span.text for span in block.spans):
        return None
    return block


def _rows(words: list[Word]) -> list[list[Word]]:
    rows: list[list[Word]] = []
    for rect, block in sorted(words, key=lambda word: word[0].y + word[0].height / 2):
        middle = rect.y + rect.height / 2
        if rows:
            first = rows[-1][0][0]
            if middle - (first.y + first.height / 2) < SAME_LINE * min(rect.height, first.height):
                rows[-1].append((rect, block))
                continue
        rows.append([(rect, block)])
    return rows


def _chains(row: list[Word]) -> list[Word]:
    """One line per run of neighbouring words; a wide gap parts columns."""
    chains: list[Word] = []
    end = float("-inf")  # where the text so far should end: boxes are often drawn wider than their text
    for rect, word in sorted(row, key=lambda pair: pair[0].x):
        if not chains or rect.x - end > WIDEST_GAP * rect.height:
            chains.append((rect, word))
        else:
            whole, line = chains[-1]
            size = word.spans[0].look.size if word.spans and word.spans[0].look.size else rect.height * 0.7
            if rect.x - end > BLANK_GAP * size and line.spans:
                line.spans.append(Span(" ", line.spans[-1].look, line.page))
            line.spans.extend(word.spans)
            right = max(whole.right, rect.right)
            chains[-1] = (Rect(whole.x, whole.y, right - whole.x, whole.height, whole.floating), line)
        end = max(end, rect.x + _text_width(word, rect))
    return chains


def _text_width(word: Paragraph, rect: Rect) -> float:
    estimate = sum(len(span.text) * (span.look.size or 10.0) * MEAN_WIDTH for span in word.spans)
    return min(estimate, rect.width)
