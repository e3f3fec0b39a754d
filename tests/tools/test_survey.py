"""What `hlsmem doctor` says of the tools that are there and of those that are not."""

from __future__ import annotations

from pathlib import Path

from hlsmem.tools.survey import survey
from tests.tools.test_find import fake, path_of


def test_the_survey_lists_what_is_missing(tmp_path: Path) -> None:
    states = {state.name: state for state in survey(path_of(tmp_path))}
    compiler = states["C compiler"]
    assert compiler.required
    assert not compiler.usable
    assert "apt-get install gcc" in compiler.remedy
    assert not states["Icarus Verilog"].usable
    assert not states["Icarus Verilog"].required


def test_verilator_versions_are_told_as_it_tells_them(tmp_path: Path) -> None:
    fake(tmp_path, "verilator", "Verilator 5.040 2025-08-30 rev v5.040")
    for tool in ("perl", "make", "g++"):
        fake(tmp_path, tool, "")
    states = {state.name: state for state in survey(path_of(tmp_path))}
    verilator = states["Verilator"]
    assert (verilator.version, verilator.minimum, verilator.usable) == ("5.040", "5.036", True)


def test_named_tools_are_listed_with_their_versions(tmp_path: Path) -> None:
    yosys = fake(tmp_path, "mine", "Yosys 0.63 (git sha1 abc)")
    place = fake(tmp_path, "place", "nextpnr-ecp5 -- Next Generation (Version 0.9-2)")
    named = {"HLSMEM_YOSYS": str(yosys), "HLSMEM_NEXTPNR_ECP5": str(place)}
    states = {state.name: state for state in survey(path_of(tmp_path) | named)}
    assert (states["Yosys"].version, states["Yosys"].usable) == ("0.63", True)
    assert (states["nextpnr-ecp5"].version, states["nextpnr-ecp5"].usable) == ("0.9", True)
    assert not states["Yosys"].required
