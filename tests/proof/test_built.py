"""What plan.json says of storage is held against the Verilog and the header beside it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import hlsmem_verify
from hlsmem.check.plans.proof_check import check_proof
from hlsmem.core.verdict import Status
from hlsmem_verify import LEMMAS
from hlsmem_verify.facts import Facts
from hlsmem_verify.judge import Found, judged
from tests.conftest import EXAMPLES
from tests.plans import files_of, put, simulated_of
from tests.proof.documents import Document

Files = dict[str, str]
DURBIN = pytest.param("durbin", marks=pytest.mark.dear)
DESIGNS = ("triangle", "two_readers", DURBIN, "threshold", "blur")


BUILT = [one for one in LEMMAS if one.name in ("bytes of C", "top", "built")]


def files(design: str) -> Files:
    return simulated_of(EXAMPLES / design / "design.yaml")


def false(found: Files) -> list[str]:
    """What storage of these files is false, as the command says it."""
    said = judged_of(found)
    assert set(said.open.values()) <= {"it is false"}
    return said.false


def judged_of(found: Files) -> Found:
    texts = {name: text for name, text in found.items() if name != "plan.json"}
    return judged(Facts(json.loads(found["plan.json"]), texts), BUILT)


@pytest.mark.parametrize("design", DESIGNS)
def test_what_is_built_is_what_is_planned(design: str) -> None:
    assert false(files(design)) == []


@pytest.mark.parametrize("design", ["wire", "waits", "rates"])
def test_of_chains_without_a_delay_and_of_fifos_too(design: str) -> None:
    found = simulated_of(EXAMPLES.parent / "tests" / "storage" / "designs" / f"{design}.yaml")
    assert false(found) == []


Fault = Callable[[Document], None]


def in_memory(name: str, **changed: object) -> Fault:
    def change(document: Document) -> None:
        document["memories"][name] |= changed

    return change


def exchanged(one: str, other: str) -> Fault:
    def change(document: Document) -> None:
        own = document["memories"]
        own[one], own[other] = own[other], own[one]

    return change


def parts_exchanged(document: Document) -> None:
    """Two RAMs of as many words, each where the other is."""
    parts = document["arrays"]["y"]["holdings"]["hardware"]["parts"]
    parts[0]["memory"], parts[1]["memory"] = parts[1]["memory"], parts[0]["memory"]


PLANNED: dict[str, tuple[str, Fault, str]] = {
    "half the words": (
        "triangle",
        in_memory("sum", words=32),
        "2048 bits are built, 1024 are planned, 32 words of 32",
    ),
    "half the words of a copy": (
        "threshold",
        in_memory("t", words=73),
        "1176 bits are built, 584 are planned, 73 words of 8",
    ),
    "half the words of a chain": (
        "blur",
        in_memory("blurx", words=64),
        "4128 bits are built, 2048 are planned, 64 words of 32",
    ),
    "half the words of one of several": (
        "durbin",
        in_memory("y_2", words=97),
        "12480 bits are built, 6208 are planned, 97 words of 64",
    ),
    "words for 2 in a FIFO": (
        "two_readers",
        in_memory("t_0", words=91),
        "1024 bits are built, 1456 are planned, 91 words of 16",
    ),
    "other bits": (
        "two_readers",
        in_memory("t_1", bits=32, words=32),
        "16 bits are built, 32 are planned",
    ),
    "a copy less": (
        "triangle",
        in_memory("sum", copies=1),
        "2 RAMs of 32 words are built, 1 copies of 64 words in 1 banks are planned",
    ),
    "a copy less of three": (
        "threshold",
        in_memory("t", copies=2, words=98),
        "1176 bits are built, 784 are planned, 98 words of 8",
    ),
    "banks for copies": (
        "triangle",
        in_memory("sum", copies=1, banks=2, kind="banked"),
        "",
    ),
    "RAM as registers": (
        "triangle",
        in_memory("sum", kind="registers"),
        "hlsmem_ram are built, a memory of kind registers is planned",
    ),
    "RAM as a FIFO": (
        "durbin",
        in_memory("y_0", kind="fifo"),
        "hlsmem_ram are built, a memory of kind fifo is planned",
    ),
    "a chain as registers": (
        "blur",
        in_memory("blurx", kind="registers"),
        "hlsmem_delay are built, a memory of kind registers is planned",
    ),
    "registers as a chain": (
        "two_readers",
        in_memory("t_2", kind="chain"),
        "1 runs are built, a memory of kind chain is planned",
    ),
    "another style": (
        "two_readers",
        in_memory("t_0", style="distributed"),
        "style block is built, distributed is planned",
    ),
    "another style of a chain": (
        "blur",
        in_memory("blurx", style="large"),
        "style auto is built, huge is planned",
    ),
    "two memories exchanged": (
        "durbin",
        exchanged("y_2", "y_3"),
        "12480 bits are built, 6400 are planned, 100 words of 64",
    ),
    "RAM and register exchanged": (
        "threshold",
        exchanged("bright", "t"),
        "hlsmem_register are built, a memory of kind ram is planned",
    ),
    "FIFO and register exchanged": (
        "two_readers",
        exchanged("t_1", "t_2"),
        "hlsmem_fifo are built, a memory of kind registers is planned",
    ),
    "parts of one size exchanged": (
        "durbin",
        parts_exchanged,
        "reads from it, m_y_0_",
    ),
}


@pytest.mark.parametrize("fault", PLANNED)
def test_a_fault_of_what_is_planned_is_one_line(fault: str) -> None:
    design, change, what = PLANNED[fault]
    found = files(design)
    document = json.loads(found["plan.json"])
    wrong = copy.deepcopy(document)
    change(wrong)
    if fault == "banks for copies":  # two RAMs of half the words are what two banks are
        assert false({**found, "plan.json": json.dumps(wrong)}) == []
        assert hlsmem_verify.verify(wrong)["false"]
        return
    told = false({**found, "plan.json": json.dumps(wrong)})
    line = next(one for one in told if what in one)
    memory = line.split(":")[0].removeprefix("memories.")
    assert memory in document["memories"]
    assert re.search(rf": rtl/{design}_{memory}_buffer\.v:\d+: ", line)


def test_the_check_and_the_command_say_it_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = files("triangle")
    put(tmp_path, found)
    verdict, *_ = check_proof("triangle", found["plan.json"], tmp_path)
    assert verdict.status is Status.PASS
    assert verdict.detail.endswith(" claims proved from plan.json and rtl")
    assert hlsmem_verify.main([str(tmp_path), "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "memories.sum.style: proved by built" in lines
    assert "memories.sum.words: proved by built, memory" in lines
    assert lines[-1].endswith(" claims proved, 0 false, 0 open")
    assert hlsmem_verify.main([str(tmp_path / "plan.json"), "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "memories.sum.style: measured" in lines
    assert lines[-1].endswith(" 0 open; storage not compared: no rtl here")
    document = json.loads(found["plan.json"])
    document["memories"]["sum"]["words"] = 32
    (tmp_path / "plan.json").write_text(json.dumps(document))
    assert hlsmem_verify.main([str(tmp_path)]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    verdict, *_ = check_proof("triangle", json.dumps(document), tmp_path)
    assert verdict.status is Status.FAIL
    what = "2048 bits are built, 1024 are planned, 32 words of 32"
    assert re.fullmatch(rf"FALSE  memories\.sum: rtl/triangle_sum_buffer\.v:\d+: {what}", first)
    assert verdict.detail.startswith(first.removeprefix("FALSE  "))


BUFFER = "rtl/triangle_sum_buffer.v"


def replaced(old: str, new: str, file: str = BUFFER) -> Callable[[Files], None]:
    def change(found: Files) -> None:
        assert old in found[file]
        found[file] = found[file].replace(old, new, 1)

    return change


def without_a_copy(found: Files) -> None:
    text = found[BUFFER]
    start = text.index("    hlsmem_ram_v")
    found[BUFFER] = text[:start] + text[text.index(");\n", text.index("u_sum_0 (", start)) + 3 :]


def twice(found: Files) -> None:
    found["rtl/other.v"] = "module triangle_sum_buffer (); endmodule\n"


def without(found: Files) -> None:
    del found[BUFFER]


def at_two_lines(found: Files) -> None:
    found[BUFFER] = found[BUFFER].replace("module triangle", "/* a\n\nb */ module triangle", 1)
    found[BUFFER] = found[BUFFER].replace(".DEPTH(32)", ".DEPTH(16)", 1)


TEXTS: dict[str, tuple[Callable[[Files], None], str]] = {
    "half the words": (replaced(".DEPTH(32)", ".DEPTH(16)"), r":\d+: 1536 bits are built, 2048"),
    "2^40 words": (replaced(".DEPTH(32)", f".DEPTH({1 << 40})"), r"bits are built, 2048 are"),
    "no number": (replaced(".DEPTH(32)", ".DEPTH(N)"), r":\d+: DEPTH of hlsmem_ram is no number"),
    "a sum": (replaced(".DEPTH(32)", ".DEPTH(16 + 16)"), r":\d+: DEPTH of hlsmem_ram is no number"),
    "long number": (
        replaced(".DEPTH(32)", f".DEPTH({'3' * 30})"),
        r"DEPTH of hlsmem_ram is no num",
    ),
    "by default": (
        replaced(".DEPTH(32)", ".COLUMNS(32)"),
        r":\d+: DEPTH of hlsmem_ram is no number",
    ),
    "a macro": (replaced(".DEPTH(32)", ".DEPTH(`WORDS)"), r":\d+: `WORDS may be anything"),
    "twice a parameter": (replaced(".DEPTH(32)", ".DEPTH(32), .DEPTH(32)"), "once each"),
    "by place": (replaced(".WIDTH(32),", "32,"), "parameters are not given by name"),
    "a copy less": (without_a_copy, r"1024 bits are built, 2048 are planned"),
    "a memory of its own": (
        replaced("endmodule", "reg [7:0] more [0:255];\nendmodule"),
        r":\d+: more is a memory of its own",
    ),
    "under a condition": (
        replaced("    hlsmem_ram_v", "    if (0) hlsmem_ram_v"),
        r":\d+: hlsmem_ram_v\w+ is built under a condition",
    ),
    "many of it": (
        replaced("    hlsmem_ram_v", "    for (;;) hlsmem_ram_v"),
        ":[0-9]+: for stands",
    ),
    "another module": (
        replaced("endmodule", "more u_more (.clk(clk));\nendmodule"),
        r":\d+: more is nothing that a memory is made of",
    ),
    "no end": (replaced("endmodule", ""), r":\d+: module triangle_sum_buffer has no end"),
    "cut": (lambda found: found.update({BUFFER: found[BUFFER][:2000]}), "has no end"),
    "missing": (without, "rtl: there is no module triangle_sum_buffer"),
    "twice": (twice, r"rtl/triangle_sum_buffer\.v:\d+ and rtl/other\.v:1: .* is there twice"),
    "another top": (
        replaced("module triangle_mem", "module another", "rtl/triangle_mem.v"),
        "there is no module triangle_mem",
    ),
    "not in the top": (
        replaced("triangle_sum_buffer u_sum", "more u_sum", "rtl/triangle_mem.v"),
        "rtl/triangle_mem.v:[0-9]+: triangle_mem has 0 of triangle_sum_buffer, not one",
    ),
    "lines behind a comment": (at_two_lines, r":\d+: 1536 bits are built, 2048 are planned"),
}


@pytest.mark.parametrize("fault", TEXTS)
def test_a_fault_of_what_is_built_is_named_with_its_place(fault: str) -> None:
    change, what = TEXTS[fault]
    found = files("triangle")
    change(found)
    told = false(found)
    assert re.search(what, told[0]), told
    place = re.search(r"rtl/(\w+\.v):(\d+)", told[0])
    if place is not None:  # the line that it names is one of the file
        assert 0 < int(place[2]) <= found[f"rtl/{place[1]}"].count("\n") + 1


def test_the_line_is_that_of_the_instance() -> None:
    found = files("triangle")
    at_two_lines(found)
    line = found[BUFFER][: found[BUFFER].index("hlsmem_ram_v")].count("\n") + 1
    assert f"{BUFFER}:{line}: " in false(found)[0]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"module a;\r\nendmodule\r\n", r"rtl/a.v:1: lines end in CR"),
        (b"\xff\xfe", "rtl/a.v cannot be read"),
        (b" " * ((16 << 20) + 1), "more than 16 MiB"),
    ],
)
def test_what_hlsmem_does_not_write_is_refused(
    tmp_path: Path, text: bytes, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl" / "a.v").write_bytes(text)
    plan = files("triangle")["plan.json"]
    (tmp_path / "plan.json").write_text(plan)
    assert hlsmem_verify.main([str(tmp_path)]) == 2
    assert what in capsys.readouterr().err
    verdict, *_ = check_proof("triangle", plan, tmp_path)
    assert verdict.status is Status.FAIL
    assert what in verdict.detail


# ---- The header of C


HEADER = "host/durbin.h"
WORKSPACE = "((size_t)(2 * DURBIN_N - 3) * sizeof(double))"


def header(text: str, **more: str) -> list[str]:
    found = files_of(EXAMPLES / "durbin" / "design.yaml")
    assert WORKSPACE in found[HEADER]
    found[HEADER] = more.get("front", "") + found[HEADER].replace(WORKSPACE, text)
    return judged_of({"plan.json": found["plan.json"], HEADER: found[HEADER]}).false


@pytest.mark.parametrize(
    "text",
    [
        WORKSPACE,
        "(197u * sizeof(double))",
        "(8 * 197)".replace("8 *", "sizeof(double) *"),
        "(\\\n 197u * sizeof(double))",
        "((size_t)HLSMEM_MAX(DURBIN_N + 97, 3) * sizeof(long long))",
        "((size_t)(HLSMEM_FLOOR_DIVIDE(4 * DURBIN_N - 6, 2)) * sizeof(double))",
    ],
)
def test_bytes_of_c_are_read(text: str) -> None:
    assert header(text) == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(196u * sizeof(double))", "1568 bytes of C hold y, 1576 are planned"),
        ("(197u * sizeof(float))", "788 bytes of C hold y, 1576 are planned"),
        ("(197u * sizeof(double) + 8u)", "the workspace has 1584 bytes, 1576 are planned"),
        ("(1576)", "the workspace has 1576 bytes, 1576 are planned"),
        ("(NOWHERE * sizeof(double))", "a number of bytes or cells is not understood"),
        ("(197u * sizeof(nothing))", "a number of bytes or cells is not understood"),
        ("(DURBIN_WS_BYTES)", "a number of bytes or cells is not understood"),
        (f"({'(' * 90}1", "a number of bytes or cells is not understood"),
        ("(1 / 0 * sizeof(double))", "a number of bytes or cells is not understood"),
        (f"({'9' * 40}u * sizeof(double))", "a number of bytes or cells is not understood"),
    ],
)
def test_other_bytes_of_c_are_named(text: str, what: str) -> None:
    (told,) = header(text)
    assert re.fullmatch(rf"host: {HEADER}:\d+: {what}", told)


def test_a_macro_that_is_there_twice_is_named() -> None:
    (told,) = header(WORKSPACE, front="#define DURBIN_WS_BYTES (8)\n")
    assert re.fullmatch(rf"host: {HEADER}:1 and {HEADER}:\d+: DURBIN_WS_BYTES is there twice", told)


def test_cells_of_given_conflicts_are_those_of_the_header() -> None:
    found = files_of(EXAMPLES / "blur" / "conflicts.yaml")
    name = "host/blur_conflicts.h"
    assert "#define BLURX_CELLS 129" in found[name]
    changed = found[name].replace("_CELLS 129", "_CELLS 128")
    (told,) = judged_of({"plan.json": found["plan.json"], name: changed}).false
    assert re.fullmatch(rf"host: {name}:\d+: 128 cells hold blurx, 129 are planned", told)
