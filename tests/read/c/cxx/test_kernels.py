"""Kernels in C++: planned, and judged by the checks that run the user's own file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.data_files import resource_folder

KERNELS = Path(__file__).parent / "kernels"


def _planned(name: str, folder: Path) -> Path:
    assert main(["plan", str(KERNELS / name), "-o", str(folder / "out")]) == 0
    return folder / "out"


def test_widths_and_streams_are_arrays_of_the_plan(tmp_path: Path) -> None:
    out = _planned("mixed.cpp", tmp_path)
    document = json.loads((out / "plan.json").read_text())
    found = {
        name: (one["element"]["type"], one["declared"]["cells"])
        for name, one in document["arrays"].items()
    }
    assert found["s"] == ("int12", 16)
    assert found["u"] == ("int12", 16)
    assert {one["name"]: one["type"] for one in document["datapath"]} == {
        "last": "int12",
        "x": "int12",
    }
    assert "c" not in found  # what the iteration counts is in no result
    normal = (out / "design" / "normal.c").read_text()
    assert "s[i] = in[i];" in normal
    assert "out[i] = ((int) (((unsigned) (u[i] * 4)) << 20)) >> 20;" in normal


def test_each_of_several_tasks_gets_its_number_and_its_streams(tmp_path: Path) -> None:
    out = _planned("tasks.cpp", tmp_path)
    normal = (out / "design" / "normal.c").read_text()
    for k in range(2):
        assert f"b_at_{k}[i] = a_at_{k}[i] + " in normal
    assert main(["check", str(out), "--only", "host"]) == 0


# Queues of the first grow while elements are in them, and of two variables v one is read into.
@pytest.mark.few("streams")
@pytest.mark.needs("clang")
@pytest.mark.parametrize(
    "name",
    [
        "accumulated.cpp",
        "blocks.cpp",
        "blur.cpp",
        "channels.cpp",
        "mixed.cpp",
        "odd.cpp",
        "streams.cpp",
        "window_valid.cpp",
    ],
)
def test_the_users_file_loads_and_stores_as_its_normal_form(name: str, tmp_path: Path) -> None:
    out = _planned(name, tmp_path)
    assert main(["check", str(out), "--only", "reading"]) == 0
    verdicts = json.loads((out / "checks.json").read_text())
    assert "stored alike" in json.dumps(verdicts)


@pytest.mark.needs("clang")
def test_a_normal_form_that_loads_elsewhere_is_found(tmp_path: Path) -> None:
    out = _planned("mixed.cpp", tmp_path)
    file = tmp_path / "mixed.cpp"
    file.write_text((KERNELS / "mixed.cpp").read_text().replace("out[i] = u", "out[N - 1 - i] = u"))
    (out / "design" / "mixed.cpp").write_text(file.read_text())
    assert main(["check", str(out), "--only", "reading"]) != 0


@pytest.mark.dear
@pytest.mark.needs("clang")
def test_numbers_of_odd_widths_that_decide_subscripts_are_those_of_the_file(
    tmp_path: Path,
) -> None:
    """As plain integers they count on beyond the array: no difference of the normal form."""
    out = _planned("odd.cpp", tmp_path)
    assert main(["check", str(out), "--only", "reading"]) == 0
    assert "stored alike" in (told := (out / "checks.json").read_text())
    assert "of arguments, since numbers are cut to widths that C does not have" in told
    text = (KERNELS / "odd.cpp").read_text()
    (out / "design" / "odd.cpp").write_text(text.replace("* 5 + 3", "* 5 + 4"))
    assert main(["check", str(out), "--only", "reading"]) != 0


@pytest.mark.long
def test_streams_of_objects_are_replayed(tmp_path: Path) -> None:
    """The example, of few pixels: its times are padded where streams add entries."""
    text = (resource_folder("examples") / "cxx_blur" / "blur.cpp").read_text()
    small = text.replace("H = 24, W = 32", "H = 4, W = 5")
    assert small != text
    (tmp_path / "blur.cpp").write_text(small)
    assert main(["plan", str(tmp_path / "blur.cpp"), "-o", str(tmp_path / "out")]) == 0
    assert main(["check", str(tmp_path / "out"), "--only", "replay"]) == 0


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["blocks.cpp", "blur.cpp", "channels.cpp", "mixed.cpp", "streams.cpp"]
)
def test_all_checks_pass(name: str, tmp_path: Path) -> None:
    out = _planned(name, tmp_path)
    for one in ("proof", "replay", "host", "rtl"):
        assert main(["check", str(out), "--only", one]) == 0


@pytest.mark.dear
def test_an_original_in_cxx_is_linked_with_functions_of_mathematics(tmp_path: Path) -> None:
    (tmp_path / "table.cpp").write_text(
        """
#include <math.h>
void top(const unsigned char at[8], short out[8]) {
    short table[256];
    for (int i = 0; i < 256; i++) table[i] = (short)(1000 * sin((double)(i - 128) / 256.0));
    for (int i = 0; i < 8; i++) out[i] = table[at[i]];
}
"""
    )
    assert main(["plan", str(tmp_path / "table.cpp"), "-o", str(tmp_path / "out")]) == 0
    assert main(["check", str(tmp_path / "out"), "--only", "host"]) == 0
    assert "does not compile" not in (tmp_path / "out" / "checks.json").read_text()
