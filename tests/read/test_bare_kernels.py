"""The designs that files of C and configurations of Vitis stand for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.program.model import Program
from hlsmem.read.bare_kernels import bare_kernel
from hlsmem.read.design import load
from hlsmem.read.design_folder import folder_with
from hlsmem.read.design_schema import FLAGS_REMEDY
from tests.read.test_design import written

TOP = """\
#include "n.h"
void scaled(int x[N]);
void top(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++)
        out[i] = in[i] * FACTOR;
    scaled(out);
}
"""
HELPER = """\
#include "n.h"
void scaled(int x[N])
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] + 1;
}
"""
CONFIG = """\
[hls]
syn.file=src/helper.c
syn.file=src/top.c
syn.file=inc/n.h
syn.top=top
syn.cflags=-I inc -Igone -DFACTOR=3 -g -O2
"""


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two files and a header."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "src/top.c": TOP,
        "src/helper.c": HELPER,
        "inc/n.h": "#define N 8\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    file = Path("hls_config.cfg")
    file.write_text(CONFIG)
    return file


def kernel(config: Path, *includes: Path) -> dict[str, object]:
    return dict(bare_kernel(config, folder_with(config.parent, includes)).kernel)


def messages(config: Path, text: str) -> list[str]:
    config.write_text(text)
    with pytest.raises(InputError) as caught:
        kernel(config)
    return [str(one) for one in caught.value.problems]


def test_a_file_of_c_is_its_kernel(config: Path) -> None:
    found = bare_kernel(config.parent / "src/top.c", folder_with(config.parent / "src", ()))
    assert found.design({}) == "hlsmem: 1\nname: top\nparams: {}\nkernel: {file: top.c}\n"


def test_a_configuration_is_planned(config: Path, tmp_path: Path) -> None:
    design = load(config, parameters={"N": 16})
    text = design.sources[0].text
    keys = "file: src/top.c, function: top, sources: [src/helper.c]"
    assert text.splitlines()[-1] == f'kernel: {{{keys}, cflags: ["-Iinc", "-DFACTOR=3", "-O2"]}}'
    assert "name: top\nparams: {N: 16}\n" in text
    assert isinstance(design.input, Program)
    assert design.input.values == {"N": 16}
    assert design.input.kernel is not None
    assert design.input.kernel.name == "top"
    assert load(written(design, tmp_path / "copy")) == design


def test_without_a_top_the_only_marked_file_has_it(config: Path) -> None:
    text = CONFIG.replace("syn.top=top\n", "")
    expected = "hls_config.cfg:2:10: which of 2 files has the top is not said; add syn.top=NAME"
    assert messages(config, text) == [f"{expected} below [hls]"]
    (config.parent / "src/helper.c").write_text(HELPER.replace("for", "\n#pragma HLS top\nfor"))
    found = kernel(config)
    assert (found["file"], found["sources"]) == ("src/helper.c", ["src/top.c"])
    assert "function" not in found


def test_flags_of_files_are_taken_where_all_have_the_same(config: Path) -> None:
    text = CONFIG.replace("syn.file=src/helper.c\n", "")
    config.write_text(f"{text}syn.file_cflags=src/top.c,-DM=1 -Isrc\n")
    assert kernel(config)["cflags"] == ["-Iinc", "-DFACTOR=3", "-O2", "-DM=1", "-Isrc"]
    config.write_text(
        f"{CONFIG}syn.file_cflags=src/top.c,-DM=1\nsyn.file_cflags=src/helper.c,-DM=1"
    )
    assert kernel(config)["cflags"] == ["-Iinc", "-DFACTOR=3", "-O2", "-DM=1"]
    expected = (
        "hls_config.cfg:7:17: syn.file_cflags gives 'src/top.c' flags that other files do not have"
    )
    wrong = messages(config, f"{CONFIG}syn.file_cflags=src/top.c,-DM=1\n")
    assert wrong == [f"{expected}; give all files the same in syn.cflags"]


def test_files_and_folders_elsewhere_are_those_of_include(config: Path) -> None:
    below = config.parent / "vitis" / "hls_config.cfg"
    below.parent.mkdir()
    text = CONFIG.replace("=src/", "=../src/").replace("-I inc", "-I../inc")
    expected = [
        f"hls_config.cfg:{line}: 'src/{name}.c' is not below the folder of this file;"
        " plan with --include src"
        for line, name in (("2:10", "helper"), ("3:10", "top"))
    ]
    assert messages(below, text.replace("inc/n.h", "../inc/n.h")) == expected
    found = kernel(below, config.parent / "src", config.parent / "inc")
    assert found["file"] == "included_1/top.c"
    assert found["cflags"] == ["-DFACTOR=3", "-O2"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            CONFIG,
            "[hls]\nsyn.file=inc/n.h\n",
            "hls_config.cfg:1:1: no file of C or C++ is named by syn.file in [hls];"
            " add syn.file=KERNEL.cpp below [hls]",
        ),
        (
            "src/top.c",
            "src/tip.c",
            "hls_config.cfg:3:10: there is no file 'src/tip.c';"
            " check the name; it counts from here",
        ),
        (
            "syn.top=top",
            "syn.top=tap",
            "hls_config.cfg:5:9: no file of syn.file has a function 'tap';"
            " check the name, or add its file",
        ),
        (
            "syn.top=top",
            "syn.top=top\nsyn.top=tap",
            "hls_config.cfg:6:9: a second top: 'tap'; keep one, or name it with kernel.function",
        ),
        (
            "-g",
            "-include",
            f"hls_config.cfg:6:12: the flag '-include' is none of those of C here; {FLAGS_REMEDY}",
        ),
    ],
)
def test_what_is_wrong_is_refused(config: Path, old: str, new: str, expected: str) -> None:
    assert messages(config, CONFIG.replace(old, new)) == [expected]


def test_what_is_no_text_is_refused(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_bytes(b"[hls]\nsyn.top=\xff\n")
    assert main(["plan", config.name]) == 2
    errors = capsys.readouterr().err
    assert errors == "hls_config.cfg:2:9: the file is not UTF-8 text; save it as UTF-8\n"
    config.unlink()
    os.mkfifo(config)
    assert main(["plan", config.name]) == 2
    assert capsys.readouterr().err == "'hls_config.cfg' is a named pipe; name a file\n"
