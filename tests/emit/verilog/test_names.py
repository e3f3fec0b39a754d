"""Names of generated Verilog: declared before they are used, and never two of one name."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hlsmem.check.verilog_text.readback import read_back
from hlsmem.core.verilog_library import SUFFIX
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from tests import plans as shared
from tests.dependences.cases import DESIGNS, EXAMPLES, planned
from tests.rtl.harness import LIBRARY
from tests.steps import load


def written(planning: Planning, folder: Path) -> list[Path]:
    """The Verilog of a plan, library modules included."""
    for name, text in simulated_files(planning).items():
        if name.endswith(".v"):
            (folder / Path(name).name).write_text(text)
    return sorted(folder.glob("*.v"))


@pytest.mark.few(5)
@pytest.mark.parametrize("name", DESIGNS)
def test_everything_is_declared_before_it_is_used(name: str, tmp_path: Path) -> None:
    assert read_back(written(planned(name), tmp_path), None) == ()


@pytest.mark.few("blur", "half")
@pytest.mark.parametrize("name", ["blur", "sobel", "half"])
def test_so_it_is_in_chains(name: str, tmp_path: Path) -> None:
    design = (EXAMPLES / name / "design.yaml", {"N": 8}, ("order=iteration",))
    planning = shared.hardware_of(*design)
    assert {memory.kind for memory in planning.plan.memories.values()} == {"chain"}
    for file, text in shared.simulated_of(*design).items():
        if file.endswith(".v") and "/ecp5/" not in file:
            (tmp_path / Path(file).name).write_text(text)
    assert read_back(sorted(tmp_path.glob("*.v")), None) == ()


@pytest.mark.parametrize("method", ["lattice", "successive"])
def test_so_it_is_in_steppers(method: str, tmp_path: Path) -> None:
    planning = plan_hardware(
        load(EXAMPLES / "blur/conflicts.yaml", settings=[f"plan.method={method}"])
    )
    assert read_back(written(planning, tmp_path), None) == ()


def test_so_it_is_in_the_library_and_in_the_pipeline_written_by_hand() -> None:
    sources = [*sorted(LIBRARY.glob("*.v")), EXAMPLES / "blur_pipeline/blur_pipe.v"]
    assert read_back(sources, None) == ()


@pytest.mark.few("heat")
@pytest.mark.parametrize("name", ["two by iteration", "heat"])
def test_a_declaration_moved_behind_its_use_is_found(name: str, tmp_path: Path) -> None:
    files = written(planned(name), tmp_path)
    buffer = next(file for file in files if file.name.endswith("_buffer.v"))
    lines = buffer.read_text().splitlines()
    moved = 0
    for number, line in enumerate(lines):
        declared = re.match(r"    wire (?:\[.*?\] )?(\w+);", line)
        if declared is None or not any(re.search(rf"\b{declared[1]}\b", x) for x in lines[:-1]):
            continue
        rest = [*lines[:number], *lines[number + 1 :]]
        end = rest.index("endmodule")
        buffer.write_text("\n".join([*rest[:end], line, *rest[end:]]) + "\n")
        used = 1 + next(k for k, x in enumerate(rest) if re.search(rf"\b{declared[1]}\b", x))
        found = read_back([buffer], None)
        assert found == (
            f"{buffer.name}: line {used}: '{declared[1]}' is used before it is declared",
        )
        moved += 1
    assert moved > 10


def test_a_name_declared_twice_is_found(tmp_path: Path) -> None:
    file = tmp_path / "one.v"
    file.write_text(
        "module one (\n    input wire clk,\n    output reg q\n);\n    wire x = clk;\n"
        "    always @(posedge clk) q <= x;\n    wire x = q;\nendmodule\n"
    )
    assert read_back([file], None) == ("one.v: line 7: 'x' is declared twice",)


KERNEL = """
void k(const int in[9], int out[9])
{{
    int {one}[9], {two}[9];
#pragma scop
    for (int {i} = 0; {i} < 9; {i}++)
{first}:  {one}[{i}] = in[{i}];
    for (int {i} = 0; {i} < 9; {i}++)
{second}: {two}[{i}] = {one}[8 - {i}];
    for (int {i} = 0; {i} < 9; {i}++)
{third}:  out[{i}] = {two}[{i}];
#pragma endscop
}}
"""
NAMES = {"one": "a", "two": "b", "first": "S", "second": "T", "third": "U", "i": "i"}


def planning_of(folder: Path, **names: str) -> Planning:
    (folder / "k.c").write_text(KERNEL.format(**{**NAMES, **names}))
    return plan_hardware(load(folder / "k.c"))


def test_statements_give_way_where_streams_would_have_one_name(tmp_path: Path) -> None:
    """`b_c` reads `a` and `c` reads `a_b`, and `S1` would be `s1` in another case."""
    planning = planning_of(tmp_path, one="a", two="a_b", third="c", second="b_c")
    assert {one.name for one in planning.plan.streams} >= {"m_a_b_c", "m_a_b_c_2"}
    assert read_back(written(planning, tmp_path), None) == ()


# Names of which the parts meet in generated names, or which address generators have themselves.
@pytest.mark.few(3)
@pytest.mark.parametrize(
    "names",
    [
        {"first": "S", "second": "S_next", "third": "S_0"},
        {"first": "filled", "second": "drained", "third": "load"},
        {"one": "s_a", "two": "m_a", "first": "m_a", "second": "s_a"},
        {"i": "next_x"},
        {"i": "cell_0"},
        {"i": "sum"},
        {"i": "beat"},
    ],
)
def test_names_of_the_user_do_not_meet_ours(names: dict[str, str], tmp_path: Path) -> None:
    assert read_back(written(planning_of(tmp_path, **names), tmp_path), None) == ()


CONFLICTS = """\
hlsmem: 1
name: {name}
arrays: {{{one}: {{type: int8, extents: [9]}}, {two}: {{type: int8, extents: [9]}}}}
conflicts:
  {one}: {{differences: "{{ [x] : -2 <= x <= 2 }}"}}
  {two}: {{differences: "{{ [x] : -3 <= x <= 3 }}"}}
