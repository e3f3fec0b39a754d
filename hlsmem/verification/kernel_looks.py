"""What filters of a kernel look at in a run, beside what its statements read.

C reads of a condition what decides it, the program all that its filter names: so these accesses
are those of the program. What an instance does that the program does not have is no instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains
from hlsmem.program import Filter, Program, Statement
from hlsmem.verification.events import Accesses, Run, joined, only
from hlsmem.verification.fitting import Decided, Part, fitted
from hlsmem.verification.looking import filter_rows
from hlsmem.verification.outcomes import choices_of
from hlsmem.verification.rows import row_numbers


def with_looks(program: Program, own: Sequence[Statement], run: Run) -> Run:
    """The run of the statements `own`, in textual order, with what their filters look at."""
    run = _without_idle(program, own, run)
    choices = choices_of(program)
    looks: dict[str, list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {}
    tests: list[Decided] = []
    for number, statement in enumerate(own):
        instances = np.flatnonzero(run.statement == number)
        points = run.iterators[instances, : run.depths[number]].astype(np.int64)
        domain = fix_parameters(statement.domain, program.values)
        for one in statement.filters:
            rows = filter_rows(0, one, program.values, domain, points)
            parts = tuple(Part(look.array, len(looks.get(look.array, ()))) for look in rows.looks)
            if run.ran is not None and all(np.array_equal(x.owner, rows.rows) for x in rows.looks):
                tests.append(
                    Decided(
                        allowed=fix_parameters(one.value, program.values).wrap().flatten(),
                        points=points[rows.rows],
                        ran=run.ran[instances[rows.rows]],
                        parts=parts,
                    )
                )
            for entry, look in enumerate(rows.looks):
                own_choices = choices[look.array]
                agrees = _agreeing(
                    program, one, entry, points, (*own_choices.runs, *own_choices.stays)
                )
                if run.ran is not None:
                    agrees = agrees == run.ran[instances]
                looks.setdefault(look.array, []).append(
                    (instances[look.owner], look.element, agrees[:, look.owner])
                )
    accesses, chosen = dict(run.accesses), {}
    for name, found in looks.items():
        agrees = np.concatenate([part[2] for part in found], axis=1)
        values = np.array([*choices[name].runs, *choices[name].stays], dtype=np.int64)
        element = np.concatenate([part[1] for part in found])
        chosen[name] = values[_first_of_all(agrees, element)]
    untold = {name: one for name, one in looks.items() if not len(accesses.get(name, ()))}
    elements = {name: [part[1] for part in one] for name, one in untold.items()}
    chosen |= fitted(tests, elements, {name: chosen[name] for name in untold}, choices)
    for name, found in looks.items():
        if name in accesses:
            instance, element = (np.concatenate([part[k] for part in found]) for k in range(2))
            accesses[name] = _looked(accesses[name], instance, element, chosen[name])
    return replace(run, accesses=accesses)


def _agreeing(
    program: Program, one: Filter, entry: int, points: np.ndarray, values: Sequence[int]
) -> np.ndarray:
    """Whether instances run by an entry that has a value: bool, shape (values, instances)."""
    allowed = fix_parameters(one.value, program.values)
    size = allowed.dim(DimType.out)
    allowed = allowed.project_out(DimType.out, entry + 1, size - entry - 1)
    allowed = allowed.project_out(DimType.out, 0, entry)
    return np.stack(
        [contains(allowed.intersect_range(Set(f"{{ [{v}] }}")).domain(), points) for v in values]
    )


def _first_of_all(agrees: np.ndarray, element: np.ndarray) -> np.ndarray:
    """For each look the first value that agrees with all looks at its element."""
    numbers, count = row_numbers(element)
    every = np.ones((len(agrees), count), dtype=bool)
    for value, own in enumerate(agrees):
        np.logical_and.at(every[value], numbers, own)
    first: np.ndarray = every.argmax(axis=0)
    chosen: np.ndarray = first[numbers]
    return chosen


def _without_idle(program: Program, own: Sequence[Statement], run: Run) -> Run:
    """The run without instances that do not run for any data: the program does not have them."""
    stays = np.ones(len(run.statement), dtype=bool)
    for number, statement in enumerate(own):
        if statement.filters and run.ran is not None:
            instances = np.flatnonzero((run.statement == number) & ~run.ran)
            points = run.iterators[instances, : run.depths[number]].astype(np.int64)
            inside = contains(fix_parameters(statement.domain, program.values), points)
            stays[instances[~inside]] = False
    if stays.all():
        return run
    number_of = np.cumsum(stays) - 1
    accesses = {}
    for name, one in run.accesses.items():
        kept = only(one, np.flatnonzero(stays[one.instance]))
        accesses[name] = replace(kept, instance=number_of[kept.instance])
    return replace(
        run,
        statement=run.statement[stays],
        iterators=run.iterators[stays],
        ran=None if run.ran is None else run.ran[stays],
        accesses=accesses,
    )


def _looked(
    accesses: Accesses, instance: np.ndarray, element: np.ndarray, chosen: np.ndarray
) -> Accesses:
    """The accesses with looks in front of what else their instances do, with what is there.

    What no access shows has the value that is `chosen`, with which the instances that ran run.
    """
    looks = Accesses(
        instance=instance,
        write=np.zeros(len(instance), dtype=bool),
        element=element,
        bits=chosen,
    )
    known = np.concatenate([np.zeros(len(looks), dtype=bool), np.ones(len(accesses), dtype=bool)])
    found = joined(looks, accesses)
    order = np.argsort(found.instance, kind="stable")
    found, known = only(found, order), known[order]
    numbers, _ = row_numbers(found.element)
    order = np.lexsort((np.arange(len(found)), numbers))
    numbers, known = numbers[order], known[order]
    last = np.maximum.accumulate(np.where(known, np.arange(len(found)), -1))
    same = (last >= 0) & (numbers[last] == numbers)
    bits = found.bits.copy()
    bits[order[~known & same]] = found.bits[order[last[~known & same]]]
    return replace(found, bits=bits)
