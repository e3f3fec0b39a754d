"""The function to plan, as pragmas and projects beside a file name it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.program.model import Program
from hlsmem.read.design import changed, load
from hlsmem.read.design_folder import Folder
from hlsmem.read.tops import FoundTop, top_of
from tests.read.test_design import written

KERNEL = """\
void f(const int in[8], int out[8]) { for (int i = 0; i < 8; i++) out[i] = in[i]; }
void g(const int in[8], int out[8]) { for (int i = 0; i < 8; i++) out[i] = in[7 - i]; }
"""
MARKED = KERNEL.replace("for", "\n#pragma HLS function top\nfor")
CONFIG = "[hls]\nsyn.file=k.c\nsyn.top=g\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    (tmp_path / "k.c").write_text(KERNEL)
    return tmp_path


def found(folder: Path, file: str = "k.c") -> FoundTop | None:
    return top_of(file, Folder(folder))


def name_of(folder: Path, file: str = "k.c") -> str | None:
    one = found(folder, file)
    return None if one is None else one.name


def message(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        top_of("k.c", Folder(folder))
    return str(caught.value)


def test_without_marks_and_projects_nothing_is_said(folder: Path) -> None:
    assert found(folder) is None
    assert top_of("gone.c", Folder(folder)) is None


def test_a_mark_comes_before_a_project(folder: Path) -> None:
    (folder / "hls_config.cfg").write_text(CONFIG)
    (folder / "k.c").write_text(KERNEL + "#pragma hls_design top\nvoid h(int x) { }\n")
    one = found(folder)
    assert one is not None
    expected = "k.c:3:1: 'h' is planned: a pragma marks it; kernel.function names another"
    assert (str(one.remark), one.source) == (expected, None)


def test_a_configuration_names_the_top(folder: Path) -> None:
    (folder / "hls_config.cfg").write_text(CONFIG)
    one = found(folder)
    assert one is not None
    expected = "'g' is planned: 'hls_config.cfg' names it as the top; kernel.function names another"
    assert str(one.remark) == f"hls_config.cfg:3:9: {expected}"
    assert one.source is not None
    assert (one.source.name, one.source.text) == ("hls_config.cfg", CONFIG)


def test_of_several_marks_a_project_chooses(folder: Path) -> None:
    (folder / "k.c").write_text(MARKED)
    assert message(folder) == (
        "k.c:5:1: the functions 'f', 'g' are marked as tops: one is to be planned;"
        " name one with kernel.function"
    )
    (folder / "run.tcl").write_text("set_top g\n")
    assert name_of(folder) == "g"
    (folder / "run.tcl").write_text("set_top h\n")
    assert "are marked as tops" in message(folder)


def test_the_project_that_names_the_file_counts_else_the_only_one(folder: Path) -> None:
    (folder / "a.tcl").write_text("add_files k.c; set_top f\n")
    (folder / "b.tcl").write_text("add_files other.c; set_top g\n")
    assert name_of(folder) == "f"
    (folder / "a.tcl").write_text("add_files other.c; set_top f\n")
    assert name_of(folder) is None
    (folder / "b.tcl").unlink()
    assert name_of(folder) == "f"


def test_two_projects_with_two_tops_are_refused(folder: Path) -> None:
    (folder / "hls_config.cfg").write_text(CONFIG)
    (folder / "run.tcl").write_text("add_files k.c\nset_top f\n")
    expected = "run.tcl:2:9: 'f' is a second top of 'k.c'; name one with kernel.function"
    assert message(folder) == expected
    (folder / "run.tcl").write_text("add_files k.c\nset_top g\n")
    assert name_of(folder) == "g"


def test_a_top_of_another_file_is_not_that_of_this_one(folder: Path) -> None:
    (folder / "run.tcl").write_text("add_files k.c\nadd_files other.c\nset_top main_of_other\n")
    assert found(folder) is None
    (folder / "run.tcl").write_text("add_files k.c\nset_top misspelt\n")
    assert name_of(folder) == "misspelt"  # there is no other file that it could be in


def test_a_project_that_cannot_be_read_is_refused_where_it_names_a_top(folder: Path) -> None:
    file = folder / "run.tcl"
    file.write_bytes(b"puts \xff\n")
    assert found(folder) is None
    file.write_bytes(b"set_top g\nputs \xff\n")
    assert message(folder) == "run.tcl:2:6: the file is not UTF-8 text; save it as UTF-8"
    file.unlink()
    os.mkfifo(file)
    assert found(folder) is None
    (folder / "twice.tcl").write_text("set_top f\nset_top g\n")
    assert message(folder).startswith("twice.tcl:2:9: a second top: 'g'; ")


def test_a_copy_of_the_sources_has_the_same_top(folder: Path, tmp_path: Path) -> None:
    below = folder / "src"
    below.mkdir()
    (folder / "k.c").rename(below / "k.c")
    (below / "hls_config.cfg").write_text(CONFIG)
    (folder / "d.yaml").write_text("hlsmem: 1\nname: d\nkernel: {file: src/k.c}\n")
    design = load(folder / "d.yaml")
    assert isinstance(design.input, Program)
    assert design.input.kernel is not None
    assert design.input.kernel.name == "g"
    assert [one.name for one in design.sources] == ["d.yaml", "src/k.c", "src/hls_config.cfg"]
    assert load(written(design, tmp_path / "copy")) == design
    other = changed(design, ["kernel.function=f"])
    assert isinstance(other.input, Program)
    assert other.input.kernel is not None
    assert other.input.kernel.name == "f"
    assert [one.name for one in other.sources] == ["d.yaml", "src/k.c"]


def test_a_mark_of_a_vendor_has_no_remark_but_that_it_is_followed(folder: Path) -> None:
    (folder / "k.c").write_text(MARKED.partition("void g")[0])
    program = load(folder / "k.c").program
    assert program is not None
    assert [note.what for note in program.notes] == ["'f' is planned: a pragma marks it"]
