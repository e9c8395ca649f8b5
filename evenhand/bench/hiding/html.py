"""Words hidden in web pages."""

from __future__ import annotations

from html import escape

from evenhand.bench.hiding.resumes import Build, Kind, Part, Resume

TAGS = {"name": "h1", "heading": "h2", "text": "p", "bullet": "li"}


def paragraph(part: Part, extra: str = "") -> str:
    tag = TAGS[part.role]
    inner = f"<{tag}>{escape(part.text)}{extra}</{tag}>"
    return f"<ul>{inner}</ul>" if tag == "li" else inner


def page(resume: Resume, fragment: str, *, css: str = "", inline: bool = False) -> bytes:
    """The resume with `fragment` at its place."""
    body = []
    for place, part in enumerate(resume.parts):
        here = fragment if place == resume.place else ""
        body.append(paragraph(part, here) if inline else here + paragraph(part))
    head = f"<meta charset='utf-8'><title>Resume</title><style>{css}</style>"
    return f"<!doctype html><html><head>{head}</head><body>{''.join(body)}</body></html>".encode()


def styled(*styles: str, block: bool = False) -> Build:
    """The words in an element of this style: an attribute in one variant, a rule of the style sheet in the next."""

    def build(resume: Resume) -> bytes:
        style = resume.pick(*styles)
        inline = resume.inline and not block
        tag = "span" if inline else "div"
        text = escape(resume.secret)
        if resume.variant % 3 == 2:
            css = f".x {{ {style} }}"
            return page(resume, f"<{tag} class='x'> {text}</{tag}>", css=css, inline=inline)
        return page(resume, f'<{tag} style="{style}"> {text}</{tag}>', inline=inline)

    return build


def marked(template: str) -> Build:
    """The words at the place of {} in markup of its own."""
    return lambda resume: page(resume, template.replace("{}", escape(resume.secret)))


def superscript(resume: Resume) -> bytes:
    return page(resume, f" <sup>{escape(resume.secret)}</sup>", inline=True)


COVER = (
    "<div style='position:relative'>{}<div style='position:absolute;left:0;top:0;width:100%;height:100%;"
    "background:#fff'></div></div>"
)

KINDS: dict[str, Kind] = {
    "display none": Kind(("hidden_style",), styled("display:none", "display: none !important")),
    "visibility hidden": Kind(("hidden_style",), styled("visibility:hidden", "visibility: collapse")),
    "hidden attribute": Kind(("hidden_style",), marked("<div hidden>{}</div>")),
    "opacity": Kind(("transparent",), styled("opacity:0", "opacity:.01", "filter:opacity(0)")),
    "transparent colour": Kind(("transparent",), styled("color:transparent", "color:rgba(0,0,0,0)")),
    "white": Kind(
        ("background_color",),
        styled("color:#fff", "color:white", "color:rgb(255,255,255)", "color:hsl(0,0%,100%)"),
    ),
    "near white": Kind(("background_color",), styled("color:#fdfdfd", "color:#f5f5f0", "color:#fffff0")),
    "background colour": Kind(
        ("background_color",),
        styled(
            "background:#1f4e79;color:#1f4e79",
            "background-color:#333;color:#343434",
            "color:gold;background:gold",
        ),
    ),
    "tiny": Kind(("tiny",), styled("font-size:1px", "font-size:0", "font:2px serif")),
    "off screen": Kind(
        ("off_page",),
        styled(
            "position:absolute;left:-9999px",
            "position:absolute;top:-5000px",
            "text-indent:-9999px",
            "position:fixed;right:-3000px",
            "margin-left:-9999px",
            block=True,
        ),
    ),
    "clipped": Kind(
        ("clipped",),
        styled(
            "position:absolute;clip:rect(0,0,0,0)",
            "clip-path:inset(100%)",
            "clip-path:circle(0)",
            "position:absolute;width:1px;height:1px;overflow:hidden",
            block=True,
        ),
    ),
    "no height": Kind(
        ("clipped",),
        styled(
            "height:0;overflow:hidden", "max-height:0;overflow:hidden", "width:0;overflow:hidden", block=True
        ),
    ),
    "scaled to nothing": Kind(
        ("tiny", "clipped"), styled("transform:scale(0)", "transform:scale(.01)", block=True)
    ),
    "covered": Kind(("covered",), marked(COVER)),
    "behind": Kind(
        ("covered",),
        marked(
            "<div style='background:#fff;padding:9px'><span style='position:relative;z-index:-1'>{}</span>&nbsp;</div>"
        ),
    ),
}

CONTROLS: dict[str, Build] = {
    "white on a dark bar": styled("background:#1f4e79;color:#fff", "background-color:#000;color:white"),
    "white in a dark cell": marked(
        "<table><tr><td bgcolor='#203040'><font color='#ffffff'>{}</font></td></tr></table>"
    ),
    "white on a picture": styled("background:url(bar.png);color:#fff", block=True),
    "white on a gradient": styled("background:linear-gradient(#123,#456);color:#fff", block=True),
    "light grey": styled("color:#aaaaaa"),
    "small print": styled("font-size:6pt", "font-size:8px"),
    "superscript": superscript,
    "link": marked("<p><a href='https://example.org/'>{}</a></p>"),
    "watermark": styled("color:#d0d0d0;font-size:40pt", "color:#000;opacity:.2", block=True),
    "coloured heading": marked("<h2 style='color:#c00000'>{}</h2>"),
    "shown again": marked("<div style='visibility:hidden'><p style='visibility:visible'>{}</p></div>"),
    "a little aside": styled("position:relative;left:-4px;text-indent:-2px", block=True),
    "scrolling": styled("height:200px;overflow:auto", block=True),
}
