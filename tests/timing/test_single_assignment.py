"""Single assignment for arrays in place: values, operands, last writes, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import run_checks
from hlsmem.check.replayed.replay_check import Disagreement, run_of
from hlsmem.core.errors import InputError
from hlsmem.emit.output_folder import write_folder
from hlsmem.mapping.vectors import vectors_of
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.polyhedra import UnionMap, UnionSet
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import differences, fix_parameters
from hlsmem.program.model import Program
from hlsmem.program.schedule_classes import AnyOrder
from hlsmem.timing.class_dependences import dependences, union_of_dependences
from hlsmem.timing.planned_program import arranged
from hlsmem.timing.value_flow import dataflow
from tests.families import by_default
from tests.plans import plan_storage, whole_files
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SEIDEL = EXAMPLES / "seidel" / "design.yaml"

# Statements of different depths, a scalar, a compound assignment, an increment, narrow types.
KERNEL = """\
#define N 6
#define T 3
void smooth(const short in[N], short out[N])
{
    short b[N], s;
    for (int i = 0; i < N; i++)
        b[i] = in[i];
    for (int t = 0; t < T; t++) {
        s = 0;
        for (int i = 1; i < N; i++) {
            s += b[i];
            b[i] = (short)(b[i - 1] + b[i] + s);
        }
        b[0]++;
    }
    for (int i = 0; i < N; i++)
        out[i] = b[i];
}
"""


def kernel(folder: Path, plan: str, text: str = KERNEL) -> Path:
    (folder / "smooth.c").write_text(text)
    (folder / "design.yaml").write_text(
        "hlsmem: 1\nname: smooth\nparams: {N: 6, T: 3}\n"
        'context: "[N, T] -> { : N >= 3 and T >= 1 }"\n'
        f"kernel: {{file: smooth.c}}\nplan: {plan}\n"
    )
    return folder / "design.yaml"


def program_of(file: Path, *settings: str) -> Program:
    found = load(file, settings=settings).input
    assert isinstance(found, Program)
    return arranged(found)


def refusal(file: Path, *settings: str) -> str:
    with pytest.raises(InputError) as caught:
        program_of(file, *settings)
    (problem,) = caught.value.problems
    return f"{problem.what}; {problem.remedy}"


def test_gauss_seidel_is_the_paper_s_stencil_and_in_place_is_its_universal_answer() -> None:
    program = program_of(SEIDEL)
    assert program.arrays["a_v"].index == ("t", "i")
    flow = next(one for one in dependences(program) if one.array == "a_v")
    (relation,) = (flow.relation.get_map_list().get_at(0),)
    vectors = {tuple(v) for v in distinct_points(fix_parameters(differences(relation),
        program.values)).tolist()}  # fmt: skip
    assert {v for v in vectors if v > (0, 0)} == {(0, 1), (1, -1), (1, 0)}
    found = vectors_of(program, program.arrays["a_v"], AnyOrder(), kinds=("uov",), most=6)
    assert found.kinds["uov"].shortest == ((1, 0),)


def test_what_is_there_before_and_the_last_values_stay_with_the_array() -> None:
    (statement,) = program_of(SEIDEL).statements
    own = [one for one in (*statement.reads, *statement.writes) if one.array == "a"]
    at = UnionMap("[N, T] -> { S[t, i] -> a[x] : 0 <= t < T and 1 <= i <= N - 2 }")
    before = "x = i - 1 and i = 1 or x = i and t = 0 or x = i + 1 and (t = 0 or i = N - 2)"
    found = UnionMap("{ }")
    for one in own[:-1]:
        found = found.union(UnionMap.from_map(one.relation))
    context = statement.domain.params()
    wanted = UnionMap(f"[N, T] -> {{ S[t, i] -> a[x] : {before} }}").intersect(at)
    assert found.intersect_params(context).is_equal(wanted.intersect_params(context))
    last = UnionMap("[N, T] -> { S[t, i] -> a[i] : t = T - 1 and 1 <= i <= N - 2 }")
    made = UnionMap.from_map(own[-1].relation).intersect_params(context)
    assert made.is_equal(last.intersect_params(context))


def test_operands_of_one_reference_are_disjoint_and_see_the_values_of_the_source(
    tmp_path: Path,
) -> None:
    program = program_of(kernel(tmp_path, "{expand: [b, s]}"))
    assert set(program.arrays) == {"in", "out", "b_v", "s_v"}
    assert program.arrays["b_v"].index == ("s", "t", "i")  # three statements write b
    for name in ("b_v", "s_v"):
        assert dataflow(program, name).written_once
    for statement in program.statements:
        nodes = {id(one.node) for one in statement.reads}
        for node in nodes:
            domains = [one.relation.domain() for one in statement.reads if id(one.node) == node]
            covered = UnionSet("{ }")
            for domain in domains:
                assert covered.is_disjoint(UnionSet.from_set(domain))
                covered = covered.union(UnionSet.from_set(domain))
    # Anti and output dependences of b and s are gone: only flow is left.
    assert {one.kind for one in dependences(program)} == {"flow"}
    assert not union_of_dependences(dependences(program)).is_empty()


@pytest.mark.few("given")
@pytest.mark.parametrize("schedules", ["given", "any"])
def test_an_expanded_kernel_passes_its_checks(tmp_path: Path, schedules: str) -> None:
    design = load(kernel(tmp_path, f"{{expand: [b, s], schedules: {schedules}}}"))
    plan, more = by_default((plan_storage, ()), (plan_design, ("host", "rtl")))
    write_folder(tmp_path / "out", whole_files(plan(design)))
    only = ("proof", "replay", *more)
    verdicts = run_checks(tmp_path / "out", only, orders=3).verdicts
    assert {(one.check, one.status.value) for one in verdicts} == {(name, "pass") for name in only}


def test_a_schedule_of_the_user_runs_over_the_values() -> None:
    schedule = 'schedule="{ S[t,i] -> [2*t + i, -t] }"'
    program = program_of(SEIDEL, "plan.schedules=given", schedule)
    assert program.time_dimensions == 2
    assert "a_v" in program.arrays
    message = refusal(SEIDEL, "plan.schedules=given", 'schedule="{ S[t,i] -> [i, t] }"')
    assert "reads a_v[" in message


def test_replay_notices_other_sources_than_those_of_the_run() -> None:
    program = program_of(SEIDEL)
    (statement,) = program.statements
    moved = UnionMap("{ a_v[t, i] -> a_v[t, i - 1] }")
    reads = tuple(
        replace(one, relation=one.relation.apply_range(moved.get_map_list().get_at(0)))
        if one.array == "a_v"
        else one
        for one in statement.reads
    )
    wrong = replace(program, statements=(replace(statement, reads=reads),))
    with pytest.raises(Disagreement, match="S reads other values of 'a_v'"):
        run_of(wrong, [program.arrays["a_v"]])


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ("{expand: [c]}", "the kernel has no array 'c'; the arrays are: in, out, b, s"),
        ("{expand: [b]}, order: iteration", "plan.expand splits its reads; leave one of the two"),
    ],
)
def test_what_cannot_be_expanded_is_refused(tmp_path: Path, plan: str, message: str) -> None:
    plan = plan.replace(", order: iteration", "\norder: iteration")
    assert message in refusal(kernel(tmp_path, plan))


def test_a_network_has_no_arrays_to_expand() -> None:
    message = refusal(EXAMPLES / "e1" / "design.yaml", "plan.expand=[A]")
    assert "plan.expand is for C kernels" in message


def test_an_array_with_the_name_of_the_values_is_in_the_way(tmp_path: Path) -> None:
    text = KERNEL.replace("short b[N], s", "short b[N], s, b_v").replace("s = 0", "s = b_v = 0")
    text = text.replace("s = b_v = 0;", "b_v = 0; s = b_v;")
    message = refusal(kernel(tmp_path, "{expand: [b]}", text))
    assert "'b_v' would hold the values of 'b', but there is an array of that name" in message


def test_an_array_written_once_stays_as_it_is() -> None:
    file = EXAMPLES / "jacobi_tiles" / "design.yaml"
    assert "a_v" not in program_of(file, "plan.expand=[a]").arrays


def test_the_report_advises_expansion(tmp_path: Path) -> None:
    design: Any = load(kernel(tmp_path, "{schedules: any}"))
    remarks = {one.orders.remark for one in plan_design(design).plan.arrays.values() if one.orders}
    assert all("plan.expand: [b, s] allows more orders" in one for one in remarks)


def test_what_a_plan_of_values_offers_can_be_asked_for() -> None:
    """Every entry of `rejected` is a value of arrays.a_v.parts, which the kernel has not."""
    planned = plan_design(load(SEIDEL)).plan.arrays["a_v"]
    assert [memory.kind for memory in plan_design(load(SEIDEL)).plan.memories.values()] == [
        "banked"
    ]
    (offer,) = planned.notes.rejected
    parts = [{"operands": ["m_a_v_S.0", "m_a_v_S.1", "m_a_v_S.2"], "kind": "ram"}]
    assert [one.kind for one in offer.parts] == ["ram"]
    asked = plan_design(load(SEIDEL, settings=[f"arrays.a_v.parts={parts}"])).plan
    assert [(one.kind, one.words) for one in asked.memories.values()] == [("ram", offer.words)]
