"""The page report.html: one file with the trace, a style and a script; no network, no library.

Scripts and styles come without what is there for readers. No name is changed and no line end is
dropped that may end a statement, so that an error in a browser's console still names what is meant.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hlsmem.check import DesignUnderCheck
from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import LimitError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Verdict
from hlsmem.viewing.instance_columns import accesses_of
from hlsmem.viewing.run_trace import trace_of

# Accesses to planned arrays up to which a run is drawn unasked.
_MOST = 200_000

# A slash before a space divides; before anything else it begins a regular expression.
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<space>\s+)
    |"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/(?!\s)(?:\\.|\[[^\]]*\]|[^/\\\n])+/[a-z]*|[^\s"'/`{}]+|.""",
    re.DOTALL | re.VERBOSE,
)
# Text of a template up to its end or to an expression in it.
_TEMPLATE = re.compile(r"[`}](?:\\.|\$(?!\{)|[^`\\$])*(?:\$\{|`)", re.DOTALL)
_WORD = re.compile(r"[\w$]")


def page_of(document: Mapping[str, Any]) -> str:
    """The page for a document of `trace.trace_of`.

    Text of the design goes in as data alone: the script puts it in place as text.
    """
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=True)
    folder = resource_folder("templates") / "view"
    page, style, *scripts = (
        (folder / name).read_text(encoding="utf-8")
        for name in ("page.html", "page.css", "replay.js", "drawing.js", "page.js")
    )
    parts = {
        "%TITLE%": html.escape(str(document["design"])),
        "%STYLE%": squeezed_style(style),
        "%SCRIPT%": squeezed_script("\n".join(scripts)),
        "%DATA%": text.replace("<", "\\u003c"),
    }
    page = squeezed_lines(page)
    for mark, content in parts.items():
        page = page.replace(mark, content, 1)
    return page


@dataclass(frozen=True, slots=True)
class SmallPage:
    """The page of a run that is not long; else None, and in words why `report.md` has none."""

    html: str | None
    remark: str = ""


def small_page(subject: DesignUnderCheck, verdicts: Sequence[Verdict] = ()) -> SmallPage:
    """The page of a plan, with the verdicts of its checks where there are any."""
    program = subject.program
    if not subject.plan.arrays:
        return SmallPage(None)
    if program is not None and accesses_of(program, list(subject.plan.arrays)) > _MOST:
        return SmallPage(None, "`hlsmem view` draws the run, cell by cell, on a page.")
    try:
        return SmallPage(page_of(trace_of(subject, verdicts=verdicts)))
    except LimitError as error:
        return SmallPage(None, f"No page shows the run: {error.problems[0].what}.")


def squeezed_script(script: str) -> str:
    r"""JavaScript without comments, and without spaces but those that keep tokens apart.

    >>> squeezed_script("let a = 1; // one\n\n  if (a)\n    b += `${a ? `a  b` : ''} c` + +d;\n")
    "let a=1;if(a)\nb+=`${a?`a  b`:''} c`+ +d;"
    """
    found: list[str] = []
    before, gap = "{", ""
    for token, kind in _tokens(script):
        if kind == "space":
            gap = "\n" if "\n" in token + gap else " "
        if kind:
            continue
        if gap == "\n" and before[-1] not in "{;,([" and token[0] not in "})":
            found.append("\n")
        elif gap and _touch(before, token):
            found.append(" ")
        found.append(token)
        before, gap = token, ""
    return "".join(found)


def _tokens(script: str) -> Iterator[tuple[str, str | None]]:
    """Tokens between spaces, quotes, slashes and braces, each with whether it is a comment or
    space; a template is several."""
    at, is_template = 0, list[bool]()
    while at < len(script):
        if script[at] == "`" or (script[at] == "}" and is_template.pop()):
            match = _TEMPLATE.match(script, at)
            if match is not None and match[0].endswith("{"):
                is_template.append(True)
        else:
            match = _TOKEN.match(script, at)
            if script[at] == "{":
                is_template.append(False)
        assert match is not None
        yield match[0], match.lastgroup
        at = match.end()


def _touch(before: str, after: str) -> bool:
    """True if two tokens would be another one side by side."""
    if before[-1] in "+-":
        return before[-1] == after[0]
    return bool(_WORD.match(before[-1]) and _WORD.match(after[0]))


def squeezed_style(style: str) -> str:
    """CSS without spaces around its marks.

    >>> squeezed_style("a { color: red;\\n  margin: 0 auto; }\\n")
    'a{color:red;margin:0 auto;}'
    """
    return re.sub(r"\s*([{};:,])\s*", r"\1", style).strip()


def squeezed_lines(text: str) -> str:
    """Lines without what stands before them, and without empty ones."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
