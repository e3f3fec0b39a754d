"""The run of a source seen with arrays in single assignment, as `plan.expand` asks for.

Worked out from the recorded accesses alone: a read sees the value that was written last before
it. What statements read and write of the array of values is then compared with the design.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.check.replayed.run_events import Accesses, Run, only
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.relations import named, sets_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains
from hlsmem.program.model import Access, Array, Program


class DifferentValues(Exception):
    """An expanded array has other values than in the run; says which."""


def traced_arrays(program: Program, planned: Sequence[Array]) -> list[Array]:
    """The arrays of the source that a run has to record for the planned ones."""
    source = program.source
    kept = [array for array in planned if array.name in source.arrays]
    names = {array.name for array in kept}
    return kept + [source.arrays[name] for name in source.expand if name not in names]


def expanded_run(program: Program, run: Run) -> Run:
    """The run with the accesses to each expanded array as those to its values.

    What was there before, and the last write of each live element, stay with the array itself.
    Raises DifferentValues.
    """
    source = program.source
    accesses = dict(run.accesses)
    for name in source.expand:
        values = f"{name}_v"
        if values not in program.arrays:
            continue
        own = accesses.pop(name)
        writers = [
            one.name for one in source.statements if any(a.array == name for a in one.writes)
        ]
        seen, is_last = _sources(own)
        is_last &= _is_live_after(program, name, own.element)
        made = own.write | (seen >= 0)
        writing = own.instance[np.where(own.write, np.arange(len(own)), seen)[made]]
        accesses[values] = Accesses(
            instance=own.instance[made],
            write=own.write[made],
            element=_elements(run, writers, writing),
            bits=own.bits[made],
        )
        accesses[name] = only(own, np.flatnonzero(~made | is_last))
        for array in (values, name):
            _compare(program, run, array, accesses[array])
    planned = {array.name for array in program.planned_arrays()}
    return replace(run, accesses={name: own for name, own in accesses.items() if name in planned})


def _sources(own: Accesses) -> tuple[np.ndarray, np.ndarray]:
    """The write that each access sees before it, -1 for none; and whether it is the last write."""
    size = len(own)
    none = np.zeros(size, dtype=np.int64)
    element = row_numbers(own.element)[0] if own.element.shape[1] else none
    order = np.lexsort((np.arange(size), element))
    sorted_element = element[order]
    first = np.concatenate([[True], sorted_element[1:] != sorted_element[:-1]])[:size]
    group = np.maximum.accumulate(np.where(first, np.arange(size), 0))
    latest = np.maximum.accumulate(np.where(own.write[order], np.arange(size), -1))
    before = np.concatenate([[-1], latest[:-1]])[:size]
    before = np.where(before >= group, before, -1)
    seen = np.full(size, -1)
    seen[order] = np.where(before >= 0, order[np.maximum(before, 0)], -1)
    ends = np.concatenate([first[1:], [True]])[:size]
    end = np.minimum.accumulate(np.where(ends, np.arange(size), size)[::-1])[::-1]
    is_last = np.zeros(size, dtype=bool)
    is_last[order] = own.write[order] & (latest[end] == np.arange(size))
    return seen, is_last


def _is_live_after(program: Program, name: str, elements: np.ndarray) -> np.ndarray:
    found = np.zeros(len(elements), dtype=bool)
    for one in sets_of(fix_parameters(named(program.source.live_out, name), program.values)):
        found |= contains(one, elements)
    return found


def _elements(run: Run, writers: Sequence[str], instances: np.ndarray) -> np.ndarray:
    """The elements of the values that some instances write."""
    depths = dict(zip(run.statements, run.depths, strict=True))
    depth = max(depths[name] for name in writers)
    columns = [run.iterators[instances, k] for k in range(depth)]
    if len(writers) > 1:
        numbers = np.array([writers.index(n) if n in writers else -1 for n in run.statements])
        columns = [numbers[run.statement[instances]], *columns]
    return np.stack(columns, axis=1) if columns else np.zeros((len(instances), 0), dtype=np.int64)


def _compare(program: Program, run: Run, array: str, own: Accesses) -> None:
    """Every statement has to read and write the same elements in the run and in the design."""
    statements = {one.name: one for one in _base(program).statements}
    for number, name in enumerate(run.statements):
        said = statements[name]
        for write, verb in ((False, "reads"), (True, "writes")):
            chosen = (run.statement[own.instance] == number) & (own.write == write)
            points = run.iterators[own.instance[chosen], : run.depths[number]]
            found = np.unique(np.concatenate([points, own.element[chosen]], axis=1), axis=0)
            listed = _listed(said.writes if write else said.reads, array, found.shape[1], program)
            if not np.array_equal(found, listed):
                raise DifferentValues(f"{name} {verb} other values of {array!r} than in the design")


def _base(program: Program) -> Program:
    """The expanded program in the order of the source."""
    while program.expanded_from is None and program.original is not None:
        program = program.original
    return program


def _listed(accesses: Sequence[Access], array: str, columns: int, program: Program) -> np.ndarray:
    found = [np.zeros((0, columns), dtype=np.int64)]
    found += [
        distinct_points(fix_parameters(access.relation, program.values).wrap())
        for access in accesses
        if access.array == array
    ]
    return np.unique(np.concatenate(found), axis=0)
