"""The Verilog of a plan: names, order, determinism, and no arithmetic but additions."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from hlsmem.core.verilog_library import versioned
from hlsmem.planner.output_files import simulated_files
from tests.dependences.cases import DESIGNS, planned


def files_of(name: str) -> dict[str, str]:
    return simulated_files(planned(name))


@pytest.mark.few("blur", "heat", "half", "two", "gaps", "scalar", "jacobi1d")
@pytest.mark.parametrize("name", DESIGNS)
def test_every_module_has_a_file_and_nothing_multiplies(name: str) -> None:
    files = files_of(name)
    verilog = {file: text for file, text in files.items() if file.endswith(".v")}
    for file, text in verilog.items():
        modules = re.findall(r"^module (\w+)", text, re.MULTILINE)
        assert modules == [PurePosixPath(file).stem]
        if not modules[0].startswith("hlsmem_"):
            code = re.sub(r"//.*|@\*", "", text)
            assert not re.search(r"[*/%]", code), file
    listed = files["rtl/files.f"].split()
    beside = [file for file in verilog if PurePosixPath(file).parent.name == "rtl"]
    assert sorted(listed) == sorted(file.removeprefix("rtl/") for file in beside)
    (core,) = (text for file, text in files.items() if file.endswith(".core"))
    assert re.findall(r"- rtl/(\S+)", core) == listed
    named = "\n".join(verilog.values())
    unused = [one for one in listed[:-1] if f"    {PurePosixPath(one).stem} " not in named]
    assert not unused


def test_equal_input_gives_equal_files() -> None:
    assert files_of("two by iteration") == files_of("two by iteration")


def test_widths_of_a_raster_walk_are_least() -> None:
    text = files_of("blur")["rtl/blur_m_blurx_C_walk.v"]
    assert re.findall(r"reg (\[.*\]) (\w+);", text)[:2] == [("[3:0]", "y"), ("[3:0]", "x")]


def test_operands_are_padded_to_bytes_and_marked() -> None:
    text = files_of("two")["rtl/two_mem.v"]
    assert "input  wire [23:0] s_a_L_tdata" in text  # int20
    assert "output wire [47:0] m_a_D_tdata" in text
    assert "output wire [1:0] m_a_D_tuser" in text  # the second operand is not there at x = 0
    assert "m_a_C_tuser" not in text


def test_equal_operands_are_fetched_once() -> None:
    text = files_of("sobel")["rtl/sobel_in_buffer.v"]
    assert text.count(f"{versioned('hlsmem_ram')} #(") == 8
    assert "output wire [95:0] m_in_S0_tdata" in text  # twelve operands of 8 bits


def test_only_the_copy_of_the_oldest_operand_is_read_and_overwritten_at_once() -> None:
    text = files_of("blur")["rtl/blur_blurx_buffer.v"]
    assert re.findall(r"COLLISION\((\d)\)", text) == ["1", "0", "0"]
