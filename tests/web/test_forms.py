"""Every field of every form on our pages is one that its route takes: one that it does not take is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from fastapi.routing import APIRoute, iter_route_contexts

from evenhand.web.app import _checked_routes
from evenhand.web.parameters import _accepted

TEMPLATES = Path(str(resources.files("evenhand"))) / "web" / "templates"
FORM = re.compile(r"<form\b(?P<head>[^>]*?(?:\{\{.*?\}\}[^>]*?)*)>(?P<fields>.*?)</form>", re.DOTALL)
FIELD = re.compile(r"<(?:input|select|textarea|button)\b[^>]*?\bname=\"([a-z_]+)\"")
MACRO = re.compile(r"\{% macro (\w+)\(.*?\) %\}(.*?)\{% endmacro %\}", re.DOTALL)
ROUTES = [
    (found.methods or set(), str(found.path), _accepted(found.original_route))
    for found in iter_route_contexts(_checked_routes())
    if isinstance(found.original_route, APIRoute)
]


def forms() -> Iterator[tuple[str, str, str, frozenset[str]]]:
    """Template, method, pattern of the addresses it is sent to, names of its fields."""
    for template in sorted(TEMPLATES.rglob("*.html")):
        text = template.read_text()
        macros = dict(MACRO.findall(text))
        for form in FORM.finditer(text):
            action = re.search(r'\baction="([^"]*)"', form["head"])
            method = "POST" if 'method="post"' in form["head"] else "GET"
            fields = form["fields"]
            for _ in range(2):  # macros of macros
                for name, body in macros.items():
                    fields = fields.replace(f"{{{{ {name}() }}}}", body)
            if action and (names := frozenset(FIELD.findall(fields))):
                literal = re.split(r"\{\{.*?\}\}|\{%.*?%\}", action[1].partition("?")[0])
                address = ".*".join(re.escape(part) for part in literal)
                yield str(template.relative_to(TEMPLATES)), method, address, names


@pytest.mark.parametrize(("template", "method", "address", "names"), list(forms()))
def test_every_field_is_taken(template: str, method: str, address: str, names: frozenset[str]) -> None:
    routes = [accepted for methods, path, accepted in ROUTES if method in methods and re.fullmatch(address, path)]
    assert routes, f"{template}: no route is like {address}"
    known = [accepted.form if method == "POST" else accepted.query for accepted in routes]
    unknown = [sorted(names - set(names if some is None else some)) for some in known]
    assert [] in unknown, f"{template}: not taken by {address}: {unknown}"
