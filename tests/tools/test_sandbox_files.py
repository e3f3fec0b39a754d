"""What a program in a sandbox sees of the files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hlsmem.tools.sandbox_files import folders_of_tools, view


def test_what_lies_below_a_hidden_folder_is_seen_where_it_was(tmp_path: Path) -> None:
    """Through links, too, that lead to the hidden folder or lie in it."""
    home, away = tmp_path / "disk" / "me", tmp_path / "away"
    for folder in (home / "tools", away, tmp_path / "out"):
        folder.mkdir(parents=True)
    (tmp_path / "home").symlink_to("disk")
    (home / "link").symlink_to(away)
    words = view(
        home / "work",
        quota=5,
        temporary=7,
        kept=[tmp_path / "home" / "me" / "tools", home / "link", away, Path("/usr")],
        private=[home],
        empty=[Path("/usr"), tmp_path / "out"],
    )
    assert words[:3] == ["--ro-bind", "/", "/"]
    seen = [words[k : k + 3] for k, word in enumerate(words) if word == "--ro-bind"][1:]
    # What is kept as a whole is not hidden; what is not hidden is seen as it is.
    assert seen == [
        ["--ro-bind", str(home / "link"), str(home / "link")],
        ["--ro-bind", str(tmp_path / "home" / "me" / "tools"), str(home / "tools")],
    ]
    made = [words[k + 1] for k, word in enumerate(words) if word == "--tmpfs"]
    assert made == [str(tmp_path / "out"), str(home), "/dev", "/dev/shm", str(home / "work")]
    restricted = [words[k + 1] for k, word in enumerate(words) if word == "--remount-ro"]
    assert restricted == ["/dev", "/proc", str(tmp_path / "out")]
    sizes = [words[k + 1 : k + 4] for k, word in enumerate(words) if word == "--size"]
    assert ["5", "--tmpfs", str(home / "work")] in sizes
    assert ["7", "--tmpfs", str(home)] in sizes


def test_a_home_is_not_seen_for_the_programs_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("disk/me/bin", "disk/me/tool/bin", "disk/bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "home").symlink_to("disk")
    home = tmp_path / "home" / "me"
    monkeypatch.setenv("HOME", str(home))
    places = [str(one) for one in (home / "bin", home / "tool" / "bin", tmp_path / "disk" / "bin")]
    monkeypatch.setenv("PATH", ":".join([*places, "/nowhere", "relative"]))
    found = folders_of_tools.__wrapped__()
    assert {one for one in found if one.is_relative_to(tmp_path)} == {
        home / "bin",
        home / "tool" / "bin",
        home / "tool",
        tmp_path / "disk" / "bin",
        tmp_path / "disk" / "me" / "bin",
        tmp_path / "disk" / "me" / "tool" / "bin",
        tmp_path / "disk" / "me" / "tool",
    }
    assert Path(sys.prefix) in found
