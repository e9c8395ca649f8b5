"""How to reach the owner of a resume: e-mail addresses, telephone numbers and links, each with its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.mining.contact.emails import find_emails
from evenhand.mining.contact.links import find_links
from evenhand.mining.contact.phones import find_phones
from evenhand.mining.contact.places import Places
from evenhand.records.document import Line
from evenhand.records.profile import Fact


@dataclass(frozen=True, slots=True)
class Contacts:
    emails: tuple[Fact, ...]
    phones: tuple[Fact, ...]
    links: tuple[Fact, ...]


def find_contacts(text: str, lines: Sequence[Line]) -> Contacts:
    places = Places(text, lines)
    emails = find_emails(places)
    return Contacts(tuple(emails), tuple(find_phones(places)), tuple(find_links(places, emails)))


__all__ = ["Contacts", "find_contacts"]
