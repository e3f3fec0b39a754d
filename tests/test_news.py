"""Fragments of the changelog are refused with file and line, and joined; the changelog is short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.news import CHANGELOG, FRAGMENTS, MOST_WORDS, joined, problems


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("sums.new.md", "It adds.\n", ":1:1: this is no name of a fragment; name it NAME.("),
        ("sums.added.md", "", ":1:1: it says nothing; write one sentence"),
        ("sums.added.md", "- It adds.\n", ":1:1: it is no sentence; write it without a bullet"),
        ("sums.added.md", "It adds\n", ":1:1: it is no sentence; write it without a bullet"),
        ("sums.fixed.md", "word " * 25 + "word.\n", ":1:1: it has 26 words; use at most 25"),
        ("sums.fixed.md", "It adds.\nWell.\n", ":2:1: it has a second line; write one sentence"),
    ],
)
def test_a_broken_fragment_is_refused(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert [
        str(problem).startswith(f"{tmp_path / name}{said}") for problem in problems(tmp_path)
    ] == [True]


def test_the_fragments_here_are_whole() -> None:
    assert [str(problem) for problem in problems(FRAGMENTS)] == []


def test_fragments_are_joined_by_kind(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# News\n")
    for name in ("b.added", "a.added", "c.removed"):
        (tmp_path / f"{name}.md").write_text(f"News of {name}.\n")
    assert list(problems(tmp_path)) == []
    before = "# Changelog\n\nText.\n\n## 0.1.0\n\n### Added\n\n- Old.\n"
    after = joined(before, tmp_path, "0.2.0")
    assert after == (
        "# Changelog\n\nText.\n\n## 0.2.0\n\n### Added\n\n- News of a.added.\n"
        "- News of b.added.\n\n### Removed\n\n- News of c.removed.\n\n"
        "## 0.1.0\n\n### Added\n\n- Old.\n"
    )
    with pytest.raises(ValueError, match=r"has news of 0\.2\.0; raise the version first"):
        joined(after, tmp_path, "0.2.0")


def test_the_changelog_is_news() -> None:
    releases = re.split(r"^## ", CHANGELOG.read_text(encoding="utf-8"), flags=re.M)[1:]
    assert releases
    for release in releases:
        bullets = re.findall(r"^- (.*)", release, re.M)
        assert 0 < len(bullets) <= 60
        assert [one for one in bullets if len(one.split()) > MOST_WORDS] == []
