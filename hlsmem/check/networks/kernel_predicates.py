"""Predicate reads of a kernel in a run, beside the reads of its statements.

C reads of a condition what decides it, the program all that its filter names: so these accesses
are those of the program, with the values that C saw. What an instance does that the program does
not have is no instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hlsmem.check.networks.predicate_columns import filter_rows
from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.check.replayed.run_events import Accesses, Run, joined, only
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains
from hlsmem.program.model import Program, Statement


def with_predicate_reads(program: Program, own: Sequence[Statement], run: Run) -> Run:
    """The run of the statements `own`, in textual order, with what their filters look at."""
    run = _without_idle(program, own, run)
    found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for number, statement in enumerate(own):
        instances = np.flatnonzero(run.statement == number)
        points = run.iterators[instances, : run.depths[number]].astype(np.int64)
        domain = fix_parameters(statement.domain, program.values)
        for one in statement.filters:
            for look in filter_rows(0, one, program.values, domain, points).predicate_reads:
                found.setdefault(look.array, []).append((instances[look.owner], look.element))
    accesses = dict(run.accesses)
    for name, parts in found.items():
        if name in accesses:
            instance, element = (np.concatenate([part[k] for part in parts]) for k in range(2))
            unread = _unread(program, name)
            accesses[name] = _looked(
                accesses[name], run.predicate_reads[name], instance, element, unread
            )
    return replace(run, accesses=accesses, predicate_reads={})


def _unread(program: Program, name: str) -> int:
    """The bits of an element that C does not look at in the run: any value will do."""
    array = program.arrays[name]
    low, high = (bound.evaluate(program.values) for bound in array.value_range)
    return min(max(0, low), high) & ((1 << array.element.bits) - 1)


def _without_idle(program: Program, own: Sequence[Statement], run: Run) -> Run:
    """The run without instances that do not run for any data: the program does not have them."""
    stays = np.ones(len(run.statement), dtype=bool)
    for number, statement in enumerate(own):
        if statement.filters and run.ran is not None:
            instances = np.flatnonzero((run.statement == number) & ~run.ran)
            points = run.iterators[instances, : run.depths[number]].astype(np.int64)
            inside = contains(fix_parameters(statement.domain, program.values), points)
            stays[instances[~inside]] = False
    return run.of_instances(stays)


def _looked(
    accesses: Accesses, read: Accesses, instance: np.ndarray, element: np.ndarray, unread: int
) -> Accesses:
    """The accesses with predicate reads in front of what else their instances do, with what is
    there.

    That is what any access or `read`, which are the predicate reads of C, shows since the write
    before. C leaves out those that do not matter; what nothing shows has the bits `unread`.
    """
    predicate_reads = Accesses(
        instance=instance,
        write=np.zeros(len(instance), dtype=bool),
        element=element,
        bits=np.full(len(instance), unread, dtype=np.int64),
    )
    every = joined(joined(predicate_reads, read), accesses)
    kinds = np.repeat(np.arange(3), [len(predicate_reads), len(read), len(accesses)])
    order = np.argsort(every.instance, kind="stable")
    every, kinds = only(every, order), kinds[order]
    numbers, _ = row_numbers(every.element)
    order = np.lexsort((np.arange(len(every)), numbers))
    numbers, known = numbers[order], kinds[order] > 0
    begins = every.write[order] | np.diff(numbers, prepend=-1).astype(bool)
    span = np.cumsum(begins) - 1
    held = np.full(len(every), unread, dtype=np.int64)
    held[span[known]] = every.bits[order[known]]
    bits = every.bits.copy()
    bits[order[~known]] = held[span[~known]]
    return only(replace(every, bits=bits), np.flatnonzero(kinds != 1))
