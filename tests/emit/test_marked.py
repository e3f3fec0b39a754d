"""Files outside of OUT: hlsmem writes over those alone that it made and nobody changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.core.errors import InputError
from hlsmem.core.watchdog import scratch
from hlsmem.emit import marked
from hlsmem.emit.marked import XML, YAML, C, change_design, refuse_others, write_marked

MARK = "made by hlsmem, which replaces it unless it was changed: sha256 edeaaff3f1774ad2"
TEXTS = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]))


@pytest.mark.parametrize("comment", [C, XML, YAML])
def test_a_file_says_that_hlsmem_made_it(comment: str, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "file"
    write_marked(file, "abc", comment)
    assert file.read_text() == "abc\n" + comment.format(MARK) + "\n"
    write_marked(file, "other", comment)
    assert file.read_text().startswith("other")
    assert os.listdir(tmp_path / "deep") == ["file"]


@given(text=TEXTS, comment=st.sampled_from([C, XML, YAML]), change=st.integers(0))
def test_what_is_changed_in_any_place_is_the_users(text: str, comment: str, change: int) -> None:
    with scratch("hlsmem-test-") as folder:
        file = folder / "file"
        write_marked(file, text, comment)
        refuse_others([file])
        content = bytearray(file.read_bytes())
        content[change % len(content)] ^= 1
        file.write_bytes(content)
        with pytest.raises(InputError):
            write_marked(file, text, comment)
        assert file.read_bytes() == content
        write_marked(file, text, comment, force=True)
        refuse_others([file])


def test_all_files_of_the_user_are_named(tmp_path: Path) -> None:
    mine, link, folder, pipe = (tmp_path / name for name in ("mine", "link", "folder", "pipe"))
    mine.write_text("")
    link.symlink_to("nowhere")
    folder.mkdir()
    os.mkfifo(pipe)
    with pytest.raises(InputError) as caught:
        refuse_others([tmp_path / "new", mine, link, folder, pipe])
    there = "is there, and is not as hlsmem made it; name another file, or replace it by --force"
    assert str(caught.value).splitlines() == [
        f"'{mine}' {there}",
        f"'{link}' {there}",
        f"'{folder}' is no regular file; name another one",
        f"'{pipe}' is no regular file; name another one",
    ]
    with pytest.raises(InputError) as caught:
        refuse_others([mine, folder], force=True)
    assert str(caught.value) == f"'{folder}' is no regular file; name another one"


def test_of_a_link_the_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    write_marked(tmp_path / "link", "new", YAML, force=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text().startswith("new")


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("mine")
    for name in ("file/below", "x" * 300, "loop"):
        with pytest.raises(InputError, match="cannot write '"):
            write_marked(tmp_path / name, "text", YAML, force=True)
    assert sorted(os.listdir(tmp_path)) == ["file", "loop"]


def test_a_design_that_is_changed_is_kept_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text("hlsmem: 1\n")
    assert change_design(file, "hlsmem: 2\n") == tmp_path / "design.yaml.orig"
    assert file.read_text() == "hlsmem: 2\n"
    assert (tmp_path / "design.yaml.orig").read_text() == "hlsmem: 1\n"
    assert change_design(file, "hlsmem: 3\n", force=True) is None
    assert sorted(os.listdir(tmp_path)) == ["design.yaml", "design.yaml.orig"]


def test_a_design_that_hlsmem_made_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    marked.write_design(file, "hlsmem: 1\n")
    assert change_design(file, file.read_text() + "plan: {}\n") is None
    assert os.listdir(tmp_path) == ["design.yaml"]
    text = file.read_text()
    assert text.startswith("hlsmem: 1\nplan: {}\n# made by hlsmem")
    assert text.count("made by hlsmem") == 1
    refuse_others([file])
    file.write_text(text + "order: iteration\n")
    assert change_design(file, file.read_text()) == tmp_path / "design.yaml.orig"
    assert file.read_text() == "hlsmem: 1\nplan: {}\norder: iteration\n"
