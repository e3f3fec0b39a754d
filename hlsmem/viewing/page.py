"""The page report.html: one file with the trace, a style and a script; no network, no library."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import Any

from hlsmem.core.data_files import resource_folder
from hlsmem.viewing.squeeze import squeezed_lines, squeezed_script, squeezed_style


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