"""


@pytest.mark.needs("iverilog")
@pytest.mark.parametrize(
    ("name", "one", "two"),
    [("bare", "a", "a_step"), ("bare", "a", "A"), ("hlsmem", f"ram{SUFFIX}", "b")],
)
def test_modules_of_conflict_sets_give_way(name: str, one: str, two: str, tmp_path: Path) -> None:
    design = tmp_path / "design.yaml"
    design.write_text(CONFLICTS.format(name=name, one=one, two=two))
    files = written(plan_hardware(load(design)), tmp_path)
    assert len({file.name.casefold() for file in files}) == len(files) >= 5
    assert read_back(files, None) == ()
    subprocess.run(["iverilog", "-t", "null", "-Wall", *files], check=True)


def test_files_of_modules_that_differ_in_case_alone_have_numbers(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(
        "void k(int in[16], int out[16]) {\n  int t[16], T[16];\n"
        "  for (int i = 0; i < 16; i++) { t[i] = in[i]; T[i] = in[i] + 1; }\n"
        "  for (int i = 2; i < 16; i++) out[i] = t[i - 1] + T[i - 2];\n}\n"
    )
    files = written(plan_hardware(load(tmp_path / "k.c")), tmp_path)
    names = [file.name for file in files]
    assert {"k_T_buffer.v", "k_t_buffer_2.v"} <= set(names)
    assert len({name.casefold() for name in names}) == len(names)
    assert read_back(files, None) == ()


@pytest.mark.few("t0", "s0")
@pytest.mark.parametrize("name", ["t0", "T1", "s0", "S1", "cell", "reg", "hlsmem_t"])
def test_names_that_are_made_are_not_those_of_the_user_in_any_case(
    name: str, tmp_path: Path
) -> None:
    text = CONDITION.replace("@", name)
    (tmp_path / "k.c").write_text(text)
    files = written(plan_hardware(load(tmp_path / "k.c")), tmp_path)
    assert len({file.name.casefold() for file in files}) == len(files)
    assert read_back(files, None) == ()


@pytest.mark.needs("iverilog")
def test_keywords_of_verilog_may_name_all_that_c_names(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(KEYWORDS)
    files = written(plan_hardware(load(tmp_path / "k.c", parameters={"reg": 8})), tmp_path)
    assert read_back(files, None) == ()
    subprocess.run(["iverilog", "-t", "null", "-Wall", *files], check=True)


KEYWORDS = """
void module(int reg, const int in[reg], int out[reg])
{
    int wire[reg];
#pragma scop
    for (int posedge = 0; posedge < reg; posedge++)
always: wire[posedge] = in[posedge];
    for (int i = 0; i < reg; i++)
begin:  out[i] = wire[i];
#pragma endscop
}
"""
CONDITION = """
void k(const short in[8][9], short out[8][9]) {
    short @[8][9];
    int m = 0;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 9; x++) {
            if (in[y][x] * in[y][x] > 50) m = in[y][x];
            @[y][x] = m;
        }
    for (int y = 1; y < 8; y++)
        for (int x = 0; x < 9; x++) out[y][x] = @[y][x] + @[y - 1][x];
}
"""
