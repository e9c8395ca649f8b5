"""Characters as a reader would type them, and warnings only where someone plays tricks."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.documents.characters import Cleaner, find_invisible, normalise


def codes(*lines: str) -> list[str]:
    return [warning.code for warning in Cleaner(lines).warnings()]


def clean(*lines: str) -> list[str]:
    cleaner = Cleaner(lines)
    return [cleaner.clean(line) for line in lines]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("ﬁnance oﬃce ﬂow", "finance office flow"),
        ("Ｐｙｔｈｏｎ３", "Python3"),
        ("𝐏𝐲𝐭𝐡𝐨𝐧 𝟛", "Python 3"),
        ("Ⓙⓐⓥⓐ Ⅳ", "Java IV"),
        ("ᴘʏᴛʜᴏɴ", "python"),
        ("co\u00adoperate", "cooperate"),
        ("5\u00a0years\u202fof\u2003work\u3000", "5 years of work"),
        ("non\u2011stop", "non-stop"),
        ("Py\u200bth\ufeffon\u2060", "Python"),
        ("\u202a+1 555 0100\u202c", "+1 555 0100"),
        ("a\x00b\x07c\td\x85e", "abc\td e"),
        ("broken \ufffd sign", "broken  sign"),
        ("e\u0301", "é"),
        ("\uf0b7 Item", "• Item"),
        ("\uf0a7 Item", "▪ Item"),
        ("\uf0d8 Item", "➢ Item"),
        ("\uf0fc Done", "✓ Done"),
        ("\uf095 +1 555 0100", "+1 555 0100"),
        ("\uf09b github", "github"),
        ("\U000f01f0 mail", "mail"),
        ("tag\U000e0041\U000e0042ged", "tagged"),
    ],
)
def test_normal_forms(raw: str, expected: str) -> None:
    assert normalise(raw) == expected


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",
        "क्\u200dष",
        "👨\u200d👩\u200d👧 ❤\ufe0f",
        "عربي",
        "中文简历，经验：５年".replace("５", "5"),
        "日本語ー",
        "Ελληνικά",
        "naïve café",
        "№ 5 ™ ½",
    ],
)
def test_genuine_text_is_left_alone(text: str) -> None:
    assert clean(text) == [text]
    assert codes(text) == []


@given(st.text())
def test_normalising_twice_changes_nothing(raw: str) -> None:
    once = normalise(raw)
    assert normalise(once) == once


@given(st.text())
def test_no_control_characters_come_out(raw: str) -> None:
    text = normalise(raw)
    assert not [c for c in text if unicodedata.category(c) in ("Cc", "Cs", "Co") and c != "\t"]
    assert "\ufffd" not in text


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_printable_ascii_is_untouched(text: str) -> None:
    assert normalise(text) == text
    assert clean(text) == [text]


@given(st.lists(st.text()))
def test_cleaning_twice_changes_nothing(lines: list[str]) -> None:
    once = clean(*lines)
    assert clean(*once) == once


@pytest.mark.parametrize(
    "line",
    [
        "P\u200by\u200bt\u200bhon developer",
        "abc\u202egnp.exe",
        "Ja\u200bva and Py\u200bthon and Ku\u200bbernetes",
        "hello" + "".join(chr(0xE0000 + ord(c)) for c in "hire me"),
    ],
)
def test_invisible_characters_inside_words_are_warned_of(line: str) -> None:
    assert codes(line) == ["invisible_characters"]


@pytest.mark.parametrize(
    "line",
    [
        "\ufeffJane Example\u200b",
        "one\u200b two \u200bthree \u200bfour\u200b five",
        "co\u00adop\u00ader\u00adate hy\u00adphen\u00adate",
        "Na\u200bme once",
        "\u200fשלום\u200e עולם \u200fabc\u200e",
        "\u202bمرحبا 123\u202c",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f England",
    ],
)
def test_what_editors_leave_behind_is_no_trick(line: str) -> None:
    assert codes(line) == []


def test_invisible_characters_are_counted() -> None:
    assert find_invisible("plain") == 0
    assert find_invisible("Ja\u200bva") == 1
    assert find_invisible("Ja\u200bva Py\u2060thon") == 2


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Рythоn", "Python"),
        ("Jαvα", "Java"),
        ("Κubernetes", "Kubernetes"),
        ("РНР", "PHP"),
        ("ꓙava", "Java"),
        ("Sոow", "Snow"),
    ],
)
def test_disguised_words_are_read_as_latin_and_warned_of(raw: str, expected: str) -> None:
    assert clean("Skills in English", raw)[1] == expected
    assert codes("Skills in English", raw) == ["mixed_script"]


@pytest.mark.parametrize(
    "line", ["5 µm and 3 μm", "β-blocker", "α-Synuclein", "TNFα", "1С", "Δt", "10 kΩ", "σ = 3", "IT-компания"]
)
def test_signs_of_science_are_no_disguise(line: str) -> None:
    assert clean(line) == [line]
    assert codes(line) == []


def test_russian_words_of_twins_stay_russian_in_a_russian_text() -> None:
    lines = ["Опыт работы в компании", "нет, там он сам", "СССР РНР"]
    assert clean(*lines) == lines
    assert codes(*lines) == []


def test_slips_of_a_russian_keyboard() -> None:
    lines = ["Опыт работы: Сisco", "Hе мoгу", "С++ и С#"]
    assert clean(*lines) == ["Опыт работы: Cisco", "Не могу", "C++ и C#"]
    assert codes(*lines) == []
