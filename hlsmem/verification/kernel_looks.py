"""What filters of a kernel look at in a run, beside what its statements read.

C reads of a condition what decides it, the program all that its filter names: so these accesses
are those of the program. What an instance does that the program does not have is no instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains
from hlsmem.program import Program, Statement
from hlsmem.verification.events import Accesses, Run, joined, only
from hlsmem.verification.looking import filter_rows
from hlsmem.verification.rows import row_numbers


def with_looks(program: Program, own: Sequence[Statement], run: Run) -> Run:
    """The run of the statements `own`, in textual order, with what their filters look at."""
    run = _without_idle(program, own, run)
    looks: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for number, statement in enumerate(own):
        instances = np.flatnonzero(run.statement == number)
        points = run.iterators[instances, : run.depths[number]].astype(np.int64)
        domain = fix_parameters(statement.domain, program.values)
        for one in statement.filters:
            for look in filter_rows(0, one, program.values, domain, points).looks:
                looks.setdefault(look.array, []).append((instances[look.owner], look.element))
    accesses = dict(run.accesses)
    for name, found in looks.items():
        if name in accesses:
            instance, element = (np.concatenate([part[k] for part in found]) for k in range(2))
            accesses[name] = _looked(accesses[name], instance, element)
    return replace(run, accesses=accesses)


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


def _looked(accesses: Accesses, instance: np.ndarray, element: np.ndarray) -> Accesses:
    """The accesses with looks in front of what else their instances do, with what is there."""
    looks = Accesses(
        instance=instance,
        write=np.zeros(len(instance), dtype=bool),
        element=element,
        bits=np.zeros(len(instance), dtype=np.int64),
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
