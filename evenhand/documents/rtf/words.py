"""Which control words print a character, and which groups are shown, skipped or kept for later."""

from __future__ import annotations

CHARACTERS = {
    b"tab": "\t",
    b"line": "\n",
    b"lbr": "\n",
    b"softline": "\n",
    b"column": "\n",
    b"emdash": "—",
    b"endash": "–",
    b"emspace": "\u2003",
    b"enspace": "\u2002",
    b"qmspace": "\u2005",
    b"bullet": "•",
    b"lquote": "‘",
    b"rquote": "’",
    b"ldblquote": "“",
    b"rdblquote": "”",
    b"zwj": "\u200d",
    b"zwnj": "\u200c",
    b"zwbo": "\u200b",
    b"zwnbo": "\u2060",
    b"ltrmark": "\u200e",
    b"rtlmark": "\u200f",
}
SIGNS = {b"~": "\u00a0", b"_": "\u2011", b"-": "\u00ad", b"{": "{", b"}": "}", b"\\": "\\", b"\t": "\t"}

# Groups whose text goes somewhere else than into the running text.
FURNITURE = {
    b"header": "header",
    b"headerl": "header",
    b"headerr": "header",
    b"headerf": "header",
    b"footer": "footer",
    b"footerl": "footer",
    b"footerr": "footer",
    b"footerf": "footer",
    b"footnote": "note",
}
# Kept as text for the machine: tables of fonts and colours, list markers, field codes, shape properties.
CAPTURED = frozenset(
    (b"fonttbl", b"colortbl", b"listtext", b"pntext", b"fldinst", b"sn", b"sv", b"template", b"background")
)
# Shown although marked as destinations an old reader may ignore.
SHOWN = frozenset(
    (b"shpinst", b"shpgrp", b"ud", b"do", b"dptxbxtext", b"nesttableprops", b"moMath", b"moMathPara")
)
# Never shown: data, properties, and the fallbacks of what is shown elsewhere.
SKIPPED_LIST = b"""
    stylesheet info pict objdata objclass objname datafield listtable listoverridetable revtbl rsidtbl
    generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl private1 bkmkstart
    bkmkend xe tc tcn rxe txe nonshppict shprslt nonesttables annotation atnid atnauthor atntime atnicn
    atnref atrfstart atrfend atndate atnparent pgdsctbl ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn
    pnseclvl pn formfield title subject author manager company operator category keywords comment doccomm
    hlinkbase docvar userprops creatim revtim printim buptim fontemb fontfile falt panose fname mmathPr
    picprop wgrffmtfilter passwordhash protusertbl ebcstart ebcend pxe ixe hsv htmltag mhtmltag oldcprops
    oldpprops oldsprops oldtprops
"""
SKIPPED = frozenset(SKIPPED_LIST.split())
