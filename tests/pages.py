"""Pages of the repository as texts: their blocks, words and links, and what they show."""

from __future__ import annotations

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"
# A block whose text has fences of its own stands between longer ones.
_FENCE = re.compile(
    r"^(?P<fence>`{3,})(?P<language>\w*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL
)


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page in their order, each as (language, text)."""
    return [(one["language"], one["text"]) for one in _FENCE.finditer(page.read_text("utf-8"))]


def prose(page: Path) -> str:
    """The text of a page without its fenced blocks."""
    return _FENCE.sub("", page.read_text("utf-8"))


def links(page: Path) -> list[str]:
    """Links of a page within the repository, as they are written, anchors included."""
    return [one for one in re.findall(r"\]\(([^)\s]+)\)", prose(page)) if ":" not in one]


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)", prose(page), re.M)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def show(page: Path, name: str, content: str) -> None:
    """Hold that a page shows `content` between comments of a name; HLSMEM_REFRESH writes it."""
    text = page.read_text(encoding="utf-8")
    block = f"<!-- {name} -->\n{content}\n<!-- /{name} -->"
    fresh = re.sub(rf"<!-- {name} -->.*<!-- /{name} -->", lambda _: block, text, flags=re.S)
    assert block in fresh
    if _anywhere(fresh) == _anywhere(text):
        return
    if os.environ.get("HLSMEM_REFRESH"):
        page.write_text(fresh, encoding="utf-8")
    assert fresh == text


def _anywhere(text: str) -> str:
    """The text without what depends on whether Yosys is there, and how wide that makes a table."""
    text = re.sub(r"(\(Icarus [\d.]+\)); [^|]*", r"\1 ", text)
    return re.sub(r"-{2,}", "--", re.sub(r" +", " ", text))
