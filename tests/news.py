"""Fragments of the changelog: `make lint` looks at them, `make news` joins them at a release."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from hlsmem.core.errors import Problem
from hlsmem.core.source_location import SourceLocation
from hlsmem.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
FRAGMENTS = ROOT / "docs" / "news"
KINDS = ("added", "changed", "fixed", "removed")
MOST_WORDS = 25


def fragments(folder: Path) -> list[Path]:
    """The fragments in a folder by name."""
    return sorted(path for path in folder.iterdir() if path.name != "README.md")


def problems(folder: Path) -> Iterator[Problem]:
    """What is wrong with fragments, each with file and line."""
    for path in fragments(folder):
        name = re.fullmatch(rf"[\w-]+\.({'|'.join(KINDS)})\.md", path.name)
        if name is None:
            yield _problem(
                path, 1, "this is no name of a fragment", f"name it NAME.({'|'.join(KINDS)}).md"
            )
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        if not lines or not lines[0].strip():
            yield _problem(path, 1, "it says nothing", "write one sentence")
            continue
        words = len(lines[0].split())
        if words > MOST_WORDS:
            yield _problem(path, 1, f"it has {words} words", f"use at most {MOST_WORDS}")
        if re.match(r"[-*#] ", lines[0]) or not lines[0].endswith("."):
            yield _problem(
                path, 1, "it is no sentence", "write it without a bullet, with a full stop"
            )
        if len(lines) > 1:
            yield _problem(path, 2, "it has a second line", "write one sentence on one line")


def _problem(path: Path, line: int, what: str, remedy: str) -> Problem:
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return Problem(what, remedy, SourceLocation(file=str(shown), line=line, column=1))


def joined(changelog: str, folder: Path, version: str) -> str:
    """The changelog with the fragments of a folder as the news of a version, the newest first."""
    if f"\n## {version}\n" in changelog:
        raise ValueError(f"CHANGELOG.md has news of {version}; raise the version first")
    parts = [f"## {version}\n"]
    for kind in KINDS:
        found = [path for path in fragments(folder) if path.name.endswith(f".{kind}.md")]
        if found:
            bullets = [f"- {path.read_text(encoding='utf-8').strip()}" for path in found]
            parts.append("\n".join([f"### {kind.capitalize()}", "", *bullets]) + "\n")
    head, mark, rest = changelog.partition("\n## ")
    return f"{head}\n" + "\n".join(parts) + mark + rest


def main(arguments: list[str]) -> int:
    """Look at the fragments with `--check`, else join and remove them."""
    found = list(problems(FRAGMENTS))
    for problem in found:
        print(problem, file=sys.stderr)
    if found or arguments == ["--check"]:
        return 1 if found else 0
    if not fragments(FRAGMENTS):
        print("docs/news has no fragments", file=sys.stderr)
        return 1
    try:
        text = joined(CHANGELOG.read_text(encoding="utf-8"), FRAGMENTS, VERSION)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    CHANGELOG.write_text(text, encoding="utf-8")
    for path in fragments(FRAGMENTS):
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
