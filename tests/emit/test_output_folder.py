"""An output folder is written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.emit import output_folder as folder
from hlsmem.emit.output_folder import list_anew, rewrite_file, rewrite_files, write_folder
from hlsmem.emit.output_listing import LIST, listed

PLAN = '{"format": "hlsmem-plan/1"}'
FILES: dict[str, str | bytes] = {"plan.json": PLAN, "host/a.c": "int a;\n", "b.bin": b"\x00\xff"}


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != LIST
    }


def test_makes_the_folder_and_its_parents(tmp_path: Path) -> None:
    out = tmp_path / "build" / "deep" / "x"
    write_folder(out, FILES)
    assert everything(out) == {
        "plan.json": PLAN.encode(), "host/a.c": b"int a;\n", "b.bin": b"\x00\xff"
    }  # fmt: skip
    assert os.listdir(out.parent) == ["x"]


def test_has_the_rights_of_any_new_folder(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    write_folder(tmp_path / "out", FILES)
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_replaces_what_it_wrote_and_leaves_what_is_the_users(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FILES)
    (out / "host" / "mine.c").write_text("int mine;")
    kept = write_folder(out, {"plan.json": PLAN, "new.txt": "new"})
    assert everything(out) == {
        "plan.json": PLAN.encode(),
        "new.txt": b"new",
        "host/mine.c": b"int mine;",
    }
    assert kept == []
    assert os.listdir(tmp_path) == ["out"]


def test_what_somebody_changed_is_kept_beside(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FILES)
    (out / "b.bin").write_text("changed")
    (out / "host" / "a.c").write_text("int changed;")
    (out / "new.txt").write_text("mine")
    (out / "new.txt.orig").write_text("mine, too")
    kept = write_folder(out, {"plan.json": PLAN, "new.txt": "new", "b.bin": b"\x00\xff"})
    assert kept == ["b.bin.orig", "new.txt.orig2", "host/a.c.orig"]
    found = everything(out)
    assert found.pop("new.txt.orig") == b"mine, too"
    assert found == {
        "plan.json": PLAN.encode(),
        "b.bin": b"\x00\xff",
        "b.bin.orig": b"changed",
        "new.txt": b"new",
        "new.txt.orig2": b"mine",
        "host/a.c.orig": b"int changed;",
    }
    assert write_folder(out, FILES) == []  # what is kept is the user's from then on
    assert everything(out).items() >= {"b.bin.orig": b"changed", "new.txt.orig2": b"mine"}.items()


def test_a_folder_of_the_user_in_the_place_of_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FILES)
    (out / "new").mkdir()
    (out / "new" / "mine").write_text("mine")
    assert write_folder(out, {**FILES, "new": "file"}) == ["new_mine.orig"]
    assert everything(out)["new_mine.orig"] == b"mine"


def test_links_inside_stay_links_and_are_not_followed(tmp_path: Path) -> None:
    out, away = tmp_path / "out", tmp_path / "away"
    away.mkdir()
    (away / "file").write_text("away")
    write_folder(out, FILES)
    (out / "mine").symlink_to(away)
    (out / "b.bin").unlink()
    (out / "b.bin").symlink_to(away / "file")
    assert write_folder(out, FILES) == ["b.bin.orig"]
    assert (out / "mine").is_symlink()
    assert (out / "b.bin.orig").is_symlink()
    assert (out / "b.bin").read_bytes() == b"\x00\xff"
    rewrite_files(out, {"mine": "text"})
    assert (out / "mine").read_text() == "text"
    assert everything(away) == {"file": b"away"}


def test_what_is_written_later_is_listed_anew(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, {**FILES, "report.md": "planned"})
    assert rewrite_files(out, {"report.md": "checked", "checks.json": "{}"}) == []
    (out / "waves.fst").write_text("waves")
    list_anew(out, ["waves.fst"])
    assert set(listed(out) or {}) == {*FILES, "report.md", "checks.json", "waves.fst"}
    (out / "report.md").write_text("my notes")
    assert rewrite_files(out, {"report.md": "checked again"}) == ["report.md.orig"]
    assert write_folder(out, FILES) == []
    assert set(everything(out)) == {*FILES, "report.md.orig"}


@pytest.mark.parametrize("text", [None, "{", "[]", '{"format": "hlsmem-out/2", "files": {}}'])
def test_without_a_list_nothing_is_known_to_be_ours(text: str | None, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, FILES)
    (out / LIST).unlink() if text is None else (out / LIST).write_text(text)
    (out / "thesis.tex").write_text("years of work")
    before = everything(out)
    assert listed(out) is None
    with pytest.raises(InputError, match=r"it has no \.hlsmem, the list of what hlsmem wrote; "):
        write_folder(out, FILES)
    assert everything(out) == before
    assert rewrite_files(out, {"report.md": "checked", "thesis.tex": "x"}) == ["thesis.tex.orig"]
    assert everything(out).items() >= {"thesis.tex.orig": b"years of work"}.items()
    assert rewrite_files(out, {"report.md": "checked again"}) == []


def test_fills_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_folder(tmp_path / "out", FILES)
    assert (tmp_path / "out" / "plan.json").read_text() == PLAN


@pytest.mark.parametrize("plan", [None, "{", "[]", '{"format": "other/1"}'])
def test_refuses_a_folder_with_other_content(tmp_path: Path, plan: str | None) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    if plan is not None:
        (out / "plan.json").write_text(plan)
    before = everything(out)
    with pytest.raises(InputError) as caught:
        write_folder(out, FILES)
    assert str(caught.value) == (
        f"'{out}' is a folder with other content: it has no plan.json of hlsmem; "
        "choose another folder with -o, or empty it"
    )
    assert everything(out) == before


def test_refuses_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError) as caught:
        write_folder(tmp_path / "out", FILES)
    message = f"'{tmp_path / 'out'}' is a file; choose another folder with -o"
    assert str(caught.value) == message
    assert (tmp_path / "out").read_text() == "a file"


def test_refuses_a_parent_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(InputError) as caught:
        write_folder(tmp_path / "file" / "sub" / "out", FILES)
    assert str(caught.value).startswith(f"cannot write '{tmp_path / 'file' / 'sub' / 'out'}': ")
    assert (tmp_path / "file").read_text() == "a file"


def test_keeps_a_symbolic_link_and_replaces_its_target(tmp_path: Path) -> None:
    write_folder(tmp_path / "real", FILES)
    (tmp_path / "link").symlink_to("real")
    write_folder(tmp_path / "link", {"plan.json": PLAN})
    assert (tmp_path / "link").is_symlink()
    assert everything(tmp_path / "real") == {"plan.json": PLAN.encode()}


def test_a_failure_half_way_leaves_the_old_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write_folder(out, FILES)
    before = everything(out)
    real = Path.write_bytes

    def full_disk(self: Path, content: bytes) -> int:
        if self.name == "z":
            raise OSError(28, "No space left on device")
        return real(self, content)

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(InputError) as caught:
        write_folder(out, {"plan.json": PLAN, "z": "much"})
    assert str(caught.value) == (
        f"cannot write '{out}': No space left on device; choose another folder with -o"
    )
    assert everything(out) == before
    assert os.listdir(tmp_path) == ["out"]


def test_a_failed_rename_puts_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write_folder(out, FILES)
    before = everything(out)
    real = Path.rename
    calls: list[Path] = []

    def second_fails(self: Path, target: Path) -> Path:
        calls.append(self)
        if len(calls) == 2:
            raise OSError(13, "Permission denied")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", second_fails)
    monkeypatch.setattr(folder, "_exchange", lambda *_: False)
    with pytest.raises(InputError, match="Permission denied"):
        write_folder(out, {"plan.json": PLAN})
    assert everything(out) == before
    assert os.listdir(tmp_path) == ["out"]


def test_names_stay_inside(tmp_path: Path) -> None:
    for name in ("../x", "/etc/x", "a/../../x"):
        with pytest.raises(ValueError, match="is no name inside a folder"):
            write_folder(tmp_path / "out", {name: "x"})
    assert os.listdir(tmp_path) == []


def test_one_file_is_rewritten_whole(tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    file.write_text("old")
    rewrite_file(file, "new\n")
    assert file.read_text() == "new\n"
    assert os.listdir(tmp_path) == ["report.md"]


def test_a_file_in_no_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        rewrite_file(tmp_path / "gone" / "report.md", "x")
    assert "cannot write" in str(caught.value)
    assert "No such file or directory" in str(caught.value)


@pytest.mark.parametrize("new", [False, True])
def test_what_was_broken_off_between_two_names_is_finished(new: bool, tmp_path: Path) -> None:
    """As on systems that cannot exchange two folders in one step."""
    out = tmp_path / "out"
    write_folder(out, FILES)
    before = everything(out)
    out.rename(tmp_path / ".out-before")
    if new:
        write_folder(out, FILES)
    folder.settle(out)
    assert everything(out) == before
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_the_fallback_replaces_a_folder_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_exchange", lambda *_: False)
    out = tmp_path / "out"
    write_folder(out, {**FILES, "gone": "x"})
    write_folder(out, FILES)
    assert not (out / "gone").exists()
    assert [one.name for one in tmp_path.iterdir()] == ["out"]
