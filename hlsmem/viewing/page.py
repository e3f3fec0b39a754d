"""The page report.html: one file with the trace, a style and a script; no network, no library."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import Any

from hlsmem.resources import resource_folder


def page_of(document: Mapping[str, Any]) -> str:
    """The page for a document of `trace.trace_of`.

    Text of the design goes in as data alone: the script puts it in place as text.
    """
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=True)
    folder = resource_folder("templates") / "view"
    page, style, script = (
        _squeezed((folder / name).read_text(encoding="utf-8"))
        for name in ("page.html", "page.css", "page.js")
    )
    parts = {
        "%TITLE%": html.escape(str(document["design"])),
        "%STYLE%": style,
        "%SCRIPT%": script,
        "%DATA%": text.replace("<", "\\u003c"),
    }
    for mark, content in parts.items():
        page = page.replace(mark, content, 1)
    return page


def _squeezed(text: str) -> str:
    """Lines without what stands before them and without those that are comments."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"
