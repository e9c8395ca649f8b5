"""One resume or a batch to Profiles: bad input is an answer, never the end."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

import evenhand
from evenhand.errors import UsageError
from evenhand.mining.pipeline import MinedResume, mine, mine_many, mine_with_documents, month_of
from evenhand.records import canonical_json
from evenhand.settings import Settings
from tests.lab.training.documents import plain_document

SAMPLES = Path(str(files("evenhand") / "samples"))
AS_OF = "2026-10"
WRONG = ["", "2026", "2026-13", "2026-00", "26-10", "2026-1", "2026-10-01", "now", "20２６-10"]


def test_package_offers_mine() -> None:
    assert evenhand.mine is mine
    assert evenhand.mine_many is mine_many


def test_a_path_its_bytes_and_its_document_give_the_same_facts() -> None:
    path = SAMPLES / "accountant.rtf"
    from_path = mine(path, as_of=AS_OF)
    assert from_path.name is not None
    assert from_path.name.value == "Priya Halvorsen"
    assert mine(evenhand.read(path), as_of=AS_OF) == from_path
    from_bytes = mine(path.read_bytes(), as_of=AS_OF)
    assert (from_bytes.positions, from_bytes.skills) == (from_path.positions, from_path.skills)
    assert from_bytes.document.file is None


def test_present_is_this_month_unless_it_is_given() -> None:
    this_month = {datetime.now(UTC).astimezone().strftime("%Y-%m") for _ in range(2)}
    assert month_of(None) in this_month
    assert month_of("2026-10") == "2026-10"


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_month_is_told(wrong: str) -> None:
    with pytest.raises(UsageError, match='The month that "present" means is given like 2026-10, not'):
        mine(b"Ada Example", as_of=wrong)
    with pytest.raises(UsageError):
        next(mine_many([], as_of=wrong))


def test_mine_raises_for_a_path_that_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        mine(tmp_path / "missing.pdf")


def test_a_file_that_cannot_be_read_has_no_facts_and_says_why() -> None:
    profile = mine(SAMPLES / "password.pdf", as_of=AS_OF)
    assert profile.document.error is not None
    assert profile.document.error.code == "encrypted_document"
    assert (profile.name, profile.positions, profile.skills, profile.total_months) == (None, (), (), None)


def test_a_batch_gives_a_profile_each_in_order_and_the_bytes_of_single_ones() -> None:
    names = ["accountant.rtf", "password.pdf", "missing.pdf", "data-engineer.pdf", "ksiegowa.txt"]
    paths = [SAMPLES / name for name in names]
    profiles = list(mine_many(paths, as_of=AS_OF, workers=2))
    assert [Path(profile.document.file or "").name for profile in profiles] == names
    codes = [profile.document.error and profile.document.error.code for profile in profiles]
    assert codes == [None, "encrypted_document", "unreadable_file", None, None]
    for path, profile in zip(paths, profiles, strict=True):
        if path.exists():
            single = mine(path, as_of=AS_OF)
            assert canonical_json(single.to_json()) == canonical_json(profile.to_json())


def test_documents_that_were_read_before_are_mined_as_they_are() -> None:
    documents = [plain_document(f"Ada Example\nEngineer at Works {number}", f"{number}.txt") for number in range(6)]
    mined = list(mine_with_documents(documents, as_of=AS_OF, workers=2))
    assert [each.document for each in mined] == documents
    assert [each.profile.document.file for each in mined] == [document.file for document in documents]
    assert not any(each.is_failed for each in mined)


def test_a_batch_that_is_left_early_ends() -> None:
    batch = mine_with_documents([plain_document(f"Ada {number}") for number in range(100)], workers=2)
    assert isinstance(next(batch), MinedResume)
    batch.close()


def test_only_the_beginning_of_a_very_long_text_is_mined() -> None:
    text = "Ada Example\nada@example.com\n" + "Built engines.\n" * 50 + "late@example.com"
    for profile in (
        mine(plain_document(text), settings=Settings(mined_characters=200)),
        next(mine_many([plain_document(text)], settings=Settings(mined_characters=200))),
    ):
        assert [fact.value for fact in profile.emails] == ["ada@example.com"]
        assert [warning.code for warning in profile.warnings] == ["mined_in_part"]
    whole = mine(plain_document(text))
    assert [fact.value for fact in whole.emails] == ["ada@example.com", "late@example.com"]
