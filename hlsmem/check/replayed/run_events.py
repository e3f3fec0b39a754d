"""Events of a run: instances, and every access to the planned arrays, as columns of numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Accesses:
    """The accesses of a run to one array, in the order they were made.

    `instance` numbers the instance (int64), `write` tells writes from reads (bool),
    `element` is the subscripts (int64, shape (accesses, rank)), `bits` the value's bits.
    """

    instance: np.ndarray = field(compare=False)
    write: np.ndarray = field(compare=False)
    element: np.ndarray = field(compare=False)
    bits: np.ndarray = field(compare=False)

    def __len__(self) -> int:
        return len(self.instance)


def joined(first: Accesses, second: Accesses) -> Accesses:
    """The accesses of both, one after the other."""
    return Accesses(
        instance=np.concatenate([first.instance, second.instance]),
        write=np.concatenate([first.write, second.write]),
        element=np.concatenate([first.element, second.element]),
        bits=np.concatenate([first.bits, second.bits]),
    )


def only(accesses: Accesses, rows: np.ndarray) -> Accesses:
    """Some of the accesses, in the order of `rows`."""
    return Accesses(
        instance=accesses.instance[rows],
        write=accesses.write[rows],
        element=accesses.element[rows],
        bits=accesses.bits[rows],
    )


def _of_instances(accesses: Accesses, stays: np.ndarray, number_of: np.ndarray) -> Accesses:
    """The accesses of the instances that stay, by their new numbers."""
    kept = only(accesses, np.flatnonzero(stays[accesses.instance]))
    return replace(kept, instance=number_of[kept.instance])


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run: the statement (index into `statements`) and the iterators of every instance.

    `iterators` has as many columns as the deepest nest; columns a statement lacks are 0. `ran`
    says which instances ran; None: all of them. One that did not has no accesses but those to
    what its filter looked at. `predicate_reads` are what conditions of C read, where these are no
    accesses.
    """

    statements: tuple[str, ...]
    depths: tuple[int, ...]
    statement: np.ndarray = field(compare=False)
    iterators: np.ndarray = field(compare=False)
    accesses: Mapping[str, Accesses] = field(compare=False)
    ran: np.ndarray | None = field(default=None, compare=False)
    predicate_reads: Mapping[str, Accesses] = field(default_factory=dict, compare=False)

    def instance_name(self, instance: int) -> tuple[str, tuple[int, ...]]:
        """The statement of an instance and its iterators."""
        number = int(self.statement[instance])
        return self.statements[number], tuple(
            int(value) for value in self.iterators[instance, : self.depths[number]]
        )

    def of_instances(self, stays: np.ndarray) -> Run:
        """The run of some of its instances alone, of which the mask is given."""
        if stays.all():
            return self
        number_of = np.cumsum(stays) - 1
        accesses, predicate_reads = (
            {name: _of_instances(one, stays, number_of) for name, one in made.items()}
            for made in (self.accesses, self.predicate_reads)
        )
        return replace(
            self,
            statement=self.statement[stays],
            iterators=self.iterators[stays],
            ran=None if self.ran is None else self.ran[stays],
            accesses=accesses,
            predicate_reads=predicate_reads,
        )
