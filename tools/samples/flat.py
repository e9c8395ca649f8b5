"""RTF, HTML and plain text samples."""

from __future__ import annotations

import textwrap
from html import escape

from samples.people import Person


def rtf_text(words: str) -> str:
    def character(letter: str) -> str:
        if letter in "\\{}":
            return "\\" + letter
        return letter if ord(letter) < 128 else f"\\u{ord(letter)}?"

    return "".join(map(character, words))


def rtf(person: Person) -> bytes:
    def line(words: str, control: str = "") -> str:
        return rf"{{\pard {control} {rtf_text(words)}\par}}" + "\n"

    def bullet(words: str) -> str:
        marker = r"{\pntext\u8226?\tab}{\*\pn\pnlvlblt\pnindent240{\pntxtb\u8226?}}"
        return rf"{{\pard\fi-240\li340{marker}\fs21 {rtf_text(words)}\par}}" + "\n"

    def heading(words: str) -> str:
        return line(words, r"\sb240\b\fs26\cf1")

    parts = [line(person.name, r"\b\fs44\cf1"), line(person.title, r"\fs26\cf2")]
    parts += [line(" | ".join(person.contact), r"\fs20\cf2"), heading("Profile"), line(person.profile, r"\fs21")]
    parts.append(heading("Experience"))
    for job in person.jobs:
        parts += [line(f"{job.title}, {job.employer}", r"\sb120\b\fs22"), line(f"{job.place}, {job.dates}", r"\i\fs20")]
        parts += map(bullet, job.duties)
    parts.append(heading("Education"))
    parts += [
        line(f"{entry.dates}: {entry.degree}, {entry.school} ({entry.note})", r"\fs21") for entry in person.studies
    ]
    parts.append(heading("Skills"))
    parts += [line(f"{group}: {skills}", r"\fs21") for group, skills in person.skills]
    parts += [
        heading("Certificates and languages"),
        *map(bullet, person.certificates),
        line(person.languages, r"\fs21"),
    ]
    header = r"{\rtf1\ansi\ansicpg1252\deff0\uc1{\fonttbl{\f0\fswiss Arial;}}"
    colors = r"{\colortbl;\red27\green79\blue114;\red85\green85\blue85;}"
    return (header + colors + "\n" + "".join(parts) + "}").encode("ascii")


HTML_STYLE = """
body { font: 15px/1.5 Georgia, serif; color: #222; max-width: 44em; margin: 2em auto; }
h1 { color: #0b6e4f; margin-bottom: 0; } h2 { color: #0b6e4f; border-bottom: 1px solid #0b6e4f; }
.role, .when { color: #666; } h3 { margin-bottom: 0; } .when { margin-top: 0; font-style: italic; }
"""


def html(person: Person) -> bytes:
    def tag(name: str, words: str, attributes: str = "") -> str:
        return f"<{name}{attributes}>{escape(words)}</{name}>\n"

    parts = [tag("h1", person.name), tag("p", person.title, ' class="role"'), tag("p", " · ".join(person.contact))]
    parts += [tag("h2", "Profile"), tag("p", person.profile), tag("h2", "Experience")]
    for job in person.jobs:
        parts += [tag("h3", f"{job.title}, {job.employer}"), tag("p", f"{job.place}, {job.dates}", ' class="when"')]
        parts += ["<ul>\n", *(tag("li", duty) for duty in job.duties), "</ul>\n"]
    parts.append(tag("h2", "Education"))
    parts += [tag("p", f"{entry.dates}: {entry.degree}, {entry.school}") for entry in person.studies]
    parts += [tag("h2", "Skills"), "<table>\n"]
    parts += [f"<tr>{tag('th', group).strip()}{tag('td', skills).strip()}</tr>\n" for group, skills in person.skills]
    parts += ["</table>\n", tag("h2", "Languages"), tag("p", person.languages)]
    head = f'<meta charset="utf-8">\n<title>{escape(person.name)}</title>\n<style>{HTML_STYLE}</style>\n'
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n{head}</head>\n<body>\n{"".join(parts)}</body>\n</html>\n'
    ).encode()


def plain(person: Person, charset: str, headings: tuple[str, str, str, str]) -> bytes:
    """Seventy columns, underlined headings, a charset that nothing in the file names."""
    experience, education, skills, languages = headings

    def section(words: str) -> list[str]:
        return ["", words.upper(), "-" * len(words)]

    lines = [person.name, person.title, ", ".join(person.contact), "", *textwrap.wrap(person.profile, 70)]
    lines += section(experience)
    for job in person.jobs:
        lines += ["", job.dates, f"{job.title}, {job.employer}, {job.place}"]
        for duty in job.duties:
            lines += textwrap.wrap(duty, 70, initial_indent="- ", subsequent_indent="  ")
    lines += [*section(education), *(f"{entry.dates}: {entry.degree}, {entry.school}" for entry in person.studies)]
    lines += section(skills) + [line for _, listed in person.skills for line in textwrap.wrap(listed, 70)]
    lines += [*section(languages), person.languages]
    return ("\r\n".join(lines) + "\r\n").encode(charset)
