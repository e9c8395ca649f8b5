"""The certificate of an erasure in plain words: what went, where it went from, what is left and until when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from evenhand.applicants.erasure import GROUNDS
from evenhand.rendering.letter import (
    Block,
    Letter,
    LetterList,
    LetterParagraph,
    LetterSection,
    LetterTable,
    Pairs,
    day,
    moment,
)
from evenhand.text.wording import count

ROWS = {
    "applications": "applications, with status, source and file name",
    "candidates": "candidates, with what they typed into a form",
    "documents": "original files",
    "texts and facts": "texts of resumes with all facts read from them, and their sketches",
    "earlier facts": "earlier versions of these facts",
    "corrections": "corrections of these facts",
    "corrected facts": "facts as corrected for an application",
    "resemblances": "links to nearly the same texts",
    "notes": "notes",
    "tags": "tags",
    "labels": "opinions for learning",
    "flags": "dismissed flags",
    "groups": "group data stated by the person",
    "decision reasons": "reasons of decisions (that something was decided stays, of whom does not)",
    "import files": "names of uploaded files",
    "refusals": "records of failed imports of the same file",
    "searches": "searches in which the person was named",
    "sealed values": "sealed values of the ledger",
    "seals": "pseudonyms in the ledger: they can no longer be linked to anybody",
}
DATABASE = {
    "rewritten": "The database was rewritten and its log emptied: no space of deleted rows remains.",
    "overwritten": "The space of deleted rows was overwritten with zeros, and the database's log emptied.",
    "vacuumed": "The space of deleted rows was freed and will be written over by new ones.",
}
REMAINING = {
    "notes": "Notes about other applicants that name this person: {}. They go when those applicants are erased.",
    "tags": "Tags on other applications that name this person: {}. They go with those applications.",
    "reasons": "Reasons of decisions on others that name this person: {}. They go when those are erased.",
    "flags": "Reasons for dismissing a finding about others that name this person: {}. They go when those are erased.",
    "holds": "Reasons for keeping others on hold that name this person: {}. They go when the hold is lifted.",
    "sources": "Other applications from a source that names this person: {}. It goes with those applications.",
    "refused files": "Other files that failed to import and have this person's name: {}. Their owner is unknown.",
    "watch lists": "Entries of watch lists that name this person: {}. An administrator can remove them.",
    "searches": "Searches with a word of the name that is also an ordinary word: {}. Nobody can tell which was meant.",
    "open sources": "Events of an earlier version that say in the open where the application came from: {}. The record "
    "cannot be changed; it does not say whose application it was.",
}
"""What an erasure leaves, by its name on the certificate, with why."""
STAYS = (
    "That somebody applied, was ranked and decided on stays in the ledger, without anything that leads to a "
    "person. Its hashes still verify.",
    "Files that others sent in with the same content stay with them.",
    "Copies that people exported earlier, such as spreadsheets and printed pages, cannot be reached from here.",
)


def certificate_letter(certificate: Mapping[str, Any]) -> Letter:
    number = int(certificate["applications"])
    return Letter(
        "Certificate of erasure",
        f"{count(number, 'application')} erased",
        Pairs(tuple(_head(certificate))),
        tuple(
            LetterSection(heading, tuple(make(certificate)))
            for heading, make in (
                ("What was erased", _erased),
                ("Backups", _backups),
                ("What stays", lambda _: [LetterList((*STAYS, *remaining_lines(certificate.get("remaining", {}))))]),
                ("How this can be checked", _checking),
            )
        ),
        f"Certificate {certificate['id']}, Evenhand {certificate.get('evenhand', '')}",
    )


def remaining_lines(counts: Mapping[str, int]) -> Iterator[str]:
    yield from (words.format(f"{counts[name]:,}") for name, words in REMAINING.items() if counts.get(name))


def _head(certificate: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Certificate", str(certificate["id"])
    yield "Erased", moment(datetime.fromisoformat(certificate["begun"]))
    finished = certificate.get("finished")
    yield "Finished", moment(datetime.fromisoformat(finished)) if finished else "not yet"
    yield "Ground", GROUNDS.get(certificate["ground"], certificate["ground"])


def _erased(certificate: Mapping[str, Any]) -> Iterator[Block]:
    if not certificate.get("signature"):
        yield LetterParagraph(
            "This erasure was cut off and is not finished: files, index or deleted space may still hold something. It "
            "is finished when Evenhand starts the next time.",
            tone="warn",
        )
    yield LetterParagraph(f"Reason given: {certificate['reason']}")
    yield LetterTable(
        ("what", "how many"),
        tuple((ROWS.get(name, name), f"{number:,}") for name, number in in_order(certificate["rows"])),
        (0.8, 0.2),
        frozenset({1}),
    )
    yield LetterList(tuple(_places(certificate)))


def in_order(rows: Mapping[str, int]) -> list[tuple[str, int]]:
    """As they are listed above."""
    known = list(ROWS)
    return sorted(rows.items(), key=lambda row: known.index(row[0]) if row[0] in known else len(known))


def _places(certificate: Mapping[str, Any]) -> Iterator[str]:
    rows = certificate["rows"]
    files = int(rows.get("documents", 0))
    yield (
        f"{count(files, 'original file')} removed from the disk."
        if files
        else "No file was removed: others came with the same one."
    )
    if "index" in certificate:
        anew = int(certificate["index"]["entries_written_anew"])
        yield (
            "The search index holds nothing of it any more: the entries were overwritten, and "
            f"{count(anew, 'entry', 'entries')} of others rewritten, so that no deleted one is left in its files."
        )
    if "database" in certificate:
        yield DATABASE[certificate["database"]]


def _backups(certificate: Mapping[str, Any]) -> Iterator[Block]:
    backups = certificate["backups"]
    if not backups:
        yield LetterParagraph("No recorded backup still holds it.")
        return
    yield LetterParagraph(
        "These backups still hold it. They are not read for anything else; if one is ever restored, the erasure is "
        "applied again when Evenhand starts."
    )
    yield LetterTable(
        ("backup", "made", "expires"),
        tuple(
            (
                backup["place"],
                day(datetime.fromisoformat(backup["made"])),
                day(datetime.fromisoformat(backup["expires"])) if backup["expires"] else "unknown",
            )
            for backup in backups
        ),
        (0.5, 0.25, 0.25),
    )


def _checking(certificate: Mapping[str, Any]) -> Iterator[Block]:
    if not certificate.get("signature"):
        yield LetterParagraph("It is signed when it is finished.")
        return
    yield LetterParagraph(
        "The certificate is signed (Ed25519) over its data with the key that also signs the record of what happened; "
        "the hash of the signed data is in that record. The data are in the JSON form of this certificate."
    )
    yield Pairs((("Public key", certificate["key"]),))
    yield Pairs((("Signature", certificate["signature"]),))
