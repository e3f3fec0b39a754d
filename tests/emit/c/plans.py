"""Plans written down by hand, so that the emitter is tested without the planner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.emit.c import emit_host
from hlsmem.mapping.portfolio import plan_array
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping
from hlsmem.plan import ArrayPlan, HostHolding, HostOrder, Part, Plan, rules_of
from hlsmem.planner.array_folding import analyse
from hlsmem.planner.host.argument_overlap import with_test
from hlsmem.planner.host.host_planning import Shaped, in_shape
from hlsmem.planner.host.host_schedule import at_times
from hlsmem.program.model import Order, Program
from hlsmem.program.options import Design
from hlsmem.timing.arrival import with_streams
from hlsmem.timing.total_order import without_steps
from tests.plans import array_plan
from tests.steps import load

Rows = list[tuple[list[str], str]]
"""Rows of a mapping: coefficients and modulus."""


def read_design(
    folder: Path, kernel: str, settings: str = "", *, cflags: str = "", **files: str
) -> Design:
    """The design of a kernel text, with more keys of design.yaml, flags and files beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.c").write_text(kernel)
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "design.yaml").write_text(
        f"hlsmem: 1\nname: kernel\nkernel: {{file: kernel.c, cflags: [{cflags}]}}\n{settings}\n"
    )
    return load(folder / "design.yaml")


def program_of(design: Design) -> Program:
    assert isinstance(design.input, Program)
    found = with_streams(design.input.in_c)
    return with_test(found, found.source)


def shaped(design: Design, plan: Plan) -> Plan:
    """The plan with what C makes of it: it has the plan's cells where none are chosen yet."""
    if any(one.host is not None for one in plan.arrays.values()):
        return plan
    design = replace(design, host=replace(design.host, objective="plan"))
    return in_c(plan, in_shape(design, program_of(design), mappings_of(plan)))


def in_c(plan: Plan, found: Shaped) -> Plan:
    """The plan with these cells in C."""
    arrays = {
        name: replace(
            one,
            host=HostHolding(
                parts=(found.cells[name],),
                words=found.cells[name].mapping.cells,
                bits=8 * found.cells[name].mapping.cells * found.cells[name].cell_bytes,
                bound=None,
                certificate=found.cells[name].mapping.certificate,
            ),
            notes=found.notes[name],
        )
        for name, one in plan.arrays.items()
    }
    return replace(plan, arrays=arrays, host_order=HostOrder(steps=found.steps))


def host_files(design: Design, plan: Plan) -> dict[str, str]:
    """The files of host C by name, of a plan by hand or by the planner."""
    plan = shaped(design, plan)
    program = in_its_order(program_of(design), plan)
    return {file.name: file.text for file in emit_host(design, program, mappings_of(plan))}


def in_its_order(program: Program, plan: Plan) -> Program:
    """The program as the C of a plan runs it."""
    if plan.has_host_schedule:
        return at_times(program, plan.host_order)
    if plan.host_order is not None and plan.host_order.steps:
        program = with_test(replace(program, order=Order.ITERATION), program.source)
    return without_steps(program)


def mappings_of(plan: Plan) -> dict[str, StorageMapping]:
    """The mappings that C has of a plan's arrays."""
    return {
        name: in_hardware(one) if one.host is None else one.host.cells.mapping
        for name, one in plan.arrays.items()
    }


def in_hardware(array: ArrayPlan) -> StorageMapping:
    """The mapping of an array that one part holds."""
    mapping = array.hardware.parts[0].mapping
    assert mapping is not None
    return mapping


def with_mapping(array: ArrayPlan, mapping: StorageMapping) -> ArrayPlan:
    """The array with another mapping in its part, and none of C's own."""
    part = replace(array.hardware.parts[0], mapping=mapping)
    held = replace(array.hardware, parts=(part,), words=mapping.cells)
    return replace(array, hardware=held, host=None)


def plan_by_hand(
    design: Design, folds: Mapping[str, Rows], *, scope: str = "all-parameters"
) -> Plan:
    """A plan with the given mappings; arrays without one get their own extents as moduli."""
    program = program_of(design)
    arrays = {}
    for array in program.planned_arrays():
        if array.name in folds:
            piece = _piece(folds[array.name])
        else:
            extents = array.extents or ()
            rows = [
                ([str(int(i == k)) for i in range(len(extents))], str(extent))
                for k, extent in enumerate(extents)
            ]
            piece = _piece(rows)
        values = dict(program.values)
        mapping = StorageMapping(
            pieces=(piece,),
            method="hand",
            cells=piece.cells().evaluate(values),
            certificate=Certificate(scope=scope, by="hand", at=tuple(values.items())),
        )
        declared = None if array.extents is None else QuasiPolynomial.product(array.extents)
        arrays[array.name] = replace(
            array_plan(array, Part(memory=array.name, mapping=mapping)),
            declared=declared,
            declared_cells=None if declared is None else declared.evaluate(values),
        )
    return Plan(
        tool="hlsmem 0",
        design=design.input.name,
        inputs={},
        overrides=design.overrides,
        params=dict(program.values),
        program=rules_of(program),
        memories={},
        arrays=arrays,
    )


def _piece(rows: Rows) -> Piece:
    return Piece(
        matrix=tuple(tuple(parse_quasi_polynomial(entry) for entry in row) for row, _ in rows),
        modulus=tuple(parse_quasi_polynomial(modulus) for _, modulus in rows),
        offset=(QuasiPolynomial.constant(0),) * len(rows),
    )


def plan_by_planner(design: Design) -> Plan:
    """The plan with the mappings that the planner finds, without anything about hardware."""
    assert isinstance(design.input, Program)
    program, problems = analyse(replace(design, input=design.input.in_c))
    assert program is not None
    plan = plan_by_hand(design, {})
    arrays = dict(plan.arrays)
    for problem in problems:
        mapping = plan_array(problem, method="auto", budget=design.plan.budget).mapping
        arrays[problem.array.name] = with_mapping(arrays[problem.array.name], mapping)
    return replace(plan, arrays=arrays)
