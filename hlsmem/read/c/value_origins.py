"""Origins of values that statements only copy: exact dataflow over all copies on the way.

Instances stand for themselves by their times, reads before writes.
Source: Feautrier, "Dataflow analysis of array and scalar references" (1991).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Map
from hlsmem.polyhedra import piecewise as pw
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.read.c import tree
from hlsmem.read.c.accesses import Touch
from hlsmem.read.c.region import Written
from hlsmem.read.c.statements import depth_of, times_of
from hlsmem.read.c.symbols import Variable
from hlsmem.read.c.tree import INT, Float, Number
from hlsmem.read.c.types import ScalarType

# Copies on the way of a value: a window of as many columns with as many line buffers.
_MOST_COPIES = 256


def is_copy(one: Written) -> bool:
    """True if a statement stores what it reads, and does so whatever the data."""
    match one.node:
        case tree.Assignment(op="=", rvalue=value):
            pass
        case tree.Decl(init=value):
            pass
        case _:
            return False
    if len(one.reads) != 1 or one.reads[0].node is not value:
        return False
    return not one.filters and all(is_sure(touch) for touch in (*one.reads, one.write))


def is_sure(touch: Touch) -> bool:
    """True if an access is made whatever the data, to an element that they do not choose."""
    return touch.must and not touch.is_at_run_time and touch.product is None


def relation(touch: Touch) -> Any:
    """{ S[i] -> A[x] } of an access."""
    return pw.to_map(touch.subscripts, touch.inside, "S", "A")


def scalar_of(variable: Variable) -> ScalarType | None:
    """The type of the numbers of a variable."""
    return variable.shape.scalar


class NotCopiedError(Exception):
    """A read may see what was no copy; `variable` holds it, and where it `is_unset` nothing."""

    def __init__(self, variable: Variable, *, is_unset: bool = False) -> None:
        super().__init__(variable.name)
        self.variable = variable
        self.is_unset = is_unset


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """The source of a read's value: S[i] -> A[x], elements of an array.

    But in the instances { S[i] } in which it has a constant, which a statement wrote. `passed` are
    the variables that the value went through.
    """

    source: Variable
    passed: tuple[Variable, ...]
    elements: Any
    constants: Mapping[str, Any]


def _constant(writer: Written, variable: Variable) -> str | None:
    """The number that a statement writes, which the variable can hold; None where it is none."""
    value = writer.node.rvalue if isinstance(writer.node, tree.Assignment) else None
    if not isinstance(value, tree.Constant) or writer.node.op != "=" or not is_sure(writer.write):
        return None
    scalar = scalar_of(variable)
    if not isinstance(scalar, Number):
        return str(value.value) if value.type == INT or isinstance(value.type, Float) else None
    is_small = value.type == INT and value.value.isdecimal()
    if not is_small or int(value.value) > min(scalar.greatest, INT.greatest):
        return None
    return str(value.value)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Writes:
    """The writes of statements to a variable, by time: `every` [time] -> A[x], None without any.

    `copies` have what is read then, [time] -> B[x], by the variable; `others` are the statements
    that are no copies, and when they write.
    """

    every: Any
    others: tuple[tuple[Written, Any], ...]
    copies: Mapping[Variable, Any]


def _last(elements: Any, writes: Any) -> Any:
    """The time of the last of some writes of each element that is read at a time before it."""
    space = elements.domain().get_space()
    if writes is None:
        return Map.empty(space.map_from_set())
    pairs = elements.apply_range(writes.reverse()).intersect(Map.lex_gt(space))
    return lexmax(pairs).coalesce()


@dataclass(frozen=True, eq=False)
class Copies:
    """Statements, of which values are followed through the variables that are `gone`.

    What nothing has written is 0 where it `fills` that. `sources` has the copies that read
    elsewhere, by what they read, of all that was followed.
    """

    statements: tuple[Written, ...]
    gone: frozenset[Variable]
    assumed: Any = field(repr=False)
    fills: bool = False
    sources: dict[Variable, list[Written]] = field(default_factory=dict)
    _known: dict[Variable, _Writes] = field(default_factory=dict, repr=False)

    def origin(self, one: Written, touch: Touch) -> Origin:
        """The source of a read's value. Raises NotCopiedError."""
        if not is_sure(touch):
            raise NotCopiedError(touch.variable)
        times = self._times(one, 0).intersect_domain(touch.inside.set_tuple_name("S"))
        elements = times.reverse().apply_range(relation(touch))
        variable, copied, constants = touch.variable, times.range().identity(), dict[str, Any]()
        passed = [variable]
        for _ in range(_MOST_COPIES):
            own = self._writes_of(variable)
            writes = _last(elements, own.every)
            unset = copied.intersect_range(elements.domain().subtract(writes.domain()))
            if not unset.is_empty():
                if not self.fills or scalar_of(variable) is None:
                    raise NotCopiedError(touch.variable, is_unset=True)
                where = times.intersect_range(unset.domain()).domain()
                constants["0"] = constants.get("0", where).union(where)
            copied = copied.apply_range(writes)
            for writer, at in own.others:
                there = copied.intersect_range(at)
                if there.is_empty():
                    continue
                constant = _constant(writer, touch.variable)
                if constant is None:
                    raise NotCopiedError(touch.variable)
                where = times.intersect_range(there.domain()).domain()
                constants[constant] = constants.get(constant, where).union(where)
                copied = copied.subtract(there)
            found = {
                source: reads.intersect_domain(copied.range())
                for source, reads in own.copies.items()
            }
            found = {source: reads for source, reads in found.items() if not reads.is_empty()}
            if len(found) != 1:
                raise NotCopiedError(touch.variable)
            ((source, elements),) = found.items()
            if not copied.range().is_subset(elements.domain()):
                raise NotCopiedError(touch.variable)
            if source not in self.gone:
                break
            variable = source
            passed.append(variable)
        else:
            raise NotCopiedError(touch.variable)
        read, written = copied.apply_range(elements).coalesce(), self._writes_of(source).every
        if not copied.apply_range(_last(elements, written)).is_equal(_last(read, written)):
            raise NotCopiedError(touch.variable)  # it has been written since
        copies = [one for one in self.statements if one.write.variable is variable]
        known = self.sources.setdefault(source, [])
        known += [
            copy
            for copy in copies
            if is_copy(copy) and copy.reads[0].variable is source and copy not in known
        ]
        return Origin(source, tuple(passed), times.apply_range(read), constants)

    def unset(self, one: Written, touch: Touch) -> Any:
        """The instances { S[i] } of a statement in which a read is of what nothing has written.

        Raises NotCopiedError where accesses are not sure.
        """
        if not is_sure(touch):
            raise NotCopiedError(touch.variable)
        times = self._times(one, 0).intersect_domain(touch.inside.set_tuple_name("S"))
        elements = times.reverse().apply_range(relation(touch))
        writes = _last(elements, self._writes_of(touch.variable).every)
        unset = elements.domain().subtract(writes.domain())
        return times.intersect_range(unset).domain().coalesce()

    def _writes_of(self, variable: Variable) -> _Writes:
        """The writes to a variable, all of them certain."""
        if variable not in self._known:
            every, others, copies = list[Any](), list[Any](), dict[Variable, Any]()
            for one in self.statements:
                if one.write.variable is not variable:
                    continue
                if not is_sure(one.write) or one.filters:
                    raise NotCopiedError(variable)
                times = self._times(one, 1)
                every.append(times.reverse().apply_range(relation(one.write)))
                if is_copy(one):
                    source = one.reads[0]
                    reads = times.reverse().apply_range(relation(source))
                    known = copies.get(source.variable, reads)
                    copies[source.variable] = known.union(reads)
                else:
                    others.append((one, times.range()))
            self._known[variable] = _Writes(
                every=reduce(Map.union, every).coalesce() if every else None,
                others=tuple(others),
                copies={source: reads.coalesce() for source, reads in copies.items()},
            )
        return self._known[variable]

    def _times(self, one: Written, last: int) -> Any:
        """Times of reads (0) or writes (1) of instances, within what is known of the parameters."""
        times = times_of(one, "S", depth_of(self.statements), (last,))
        return times.intersect_params(self.assumed)
