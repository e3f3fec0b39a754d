"""Folders of include files that the command line names: read, copied, and named as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.program.model import Program
from hlsmem.read.design import load
from hlsmem.read.design_folder import Folder, folder_with

KERNEL = """#include "gain.h"
void k(int in[16], int out[16]) {
  int t[16];
  for (int i = 0; i < 16; i++) t[i] = GAIN * in[i];
  for (int i = 2; i < 16; i++) out[i] = t[i] + t[i - 2];
}
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    """A kernel in work/, and its include files in lib/."""
    lib = tmp_path / "lib"
    (lib / "parts").mkdir(parents=True)
    (lib / "gain.h").write_text('#include "parts/more.h"\n#define GAIN (OFFSET + 2)\n')
    (lib / "parts/more.h").write_text("#define OFFSET 1\n")
    work = tmp_path / "work"
    work.mkdir()
    (work / "k.c").write_text(KERNEL)
    return work / "k.c"


def library(kernel: Path) -> Path:
    return kernel.parents[1] / "lib"


def test_what_is_included_from_elsewhere_is_copied_with_the_design(
    kernel: Path, tmp_path: Path
) -> None:
    design = load(kernel, includes=[library(kernel)])
    assert [one.name for one in design.sources] == [
        "design.yaml",
        "k.c",
        "included_1/gain.h",
        "included_1/parts/more.h",
    ]
    assert design.overrides == ('kernel.cflags=["-Iincluded_1"]',)
    copy = tmp_path / "copy"
    for source in design.sources:
        (copy / source.name).parent.mkdir(parents=True, exist_ok=True)
        (copy / source.name).write_text(source.text)
    assert load(copy / design.file, settings=design.overrides) == design


def test_flags_of_the_design_stay(kernel: Path) -> None:
    file = kernel.with_name("design.yaml")
    file.write_text('hlsmem: 1\nname: k\nkernel: {file: k.c, cflags: ["-DUNUSED=1"]}\n')
    design = load(file, includes=[library(kernel)])
    assert isinstance(design.input, Program)
    assert design.input.kernel is not None
    assert design.input.kernel.cflags == ("-DUNUSED=1", "-Iincluded_1")


def test_without_the_option_the_message_says_so(kernel: Path) -> None:
    with pytest.raises(InputError, match=r"'gain.h' is not found; add its folder with --include"):
        load(kernel)
    kernel.write_text(KERNEL.replace("gain.h", "../lib/gain.h"))
    with pytest.raises(InputError, match=r"lies outside .*`--include DIR`"):
        load(kernel)


def test_messages_name_the_file_where_it_lies(kernel: Path) -> None:
    file = library(kernel) / "gain.h"
    file.write_text("#define GAIN 3\n#error no\n")
    with pytest.raises(InputError) as caught:
        load(kernel, includes=[library(kernel)])
    assert [one.source_location.file for one in caught.value.problems if one.source_location] == [
        str(file)
    ]


def test_an_unknown_folder_is_named(kernel: Path) -> None:
    with pytest.raises(InputError, match="--include: there is no folder '/nowhere'"):
        load(kernel, includes=[Path("/nowhere")])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- 1\n", "keys"),
        ("hlsmem: 1\nname: k\nkernel: {file: k.c, cflags: -O2}\n", "kernel.cflags"),
    ],
)
def test_what_is_wrong_without_the_option_is_told_with_it(
    text: str, told: str, kernel: Path
) -> None:
    file = kernel.with_name("design.yaml")
    file.write_text(text)
    with pytest.raises(InputError) as without:
        load(file)
    with pytest.raises(InputError) as given:
        load(file, includes=[library(kernel)])
    assert str(given.value) == str(without.value)
    assert told in str(given.value)


def test_a_design_without_c_takes_no_flags(kernel: Path) -> None:
    file = kernel.with_name("design.yaml")
    file.write_text(
        "hlsmem: 1\nname: c\narrays: {A: {type: int32, extents: [4]}}\n"
        'conflicts: {A: {differences: "{ [i] : -1 <= i <= 1 }"}}\n'
    )
    assert load(file, includes=[library(kernel)]).overrides == ()


def test_names_in_use_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "included_1").mkdir()
    found = folder_with(tmp_path, [Path("/a"), Path("/b")])
    assert found == Folder(tmp_path, {"included_2": Path("/a"), "included_3": Path("/b")})
    assert found / "included_3/x.h" == Path("/b/x.h")
    assert found / "included_1/x.h" == tmp_path / "included_1/x.h"


def test_links_out_of_the_folders_lead_nowhere(kernel: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.h").write_text("#define GAIN 1\n")
    (library(kernel) / "gain.h").unlink()
    (library(kernel) / "gain.h").symlink_to(tmp_path / "secret.h")
    with pytest.raises(InputError, match="lies outside"):
        load(kernel, includes=[library(kernel)])


def test_the_verb_takes_folders_of_headers(kernel: Path, tmp_path: Path) -> None:
    words = ["plan", str(kernel), "--include", str(library(kernel)), "-o", str(tmp_path / "out")]
    assert main(words) == 0
    assert (tmp_path / "out/design/included_1/parts/more.h").is_file()


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_a_path_upwards_is_found_in_the_copy_or_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    for name in ("host", "work"):
        (tmp_path / name).mkdir()
    (tmp_path / "host/gain.h").write_text("#define GAIN 3\n")
    file = tmp_path / f"work/k.{suffix}"
    file.write_text(KERNEL.replace("gain.h", "../host/gain.h"))
    out = tmp_path / "out"
    assert main(["plan", str(file), "--include", str(tmp_path), "-o", str(out)]) == 0
    file.unlink()
    (tmp_path / "host/gain.h").unlink()
    assert main(["check", str(out), "--only", "source"]) == 0
    (tmp_path / "host/gain.h").write_text("#define GAIN 3\n")
    file.write_text(KERNEL.replace("gain.h", "../host/gain.h"))
    assert main(["plan", str(file), "--include", str(tmp_path / "host"), "-o", str(out)]) == 2
    assert "say --include with the folder that its path begins in" in capsys.readouterr().err


def test_a_path_out_of_the_own_folder_and_back_is_found_in_the_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "math/src/k.cpp"
    file.parent.mkdir(parents=True)
    header = file.with_name("gain.h")
    header.write_text("#define GAIN 3\n")
    file.write_text(KERNEL.replace("gain.h", "../src/gain.h"))
    out = tmp_path / "out"
    assert main(["plan", str(file), "-o", str(out)]) == 2
    assert "say --include with the folder that its path begins in" in capsys.readouterr().err
    for outer in (tmp_path / "math", tmp_path):
        assert main(["plan", str(file), "--include", str(outer), "-o", str(out)]) == 0
    file.unlink()
    header.unlink()
    assert main(["check", str(out), "--only", "source"]) == 0
