"""What OUT's README says of the bits of tdata."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.polyhedra.sets import fix_parameters, points
from tests.conftest import EXAMPLES
from tests.plans import hardware_of, simulated_of
from tests.steps import load

ROW = re.compile(r"^\| `(\w+)` \| (\d+):(\d+) \| `(.+)` \|(?: (\d+) \|)* (always|tuser\[\d+\]) \|$")
NAMES = {"floordiv": lambda n, d: n // d, "mod": lambda n, d: n % d, "min": min, "max": max}

STRUCTS = """
typedef struct { short re, im; } sample;
void mix(int n, short in[n][8], short out[n][8])
{
    sample z[256][8];
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++) {
            z[i][j].re = in[i][j];
            z[i][j].im = -in[i][j];
            if (i >= 2)
                out[i][j] = z[i - 2][7 - j].re + z[(i - 1) / 2][j].im;
        }
#pragma endscop
}
"""

NEVER = """
void never(const int in[8], int out[8])
{
    int t[8];
    for (int i = 0; i < 8; i++) {
        t[i] = in[i];
        out[i] = i > 8 ? t[i - 1] : t[i] + 1;
    }
}
"""


def rows(readme: str) -> list[tuple[str, ...]]:
    return [found.groups() for line in readme.splitlines() if (found := ROW.match(line))]


@pytest.mark.few("blur", "half", "fifo", "bicubic", "triangle", "window3")
@pytest.mark.parametrize(
    "name",
    ["blur", "half", "durbin", "fifo", "bicubic", "triangle", "heat2d", "window3"],
)
def test_elements_are_those_of_the_program(name: str) -> None:
    planning = hardware_of(EXAMPLES / name / "design.yaml")
    program = planning.program
    assert program is not None
    told: dict[str, list[str]] = {}
    for stream, _, _, element, _, _ in rows(
        simulated_of(EXAMPLES / name / "design.yaml")["rtl/README.md"]
    ):
        told.setdefault(stream, []).append(element)
    assert set(told) == {stream.name for stream in planning.plan.streams}
    for stream in planning.plan.streams:
        if stream.statement is None:
            continue
        statement = next(one for one in program.statements if one.name == stream.statement)
        both = statement.writes if stream.name.startswith("s_") else statement.reads
        accesses = [access for access in both if access.array == stream.array]
        assert len(told[stream.name]) == len(accesses)
        for access, element in zip(accesses, told[stream.name], strict=True):
            made = fix_parameters(
                access.relation.intersect_domain(statement.domain), program.values
            )
            for instance in (made.domain().lexmin(), made.domain().lexmax()):
                (at,) = points(instance)
                (found,) = points(made.intersect_domain(instance).range())
                values = {**program.values, **dict(zip(statement.iterators, at, strict=True))}
                texts = re.findall(r"\[([^\]]*)\]", element.replace("/", "//"))
                assert [eval(text, NAMES, values) for text in texts] == list(found)


def test_lanes_and_elements_that_may_be_missing() -> None:
    found = rows(simulated_of(EXAMPLES / "window3/unrolled.yaml")["rtl/README.md"])
    assert len(found) == 4 + 36
    assert found[3] == ("s_in_in_in", "31", "24", "in[y][x]", "3", "always")
    assert found[4 + 9] == ("m_in_S0", "79", "72", "in[y - 1][x - 1]", "1", "tuser[9]")


def test_members_of_structs_are_arrays_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "mix.c").write_text(STRUCTS)
    planning = plan_hardware(load(tmp_path / "mix.c", parameters={"n": 16}))
    found = rows(simulated_files(planning)["rtl/README.md"])
    elements = [row[3] for row in found if row[0].startswith("m_")]
    assert elements == ["z_re[i - 2][7 - j]", "z_im[(i + 1) / 2 - 1][j]"]


def test_padding_is_left_out(tmp_path: Path) -> None:
    text = (EXAMPLES / "fifo" / "design.yaml").read_text().replace("uint32", "uint12")
    second = "[N] -> { Get[i] -> queue[floor(i/2)] }"
    reads = 'reads: ["[N] -> { Get[i] -> queue[i] }"'
    assert reads in text
    (tmp_path / "design.yaml").write_text(text.replace(reads, f'{reads}, "{second}"'))
    found = rows(
        simulated_files(plan_hardware(load(tmp_path / "design.yaml", parameters={"N": 1100})))[
            "rtl/README.md"
        ]
    )
    assert [row[1:4] for row in found if row[0] == "m_queue_Get"] == [
        ("11", "0", "queue[i]"),
        ("27", "16", "queue[i / 2]"),
    ]


def test_a_read_that_never_happens_has_stars(tmp_path: Path) -> None:
    (tmp_path / "never.c").write_text(NEVER)
    files = simulated_files(plan_hardware(load(tmp_path / "never.c")))
    found = rows(str(files["rtl/README.md"]))
    (operand,) = (row for row in found if row[3] == "t[*]")
    assert operand[0].startswith("m_t_")
