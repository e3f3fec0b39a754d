"""The flow: what is run, what is refused, and (where the tools are) what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError, LimitError, ToolError
from hlsmem.devices import FAMILIES
from hlsmem.synthesis.synthesis_flow import (
    Port,
    Timed,
    ports_of,
    route,
    sources_of,
    synthesise,
    unplaced,
    wrapper_text,
)
from hlsmem.tools.find import Tool

EXAMPLES = Path(__file__).parents[2] / "examples"

COUNTER = """module counter (input wire clk, input wire rst, input wire [3:0] by,
                output reg [3:0] value);
    always @(posedge clk) value <= rst ? 4'd0 : value + by;
endmodule
"""


def test_the_clock_is_the_median_of_the_seeds() -> None:
    timed = Timed(
        seeds=(1, 2, 3), megahertz=(90.0, 120.0, 100.0), critical_path=(), critical_path_ns=0.0
    )
    assert timed.median == 100.0


def test_a_family_has_texts_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "ecp5").mkdir()
    for name in ("a.v", "b.v", "ecp5/b.v"):
        (tmp_path / name).write_text("")
    (tmp_path / "files.f").write_text("a.v\nb.v\n")
    assert sources_of(tmp_path, "ecp5") == (tmp_path / "a.v", tmp_path / "ecp5/b.v")
    assert sources_of(tmp_path, "xc7") == (tmp_path / "a.v", tmp_path / "b.v")


def test_a_folder_without_verilog_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no files\.f"):
        sources_of(tmp_path, "ecp5")


def test_every_port_but_the_clock_stands_between_flip_flops() -> None:
    netlist = {
        "modules": {
            "m": {
                "ports": {
                    "clk": {"direction": "input", "bits": [2]},
                    "a": {"direction": "input", "bits": [3, 4, 5]},
                    "b": {"direction": "output", "bits": [6, 7]},
                }
            }
        }
    }
    ports = ports_of(netlist, "m")
    assert ports == (Port("input", "clk", 1), Port("input", "a", 3), Port("output", "b", 2))
    text = wrapper_text("m", ports)
    assert ".clk(clk)" in text
    assert ".a(drive[2:0])" in text
    assert ".b(result[1:0])" in text
    assert "sample <= result;" in text


def test_a_missing_tool_is_named_with_the_way_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlsmem.tools.synthesizers.beside_python", lambda _=None: {"PATH": ""})
    source = tmp_path / "counter.v"
    source.write_text(COUNTER)
    with pytest.raises(ToolError, match=r"no Yosys for .*pip install hlsmem\[synth\]") as error:
        synthesise([source], "counter", "ecp5")
    assert error.value.exit_code == 3


@pytest.mark.long
@pytest.mark.needs("yosys")
def test_a_counter_on_every_family(tmp_path: Path) -> None:
    source = tmp_path / "counter.v"
    source.write_text(COUNTER)
    for family in FAMILIES:
        found = synthesise([source], "counter", family, seeds=())
        assert not found.area.others
        assert found.area.flip_flops == 4
        assert found.area.block_count == found.area.multipliers == 0
        assert 4 <= found.area.luts <= 14


@pytest.mark.long
@pytest.mark.needs("yosys")
def test_a_window_takes_one_block_and_no_multiplier(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    design = str(EXAMPLES / "window3/design.yaml")
    assert main(["plan", design, "-o", out, "--set", "target.output_register=yes"]) == 0
    before = (tmp_path / "out/report.md").read_text()
    assert main(["synth", out, "--seeds", "1"]) == 0
    printed = capsys.readouterr().out
    assert "1 DP16KD" in printed
    after = (tmp_path / "out/report.md").read_text()
    assert "## Synthesis" in after
    assert set(before.splitlines()) <= set(after.splitlines())


ECP5 = FAMILIES["ecp5"].router


def tool(folder: Path, text: str) -> Tool:
    """A program that says so on its standard error, and fails."""
    program = folder / "nextpnr"
    program.write_text(f"#!/bin/sh\n{text}\nexit 125\n")
    program.chmod(0o755)
    return Tool(name="nextpnr-ecp5", command=(str(program),), version=(0, 7))


def test_families_without_a_router_are_told_apart() -> None:
    placed = {name: unplaced(name) is None for name in ("ecp5", "ice40", "xc7", "xcup")}
    assert placed == {"ecp5": True, "ice40": True, "xc7": False, "xcup": False}
    assert str(unplaced("xc7")) == (
        "no place and route for xc7: hlsmem calls nextpnr, and has none for AMD series 7;"
        " ask for the area alone with --seeds 0; the clock is told by Vivado"
    )


def test_a_chip_that_is_too_small_is_named(tmp_path: Path) -> None:
    said = "ERROR: Unable to place cell 'ram', no BELs remaining to implement cell type 'DP16KD'"
    assert ECP5 is not None
    with pytest.raises(LimitError) as caught:
        route(tool(tmp_path, f'echo "{said}" >&2'), tmp_path, ECP5, 1)
    (problem,) = caught.value.problems
    assert problem.what == (
        "the design has no room on the LFE5U-25F that it is placed on:"
        " no BELs remaining to implement cell type 'DP16KD'"
    )
    assert "--seeds 0" in problem.remedy


def test_a_tool_that_fails_is_quoted(tmp_path: Path) -> None:
    assert ECP5 is not None
    for text, told in (("echo broken >&2", ":\nbroken"), (":", " and said nothing")):
        with pytest.raises(ToolError) as caught:
            route(tool(tmp_path, text), tmp_path, ECP5, 1)
        assert caught.value.problems[0].what.endswith(f"ended with exit status 125{told}")


@pytest.mark.parametrize("seeds", ["-1", "x", "1.5", "100"])
def test_seeds_that_are_none_are_named(seeds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["synth", "somewhere", "--seeds", seeds])
    assert caught.value.code == 2
    told = f"{seeds!r} is no number of seeds; use 0 (area alone) to 99"
    assert told in " ".join(capsys.readouterr().err.split())
