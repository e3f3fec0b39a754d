"""The run of a source seen with the statements that make one beat as one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.check.replayed.run_events import Accesses, Run
from hlsmem.program.joined_statements import parts_of
from hlsmem.program.model import Array, Program


class DifferentBeats(Exception):
    """A statement of a beat ran where another one did not; says which."""


def joined_run(program: Program, run: Run) -> Run:
    """The run with the instances of joined statements of `program` in place of those of the parts.

    Accesses stay in the order in which they were made; those to elements of one word are one.
    Raises DifferentBeats.
    """
    if program.joined_from is None:
        return run
    target = np.arange(len(run.statement))
    gone: set[str] = set()
    for statement in program.statements:
        first, *others = (part.name for part in parts_of(statement))
        for name in others:
            gone.add(name)
            own, theirs = (_in_order(run, run.statements.index(one)) for one in (first, name))
            same = len(own) == len(theirs)
            if not same or (run.iterators[own] != run.iterators[theirs]).any():
                raise DifferentBeats(f"{first} and {name} do not run as often")
            target[theirs] = own
    stays = target == np.arange(len(target))
    moved = (np.cumsum(stays) - 1)[target]
    kept = [number for number, name in enumerate(run.statements) if name not in gone]
    numbers = np.zeros(len(run.statements), dtype=run.statement.dtype)
    numbers[kept] = np.arange(len(kept))
    return replace(
        run,
        statements=tuple(run.statements[number] for number in kept),
        depths=tuple(run.depths[number] for number in kept),
        statement=numbers[run.statement[stays]],
        iterators=run.iterators[stays],
        ran=None if run.ran is None else run.ran[stays],
        accesses={
            name: _in_words(program.arrays[name], replace(own, instance=moved[own.instance]))
            for name, own in run.accesses.items()
        },
    )


def _in_words(array: Array, own: Accesses) -> Accesses:
    """The writes, or the reads, of an array as those of words, each where its last element is."""
    if array.lanes == 1:
        return own
    if not own.write.any():
        each = np.column_stack([own.instance, own.element])
        first = np.sort(np.unique(each, axis=0, return_index=True)[1])
        own = Accesses(
            instance=own.instance[first],
            write=own.write[first],
            element=own.element[first],
            bits=own.bits[first],
        )
    word, lane = own.element.copy(), own.element[:, -1] % array.lanes
    word[:, -1] //= array.lanes
    numbers, count = row_numbers(np.column_stack([own.instance, word]))
    if len({*own.write.tolist()}) > 1 or len(own) != array.lanes * count:
        raise DifferentBeats(f"no whole words of {array.name} are read, or written")
    bits = own.bits.astype(np.uint64) << (lane * array.element.bits // array.lanes).astype(
        np.uint64
    )
    whole, last = np.zeros(count, np.uint64), np.zeros(count, np.int64)
    np.bitwise_or.at(whole, numbers, bits)
    np.maximum.at(last, numbers, np.arange(len(own)))
    rows = np.sort(last)
    return Accesses(
        instance=own.instance[rows],
        write=own.write[rows],
        element=word[rows],
        bits=whole[numbers[rows]],
    )


def _in_order(run: Run, number: int) -> np.ndarray:
    """The instances of a statement by their iterators."""
    own = np.flatnonzero(run.statement == number)
    return own[np.lexsort(run.iterators[own].T[::-1])]
