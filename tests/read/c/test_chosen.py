"""Elements that data choose: between which bounds, and what keeps their cells."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program
from tests.check.subjects import proof
from tests.faults.plans import modulus_minus_one
from tests.plans import plan_storage, whole_files
from tests.proof.mappings import conflicts_of
from tests.read.c.kernels import read, region
from tests.steps import load

HIST = Path(__file__).parent / "idioms" / "histogram.c"


def between(folder: Path, subscript: str, before: str = "") -> tuple[int, int]:
    """The least and the greatest element of A that a subscript over data may be, at i = 3."""
    signature = "int A[1000], const unsigned char u[8], const signed char s[8], const int v[8]"
    text = region(f"for (int i = 0; i < 8; i++) A[{subscript}] = 0;", signature, before)
    (statement,) = read(folder, text, parameters=()).statements
    (write,) = statement.writes
    assert write.chosen
    assert not write.must
    at = fix_parameters(write.relation, {}).fix_val(DimType.in_, 0, 3)
    values = at.range()
    return int(values.dim_min_val(0).to_python()), int(values.dim_max_val(0).to_python())


CLAMP = (
    "static int clamp(int x, int a, int b) { if (x < a) return a; if (x > b) return b; return x; }"
)


@pytest.mark.parametrize(
    ("subscript", "least", "greatest"),
    [
        ("u[i]", 0, 255),
        ("u[i] >> 4", 0, 15),
        ("u[i] / 3", 0, 85),
        ("u[i] % 10", 0, 9),
        ("u[i] + i", 3, 258),
        ("300 - u[i]", 45, 300),
        ("2 * u[i] + 1", 1, 511),
        ("-2 * u[i] + 600", 90, 600),
        ("s[i] + 128", 0, 255),
        ("s[i] & 31", 0, 31),
        ("v[i] & 63", 0, 63),
        ("v[i] % 8 + 7", 0, 14),
        ("(unsigned char)v[i]", 0, 255),
        ("(unsigned)v[i] % 100u", 0, 99),
        ("u[i] < 10 ? u[i] : 9", 0, 9),
        ("v[i] < 0 ? 0 : v[i] > 20 ? 20 : v[i]", 0, 20),
        ("u[i] > u[i + 1 < 8 ? i + 1 : i]", 0, 1),
        ("!v[i] + 4", 4, 5),
        ("clamp(v[i], i, 2 * i)", 3, 6),
        ("clamp(i + s[i], 0, 7)", 0, 7),
        ("v[i]", 0, 999),
        ("v[i] * v[i]", 0, 999),
    ],
)
def test_bounds_are_those_of_types_and_operators(
    subscript: str, least: int, greatest: int, tmp_path: Path
) -> None:
    assert between(tmp_path, subscript, CLAMP) == (least, greatest)


@pytest.mark.parametrize("subscript", ["i * i", "i * 3 % i"])
def test_what_no_data_is_in_is_refused_as_before(subscript: str, tmp_path: Path) -> None:
    text = region(f"for (int i = 1; i < 8; i++) A[{subscript}] = 0;", "int A[1000]")
    with pytest.raises(InputError, match="non-affine expression"):
        read(tmp_path, text, parameters=())


def hist() -> Planning:
    return plan_storage(load(HIST))


def test_one_cell_less_is_a_fault_of_proof(tmp_path: Path) -> None:
    planning = hist()
    write_folder(tmp_path / "out", whole_files(planning))
    document = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert isinstance(planning.program, Program)
    faulty = [one for _, one in modulus_minus_one(document)]
    assert faulty
    for one in faulty:
        assert Status.FAIL in {verdict.status for verdict in proof(one).values()}


def test_a_possible_write_hides_nothing_and_a_possible_read_keeps_all() -> None:
    """All 256 counters are alive together to the end."""
    program = hist().program
    assert program is not None
    pairs = fix_parameters(conflicts_of(program, "h").wrap(), program.values)
    assert pairs.count_val().to_python() == 256 * 255


def test_data_that_decide_have_no_streams_and_say_where() -> None:
    planning = plan_storage(load(Path(__file__).parent / "idioms" / "look_up.c"))
    assert {stream.array for stream in planning.plan.streams} == {"t"}
    (part,) = planning.plan.arrays["lut"].hardware.parts
    assert part.operands == ()
    assert planning.program is not None
    access = planning.program.decided_by_data()["lut"]
    assert access.source_location is not None
    assert access.source_location.line == 9


@pytest.mark.parametrize(
    ("setting", "words"),
    [("order=iteration", "order: iteration"), ("plan.schedules=tiled", "plan.schedules: tiled")],
)
def test_orders_that_need_to_know_the_elements_are_refused(setting: str, words: str) -> None:
    with pytest.raises(InputError, match=f"{words}.* data decide which elements of 'h'"):
        load(HIST, settings=[setting])


def test_what_nothing_can_provide_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "void f(const unsigned char in[8], int out[8])\n{\n    int s[8];\n"
        "    for (int i = 0; i < 8; i++)\n        out[i] = s[in[i] % 8];\n}\n"
    )
    with pytest.raises(InputError, match="'s' is read before any statement writes it"):
        plan_storage(load(file))


def test_a_wrong_fold_of_what_data_choose_is_seen_by_host(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, whole_files(hist()))
    file = next((out / "host").glob("*.c"))
    text = file.read_text()
    assert "hlsmem_h_cell(in[i])" in text
    file.write_text(text.replace("hlsmem_h_cell(in[i])", "hlsmem_h_cell(in[i] / 2)"))
    verdicts = run_checks(out, only=("host",)).verdicts
    assert any(one.status is Status.FAIL for one in verdicts)


@pytest.mark.parametrize(
    ("name", "words"), [("k.hpp", "is neither C, C\\+\\+ nor"), ("k.h", "C files end in")]
)
def test_sources_of_another_kind_are_named(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("void f(int a[4]) { a[0] = 1; }\n")
    with pytest.raises(InputError, match=words):
        load(tmp_path / name)


def test_files_of_a_folder_are_named(tmp_path: Path) -> None:
    for name in ("k.c", "design.yaml", "notes.txt"):
        (tmp_path / name).write_text("")
    with pytest.raises(InputError, match="is a folder; name a file in it: design\\.yaml, k\\.c"):
        load(tmp_path)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["histogram", "look_up", "branches_on_data", "guarded"])
def test_the_verifier_proves_every_claim(name: str, tmp_path: Path) -> None:
    """It shares no code with the planner: its own rule says which arrays have no streams."""
    planning = plan_design(load(HIST.with_name(f"{name}.c")))
    write_folder(tmp_path / "out", whole_files(planning))
    command = [sys.executable, "-m", "hlsmem_verify", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "0 false, 0 open" in done.stdout
