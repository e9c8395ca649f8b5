"""What a test reads off the screening page, as a browser would."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi.testclient import TestClient
from selectolax.lexbor import LexborHTMLParser, LexborNode

FRAGMENT = {"x-evenhand-fragment": "list"}
JSON = {"accept": "application/json"}


@dataclass(frozen=True)
class ListPage:
    html: str
    tree: LexborHTMLParser

    @classmethod
    def of(cls, html: str) -> ListPage:
        return cls(html, LexborHTMLParser(html))

    @classmethod
    def at(cls, client: TestClient, address: str, **headers: str) -> ListPage:
        answer = client.get(address, headers=headers)
        assert answer.status_code == 200, answer.text
        return cls.of(answer.text)

    def all(self, selector: str) -> list[LexborNode]:
        return list(self.tree.css(selector))

    def one(self, selector: str) -> LexborNode:
        [found] = self.all(selector)
        return found

    def words(self, selector: str) -> list[str]:
        return [words_of(node) for node in self.all(selector)]

    @property
    def names(self) -> list[str]:
        return [value(card, "data-name") for card in self.all("article.card")]

    @property
    def first_names(self) -> list[str]:
        return sorted(name.split()[0] for name in self.names)

    @property
    def ids(self) -> list[str]:
        return [value(card, "data-application") for card in self.all("article.card")]

    @property
    def headline(self) -> str:
        return words_of(self.one(".listhead h2"))

    @property
    def seen(self) -> int:
        return int(value(self.one("#list"), "data-seen"))

    @property
    def counters(self) -> dict[str, int]:
        return {value(node, "data-count-of"): int(words_of(node.css_first("b"))) for node in self.all(".counter")}

    @property
    def statuses(self) -> dict[str, str]:
        return {value(card, "data-name").split()[0]: value(card, "data-status") for card in self.all("article.card")}

    def counts(self, facet: str) -> dict[str, int]:
        """By the value that would be sent."""
        return {
            value(box, "value"): int(words_of(parent_of(box).css_first(".tick-count")).replace(",", ""))
            for box in self.all(f"#facets input[name={facet}]")
        }


def words_of(node: LexborNode | None) -> str:
    assert node is not None
    return " ".join(node.text().split())


def value(node: LexborNode, name: str) -> str:
    found = node.attributes.get(name)
    assert found is not None, name
    return found


def parent_of(node: LexborNode) -> LexborNode:
    assert node.parent is not None
    return node.parent
