"""Random producers and consumers: gates never deadlock, walks and wires give the right values."""

from __future__ import annotations

import random
import re

import pytest

from hlsmem.core.errors import InputError
from hlsmem.cycle_model import datapaths_of
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.mapping.portfolio import plan_array
from hlsmem.plan import Part, Plan, rules_of
from hlsmem.program.model import Order, Program
from hlsmem.storage.array_parts import operands_of
from hlsmem.storage.build import circuits
from hlsmem.storage.predicted_run import predict_circuits
from tests.dependences.test_gates import play
from tests.plans import array_plan, laid
from tests.programs import make_program

PRODUCED = (
    "0 <= y,x < N",
    "0 <= y < N and 0 <= x <= y",
    "0 <= y < N and y <= x < N",
    "0 <= y < N and 0 <= x < 2N and x mod 2 = 0",
    "0 <= y,x < N and (y + x) mod 2 = 0",
)
CONSUMED = (
    "0 <= y,x < N",
    "1 <= y < N and 0 <= x < N",
    "0 <= 2y < N and 0 <= 2x < N",
    "0 <= y,x < N and y mod 2 = 1",
    "0 <= y < N and 0 <= x < y",
    "x = 0 and 0 <= y < N",
)
ORDERS = ("[0, y, x, {}]", "[0, x, y, {}]", "[0, y + x, x, {}]", "[0, 2y, x, {}]")


def random_program(chance: random.Random, size: int | None = None) -> Program:
    """A program of a size, 4 to 6 unless told."""
    order = chance.choice(ORDERS)
    domains = [f"[N] -> {{ P[y,x] : {chance.choice(PRODUCED)} }}"]
    schedules = [f"[N] -> {{ P[y,x] -> {order.format(0)} }}"]
    writes = ["[N] -> { P[y,x] -> A[y,x] }"]
    reads = []
    for slot, name in enumerate("CDE"[: chance.choice([1, 2, 3])], start=1):
        domains.append(f"[N] -> {{ {name}[y,x] : {chance.choice(CONSUMED)} }}")
        phase = chance.choice(["[0", "[0", "[1"])
        time = re.sub(r"^\[0", phase, order.format(slot))
        schedules.append(f"[N] -> {{ {name}[y,x] -> {time} }}")
        for _ in range(chance.choice([1, 2, 3])):
            dy, dx = chance.choice([0, 0, 1, 2]), chance.choice([0, 0, 1, 2, -1])
            reads.append(f"[N] -> {{ {name}[y,x] -> A[y - {dy}, x - ({dx})] }}")
    if chance.random() < 0.3:
        domains.append("[N] -> { U[y,x] : 1 <= y,x < N }")
        schedules.append(f"[N] -> {{ U[y,x] -> {order.format(7)} }}")
        reads += ["[N] -> { U[y,x] -> A[y, x - 1] }", "[N] -> { U[y,x] -> A[y - 1, x] }"]
        writes.append("[N] -> { U[y,x] -> A[y,x] }")
    stepwise = chance.random() < 0.4
    return make_program(
        values={"N": size or chance.choice([4, 5, 6])},
        context="[N] -> { : N >= 4 }",
        domains=domains,
        schedules=schedules,
        reads=reads,
        writes=writes,
        live_out=["[N] -> { A[y,x] : y = N - 1 }"] if chance.random() < 0.3 else [],
        drop_unprovided_reads=True,
        order=Order.ITERATION if stepwise else Order.SEQUENTIAL,
        step_dimensions=3 if stepwise else None,
    )


def plan_of(program: Program, slack: int) -> Plan:
    problems = storage_problems(program, slack=slack)
    mappings = {
        problem.array.name: plan_array(problem, method="auto", budget=50_000).mapping
        for problem in problems
    }
    arrays = {
        problem.array.name: array_plan(
            problem.array,
            Part(
                memory=problem.array.name,
                operands=operands_of(program, problem.array),
                mapping=mappings[problem.array.name],
            ),
            problem.bounds,
        )
        for problem in problems
    }
    return Plan(
        tool="test",
        design="random",
        inputs={},
        overrides=(),
        params=dict(program.values),
        program=rules_of(program, slack=slack),
        memories={},
        arrays=arrays,
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(16))
def test_random_programs_run_through_their_gates(seed: int) -> None:
    chance = random.Random(seed)
    program, slack = random_program(chance), chance.choice([0, 0, 1])
    try:
        plan = plan_of(program, slack)
    except InputError as error:
        pytest.skip(f"no program: {error}")
    memories = circuits(program, laid(plan))
    for memory in memories:
        play(program, memory, chance)
    predict_circuits(memories, datapaths_of(program))
