"""Flags a screener sees, from the warnings of reading and mining."""

from __future__ import annotations

from evenhand.records.document import Failure, Warning
from evenhand.records.profile import Profile, Source
from evenhand.records.ranking import Flag
from evenhand.search.matching import resume_flags


def profile(
    *warnings: Warning, status: str = "parsed", error: Failure | None = None, mined: tuple[Warning, ...] = ()
) -> Profile:
    return Profile(Source("a.pdf", "0" * 64, "pdf", 1, status, warnings, error), "2024-01", warnings=mined)


def test_warnings_in_order_of_weight() -> None:
    found = resume_flags(
        profile(
            Warning("low_text", "Very little text was found."),
            Warning("active_content", "The file carries a macro; nothing was run or fetched."),
            Warning("hidden_text", "12 words a reader does not see were set apart (tiny)."),
            mined=(Warning("mining_failed", "There are no facts."), Warning("dates_reversed", "2010 to 2008")),
        )
    )
    assert found == (
        Flag("hidden_text", "12 words a reader does not see were set apart (tiny)."),
        Flag("active_content", "The file carries a macro; nothing was run or fetched."),
        Flag("badly_read", "Very little text was found."),
        Flag("mining_failed", "There are no facts."),
    )


def test_a_resume_read_in_part_says_so_once() -> None:
    assert resume_flags(profile(status="partial")) == (Flag("badly_read", "Only part of the file could be read."),)
    warning = Warning("truncated", "More pages than the limit.")
    assert resume_flags(profile(warning, warning, status="partial")) == (
        Flag("badly_read", "More pages than the limit."),
    )


def test_an_unread_file_gives_its_reason() -> None:
    failure = Failure("corrupt_document", "The file is damaged and could not be read.")
    assert resume_flags(profile(status="error", error=failure)) == (
        Flag("badly_read", "The file is damaged and could not be read."),
    )


def test_a_clean_resume_has_none() -> None:
    assert resume_flags(profile()) == ()
