"""Verilog that hlsmem did not write is refused on its tokens, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import Status, run_checks
from hlsmem.core import verilog_library as library
from hlsmem.core.errors import InputError
from hlsmem.synthesis import sources_of
from hlsmem.tools.foreign_verilog import foreign, refused, tokens
from tests.plans import files_of, put

BLUR = Path(__file__).resolve().parents[2] / "examples" / "blur" / "design.yaml"
RAM = f"rtl/{library.versioned('hlsmem_ram')}.v"
TOP = "rtl/blur_mem.v"

REFUSED = {
    'initial $fopen("x");': ["keyword 'initial'", "system call '$fopen'"],
    "`ifdef YOSYS": ["directive '`ifdef'"],
    '`include "/etc/passwd"': ["directive '`include'"],
    "always @(posedge clk) assume(0);": ["keyword 'assume'"],
    "assert property (x);": ["keyword 'assert'", "keyword 'property'"],
    "cover(x);": ["keyword 'cover'"],
    "force u.x = 1;": ["keyword 'force'", "name inside another module"],
    "defparam u_a.DEPTH = 1;": ["keyword 'defparam'", "name inside another module"],
    "assign x = u_a .y;": ["name inside another module"],
    "assign x = block[0].y;": ["name inside another module"],
    "assign x = \\u_a .y;": ["name inside another module"],
    "(* blackbox *) wire x;": ["attribute"],
    "// synopsys translate_off": ["comment that tools obey"],
    "/* verilator\nlint_off */": ["comment that tools obey"],
    "x = $random;": ["system call '$random'"],
}
TAKEN = [
    "`timescale 1ns/1ps",
    "`default_nettype none",
    "sub #(.N(4)) u_sub (.clk(clk), .d({a, b[3:0]}), .q());",
    "wire signed [3:0] x = $signed(a) + $clog2(4'd9);",
    "// initial force `ifdef $fopen of a comment",
    'localparam NAME = "initial `x $y";',
    "always @(*) y = a * b;",
    "wire assumed, initially;",
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_generated_verilog_never_has(text: str) -> None:
    found = [what for _, what in refused(text)]
    assert [what.removeprefix("the ").removeprefix("a ").removeprefix("an ") for what in found] == (
        REFUSED[text]
    )


@pytest.mark.parametrize("text", TAKEN)
def test_what_generated_verilog_may_have(text: str) -> None:
    assert not list(refused(text))


def test_tokens_know_their_places() -> None:
    found = [(one.text, one.line, one.column) for one in tokens("a /* b\n c */ d\n\te 4'b1?0")]
    assert found == [
        ("a", 1, 1),
        ("/* b\n c */", 1, 3),
        ("d", 2, 7),
        ("e", 3, 2),
        ("4'b1?0", 3, 4),
    ]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    put(tmp_path, files_of(BLUR, {"N": 8}))
    return tmp_path


def plant(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))


def test_what_hlsmem_wrote_is_its_own(out: Path) -> None:
    assert not list(foreign(out / "rtl"))


def test_a_library_file_is_compared_with_the_installed_one(out: Path) -> None:
    plant(out / RAM, "if (w_en", "if (w_en && w_cell != 3")
    (trouble,) = foreign(out / "rtl")
    assert trouble.startswith(f"{RAM}:")
    assert trouble.endswith(": not the module of hlsmem 0.1.0")


def test_a_file_of_another_version_is_named(out: Path) -> None:
    (out / RAM).rename(out / "rtl" / "hlsmem_ram_v0_0_9.v")
    (trouble,) = foreign(out / "rtl")
    assert trouble == "rtl/hlsmem_ram_v0_0_9.v is a module of another version than hlsmem 0.1.0"


def test_check_and_synth_refuse_it_before_any_tool_reads_it(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "owned"
    plant(out / TOP, "endmodule", f'initial $fdisplay($fopen("{written}"), "x");\nendmodule')
    monkeypatch.setattr("hlsmem.check.rtl.rtl_verdicts.run_bench", None)
    monkeypatch.setattr("hlsmem.check.rtl.rtl_verdicts.static_faults", None)
    (verdict,) = run_checks(out, ("rtl",)).verdicts
    line = (out / TOP).read_text().splitlines().index("endmodule")
    place = f"rtl/blur_mem.v:{line}:1"
    assert verdict.status is Status.FAIL
    assert verdict.detail == (
        f"{place}: the keyword 'initial', which hlsmem never writes (and 2 more)"
    )
    with pytest.raises(InputError, match=f"{place}: the keyword 'initial'"):
        sources_of(out / "rtl", "ecp5")
    assert not written.exists()
