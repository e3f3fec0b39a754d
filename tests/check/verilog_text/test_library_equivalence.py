"""Another text of a library module passes only as the same circuit, by proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import Status, run_checks
from hlsmem.check.verilog_text.library_equivalence import equality_of
from hlsmem.check.verilog_text.lint import find_yosys
from hlsmem.core import verilog_library as library
from hlsmem.tools.foreign_verilog import foreign
from tests.plans import files_of, put

BLUR = Path(__file__).resolve().parents[3] / "examples" / "blur" / "design.yaml"
DELAY, RAM = (f"{library.versioned(name)}.v" for name in ("hlsmem_delay", "hlsmem_ram"))

pytestmark = pytest.mark.formal


@pytest.fixture
def out(tmp_path: Path) -> Path:
    put(tmp_path, files_of(BLUR, {"N": 8}))
    return tmp_path


def rewrite(out: Path, file: str, before: str, after: str) -> None:
    text = (out / "rtl" / file).read_text()
    assert before in text
    (out / "rtl" / file).write_text(text.replace(before, after, 1))


def troubles(out: Path) -> list[str]:
    return [*foreign(out / "rtl", equality_of("blur_mem", find_yosys()))]


def test_the_same_circuit_in_other_words_is_taken(out: Path) -> None:
    rewrite(out, DELAY, "rst | (en & r_last);", "(r_last & en) | rst;  // the other way round")
    rewrite(out, RAM, "if (r_en) latch <=", "if (r_en == 1'b1) latch <=")
    assert not troubles(out)
    (verdict, *others) = run_checks(out, ("rtl",)).verdicts
    assert verdict.status is Status.PASS, verdict
    assert all(one.status is Status.PASS for one in others)


FAULTS = {
    "writes dropped": (RAM, "if (w_en) cells[w_addr]", "if (w_en & w_addr != 3) cells[w_addr]"),
    "bits turned": (RAM, "<= w_data;", "<= {w_data[0], w_data[WIDTH-1:1]};"),
    "another cell": (RAM, "cells[r_addr]", "cells[r_addr ^ 1]"),
    "read always": (RAM, "if (r_en) latch", "if (1'b1) latch"),
    "no reset": (DELAY, "rst | (en & r_last);", "en & r_last;"),
    "one beat late": (DELAY, "BEFORE_LAST = DEPTH - 2", "BEFORE_LAST = DEPTH - 1"),
    "no Verilog": (DELAY, "endmodule", "nothing endmodule"),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("fault", FAULTS)
def test_another_circuit_is_refused(out: Path, fault: str) -> None:
    file, before, after = FAULTS[fault]
    # The two places of a RAM, with collisions and without: one of them is this design's.
    text = (out / "rtl" / file).read_text()
    assert before in text
    (out / "rtl" / file).write_text(text.replace(before, after))
    (trouble,) = troubles(out)
    assert trouble.startswith(f"rtl/{file}:")
    said = "yosys does not take it" if fault == "no Verilog" else "nothing proves that hlsmem_"
    assert f": not the module of hlsmem 0.1.0, and {said}" in trouble


OBEYED = {
    "`ifdef": ("    reg [WIDTH-1:0] latch;", "`ifdef X\n    reg [WIDTH-1:0] latch;\n`endif"),
    "`ifndef": ("latch <= {WIDTH{1'bx}};", "latch <= {WIDTH{1'b0}};"),
    "initial": ("    reg [WIDTH-1:0] latch;", "    reg [WIDTH-1:0] latch;\n    initial latch = 0;"),
    "(*": ("module hlsmem", "(* blackbox *) module hlsmem"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("word", OBEYED)
def test_what_tools_obey_stands_as_it_was(out: Path, word: str) -> None:
    rewrite(out, RAM, *OBEYED[word])
    (trouble,) = troubles(out)
    assert ": it has " in trouble
    assert word in trouble


def test_a_module_that_is_not_used_has_no_proof(out: Path) -> None:
    file = library.versioned("hlsmem_fifo")
    text = library.installed()[f"{file}.v"]
    (out / "rtl" / f"{file}.v").write_text(text.replace("endmodule", "endmodule  // mine"))
    (trouble,) = troubles(out)
    assert trouble.endswith("not used here, so that nothing proves it")
