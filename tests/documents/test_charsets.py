"""Text in the charsets resumes come in, without anyone saying which."""

from __future__ import annotations

import codecs

import pytest

from evenhand.documents.charsets import code_page, decode, guess, known_codec

WESTERN = "Résumé of José Müller — Senior Engineer\n• “Reporting” tools, Société Générale, Zürich\n"
RUSSIAN = "Резюме. Иван Петрович, ведущий инженер.\nОпыт работы: Москва, 2010-2015. Python, SQL\n"
GREEK = "Βιογραφικό σημείωμα\nμηχανικός λογισμικού στην Αθήνα. Άριστα. Python, SQL\n"
CZECH = "Životopis: Jiří Dvořák, Praha. Zkušenosti s řízením týmů a školením uživatelů\n"
TURKISH = "Özgeçmiş: Yazılım mühendisi, İstanbul. Ağ güvenliği, eğitim, müşteri ilişkileri\n"
CHINESE = "个人简历\n姓名：王小明\n工作经历：2010年至2015年在北京某软件公司担任高级工程师，负责数据库设计。\n"
JAPANESE = "履歴書\n氏名：山田太郎\n2010年から東京のソフトウェア会社でエンジニアとして勤務しました。\n"
KOREAN = "이력서\n성명: 김철수\n2010년부터 서울의 소프트웨어 회사에서 근무했습니다.\n"
ARABIC = "السيرة الذاتية\nمهندس برمجيات في القاهرة مع خبرة عشر سنوات\n"
HEBREW = "קורות חיים\nמהנדס תוכנה בתל אביב עם ניסיון של עשר שנים\n"


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        (WESTERN, "cp1252"),
        (WESTERN, "mac_roman"),
        (CZECH, "cp1250"),
        (TURKISH, "cp1254"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "cp866"),
        (GREEK, "iso-8859-7"),
        (GREEK, "cp1253"),
        (CHINESE, "gb18030"),
        (CHINESE.replace("软", "軟"), "gbk"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (ARABIC, "cp1256"),
        (HEBREW, "cp1255"),
    ],
)
def test_legacy_charsets_are_guessed(text: str, charset: str) -> None:
    assert decode(text.encode(charset)) == text


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-8"])
@pytest.mark.parametrize("text", [WESTERN, RUSSIAN, "Plain English text, 5 lines\n"])
def test_unicode_without_a_mark(text: str, charset: str) -> None:
    assert decode(text.encode(charset)) == text


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "utf-32"])
def test_unicode_with_a_mark(charset: str) -> None:
    assert decode(CHINESE.encode(charset)) == CHINESE


def test_one_broken_byte_does_not_change_the_charset() -> None:
    data = (RUSSIAN * 5).encode()
    assert decode(data[:400] + b"\xff" + data[400:]).count("\ufffd") == 1


def test_a_single_accent_in_english_text() -> None:
    assert decode(b"I worked at a caf\xe9 in Paris and speak French") == "I worked at a café in Paris and speak French"
    assert guess(b"10 years\x92 experience \x96 all in sales") == "cp1252"


def test_a_declared_charset_is_believed_unless_the_text_is_utf_8() -> None:
    assert decode("Привет".encode("iso-8859-5"), "iso8859-5") == "Привет"
    assert decode("Привет".encode(), "iso8859-5") == "Привет"


def test_names_of_charsets() -> None:
    assert known_codec("ISO-8859-1") == "cp1252"
    assert known_codec("gb2312") == "gb18030"
    assert known_codec("rot13") is None
    assert known_codec("no-such-thing") is None
    assert code_page(1251) == "cp1251"
    assert code_page(10000) == "mac-roman"
    assert code_page(99999) == "cp1252"
    assert codecs.lookup(code_page(932)).name == "cp932"
