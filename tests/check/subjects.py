"""What checks are tried on: plan.json documents by hand, and what a check says of them."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping as Values
from collections.abc import Sequence
from math import prod
from typing import Any

from hlsmem.check.plans.plan_parts import operands_of
from hlsmem.check.plans.proof_check import check_proof
from hlsmem.check.plans.time_rules import rules_of
from hlsmem.check.replayed.replay_check import check_replay
from hlsmem.core.errors import InputError
from hlsmem.core.quasi_polynomial import parse_quasi_polynomial
from hlsmem.core.verdict import CHECKS, Status, Verdict
from hlsmem.mapping.storage_mapping import Certificate, StorageMapping
from hlsmem.plan import ArrayPlan, Memory, Part, Plan, from_json, program_text, to_json
from hlsmem.program.model import ConflictInput, Order, Program
from hlsmem.program.options import Design, PlanOptions
from tests.plans import array_plan
from tests.programs import make_program

Document = dict[str, Any]


def others_than(*checks: str) -> str:
    """All other checks that there are, as a report lists them."""
    return ", ".join(name for name in CHECKS.names() if name not in checks)


def piece(
    matrix: Sequence[Sequence[str | int]],
    modulus: Sequence[str | int],
    values: Values[str, int],
    *,
    offset: Sequence[str | int] | None = None,
    domain: str | None = None,
) -> Document:
    """A piece of a mapping with its formulas and their values."""
    offset = [0] * len(modulus) if offset is None else offset

    def value(entry: str | int) -> int:
        return parse_quasi_polynomial(str(entry)).evaluate(values)

    return {
        "domain": domain,
        "matrix": [[str(entry) for entry in row] for row in matrix],
        "matrix_value": [[value(entry) for entry in row] for row in matrix],
        "modulus": [str(entry) for entry in modulus],
        "modulus_value": [value(entry) for entry in modulus],
        "offset": [str(entry) for entry in offset],
        "offset_value": [value(entry) for entry in offset],
    }


def document_of(
    source: Program | ConflictInput,
    pieces: Values[str, Sequence[Document]],
    *,
    everywhere: bool = True,
    strict: bool = False,
    memories: Values[str, tuple[str, int]] | None = None,
    bounds: Values[str, Sequence[Document]] | None = None,
) -> Document:
    """plan.json for arrays with these pieces; each array has a memory of its own.

    `everywhere`: the certificate claims all parameters. `memories` puts arrays elsewhere:
    (memory, base).
    """
    where = {name: (memories or {}).get(name, (name, 0)) for name in pieces}
    cells = {name: sum(prod(one["modulus_value"]) for one in own) for name, own in pieces.items()}
    words: dict[str, int] = {}
    for name, (memory, base) in where.items():
        words[memory] = max(words.get(memory, 0), base + cells[name])
    plan = Plan(
        tool="hlsmem",
        design=source.name,
        inputs={},
        overrides=(),
        params=dict(source.values),
        context=str(source.context),
        program=program_text(source, strict=strict) if isinstance(source, Program) else None,
        memories={name: Memory(bits=32, words=count) for name, count in words.items()},
        arrays={
            name: _array_plan(source, name, cells[name], where[name], everywhere) for name in pieces
        },
    )
    document: Document = json.loads(to_json(plan))
    for name, own in pieces.items():
        held = document["arrays"][name]["holdings"]["hardware"]
        held["parts"][0]["mapping"]["pieces"] = copy.deepcopy(list(own))
        given = [{"witness": None, **one} for one in (bounds or {}).get(name, [])]
        held["bound"] = next(iter(given), None)
    return document


def _array_plan(
    source: Program | ConflictInput,
    name: str,
    cells: int,
    where: tuple[str, int],
    everywhere: bool,
) -> ArrayPlan:
    array = _array(source, name)
    values = () if everywhere else tuple(source.values.items())
    scope = "all-parameters" if everywhere else "at"
    certificate = Certificate(scope=scope, by="hand", at=values)
    mapping = StorageMapping(pieces=(), method="by-hand", cells=cells, certificate=certificate)
    operands = operands_of(source, array) if isinstance(source, Program) else ()
    part = Part(memory=where[0], operands=operands, mapping=mapping, base=where[1])
    return array_plan(array, part)


def _array(source: Program | ConflictInput, name: str) -> Any:
    if isinstance(source, Program):
        return source.arrays[name]
    return source.conflicts[name].array


def proof(plan: Plan | Document) -> dict[str, Verdict]:
    """The verdicts of `proof` by subject, from plan.json alone."""
    text = to_json(plan) if isinstance(plan, Plan) else json.dumps(plan)
    return {verdict.subject: verdict for verdict in check_proof("design", text)}


def replay(source: Program | ConflictInput, document: Document) -> dict[str, Verdict]:
    """The verdicts of `replay` by array."""
    rules = rules_of(document)
    options = PlanOptions(strict=rules.strict, slack=rules.slack)
    design = Design(file="design.yaml", input=source, plan=options)
    program = source if isinstance(source, Program) else None
    try:
        plan = from_json(json.dumps(document))
    except InputError as error:  # no check has to look at it
        refused = Verdict(
            check="source", subject="plan.json", status=Status.FAIL, detail=str(error)
        )
        return {refused.subject: refused}
    verdicts = check_replay(design, program, plan, document)
    return {verdict.subject: verdict for verdict in verdicts}


def passes(verdicts: Values[str, Verdict]) -> bool:
    """Whether every verdict is a pass."""
    return all(verdict.status is Status.PASS for verdict in verdicts.values())


def blur(size: int = 8, order: Order = Order.SEQUENTIAL) -> Program:
    """The two interleaved blurs of examples/blur: 2N + 1 cells sequential, 2N by iteration."""
    return make_program(
        name="blur",
        values={"N": size},
        context="[N] -> { : N >= 3 }",
        domains=[
            "[N] -> { P[y,x] : 0 <= y,x < N }",
            "[N] -> { C[y,x] : 2 <= y < N and 0 <= x < N }",
        ],
        schedules=["[N] -> { P[y,x] -> [y,x,0] }", "[N] -> { C[y,x] -> [y,x,1] }"],
        reads=[f"[N] -> {{ C[y,x] -> b[y-{back},x] }}" for back in (2, 1, 0)],
        writes=["[N] -> { P[y,x] -> b[y,x] }"],
        planned=("b",),
        order=order,
    )
