"""Numbers that look like dates and are not: versions, standards, postcodes, house numbers; and dates of birth."""

from __future__ import annotations

import re

_VERSIONED_WORDS = """
    windows win office server servers studio exchange sharepoint excel outlook powerpoint visio
    infopath onenote autocad acad revit solidworks dynamics biztalk navision quickbooks peachtree
    ecmascript es javascript delphi vs tfs ssis ssrs ssas ssms mssql sql iis iso iec bs en ohsas
    ieee ansi msoffice crm nav ax gp moss wss sbs spss stata incoterms version ver v release edition
    build model vista lync skype tally datacenter msvs os enterprise fy
"""
_VERSIONED = frozenset(_VERSIONED_WORDS.split())
"""Words whose year is a version's name: "SQL Server 2008", "ISO 2000"."""

_VERSIONED_PAIRS = re.compile(
    r"(?:(?:ms|microsoft|m\.s\.)[\s-]?(?:project|word|access|office|exchange|excel)|windows(?:\s(?:server|xp|nt))?|sql[\s-]?server"
    r"|visual\s?studio|share\s?point|exchange\sserver|windows[\w/]+|auto\s?cad|c\+\+|office\ssuite"
    r"|(?:office|windows)[\w\s/,]{0,16}(?:xp|nt|98|95|vista|7|8)[,/ ]{1,3}(?:and )?)[ \xa0(:-]*\Z"
)
_POSTCODE_WORDS = "nsw vic qld tas act nt sa wa pin zip postcode box room apt suite ext id no"
_POSTCODE = frozenset(_POSTCODE_WORDS.split())
_WORD_BEFORE = re.compile(r"([a-z]+)\.?[ \xa0:(-]{0,3}\Z")
_AFTER = re.compile(
    r"\s?(?:\+|r2\b|server\b|(?:users?|employees?|people|customers?|clients?|hours?|hrs|records|units|students|members|servers|units"
    r"|sq|kw|mw|km|kg|rpm|mah|lines|pages|tickets|calls|nodes|devices|desktops|workstations|beds|rs|usd|inr|dollars)\b)"
    r"|[ ](?:[a-z]+\.?[ ]){1,3}(?:street|st\.|road|rd\.?|avenue|ave\.?|drive|lane|blvd|boulevard|court)(?=[,.\n]|\Z)"
)
_CHAIN = re.compile(r"\s?(?:r2)?\s?(?:[,/&+]\s?(?:and|&)?|and|or|to|-)\s?")
_BIRTH = re.compile(
    r"(?:\bd\.?\s?o\.?\s?b\b|birth|\bborn\b|geburt\w*|geboren|nacimiento|nascimento|nascid[oa]|naissance|\bn[ée]e?\sle|\bnato\b)"
    r"(?:\s?(?:date|year|day))?"
    r"\W{0,12}(?:\w{2}\W)?\W{0,12}\Z"
)
_LINK = re.compile(r"(?:://|www\.|\.(?:com|org|net|in)/)\S*\Z")


def is_version(low: str, start: int, end: int) -> bool:
    """Whether the year at [start, end) belongs to a product, a standard, an address or a quantity."""
    if _AFTER.match(low, end):
        return True
    before = low[max(0, start - 24) : start]
    word = _WORD_BEFORE.search(before)
    if word and (word[1] in _VERSIONED or word[1] in _POSTCODE):
        return True
    return bool(_VERSIONED_PAIRS.search(before) or _LINK.search(before))


def is_version_span(low: str, start: int) -> bool:
    """The same for years with a dash: "Stock Exchange 2010 - 2014" is a time, "Windows Server 2008 - 2012" is not."""
    return bool(_VERSIONED_PAIRS.search(low[max(0, start - 24) : start]))


def continues(low: str, version_end: int, start: int) -> bool:
    """Whether a year goes on a list of versions: "2008, 2012 and 2014"."""
    return 0 <= start - version_end <= 8 and _CHAIN.fullmatch(low, version_end, start) is not None


def is_birth(low: str, start: int) -> bool:
    return _BIRTH.search(low[max(0, start - 40) : start]) is not None
