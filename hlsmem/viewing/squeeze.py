"""Scripts and styles without what is there for readers: comments, indentation, spaces.

No name is changed and no line end is dropped that may end a statement, so that an error in a
browser's console still names what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# A slash before a space divides; before anything else it begins a regular expression.
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<space>\s+)
    |"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/(?!\s)(?:\\.|\[[^\]]*\]|[^/\\\n])+/[a-z]*|[^\s"'/`{}]+|.""",
    re.DOTALL | re.VERBOSE,
)
# Text of a template up to its end or to an expression in it.
_TEMPLATE = re.compile(r"[`}](?:\\.|\$(?!\{)|[^`\\$])*(?:\$\{|`)", re.DOTALL)
_WORD = re.compile(r"[\w$]")


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
