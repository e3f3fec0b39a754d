"""Random programs under conditions: as loops and statements, as design.yaml, and as programs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hlsmem.polyhedra import Map, Set, UnionSet
from hlsmem.program.model import (
    Access,
    Array,
    ElementType,
    Filter,
    Mix,
    Program,
    Statement,
    Storage,
)

LOOPS = ("i", "j", "k")
# Index of an element: loops by name, or n-1-i.
Index = tuple[str, ...]


@dataclass(frozen=True)
class PredicateRead:
    """An element that a filter looks at, and the value with which the instance runs."""

    array: str
    index: Index
    value: int


@dataclass(frozen=True)
class Line:
    """A statement: its loops with their lower bounds, its slots, what it touches, its filter.

    `inside` is how many loops stand around its innermost condition.
    """

    name: str
    loops: tuple[str, ...]
    slots: tuple[int, ...]
    reads: tuple[tuple[str, Index], ...] = ()
    writes: tuple[tuple[str, Index], ...] = ()
    predicate_reads: tuple[PredicateRead, ...] = ()
    inside: int = 0


@dataclass
class _State:
    chance: random.Random
    lines: list[Line] = field(default_factory=list)
    conditions: int = 0
    most: int = 9

    def name(self, kind: str) -> str:
        return f"{kind}{len(self.lines)}"


_DATA = (("s",), ("s",), ("A", "{}"), ("A", "{}-1"), ("A", "n-1-{}"))


def random_program(seed: int) -> list[Line]:
    """One to nine statements in one to three loops, some of them under conditions.

    Conditions are T, U, V, which nobody writes, and c, d, e, scalars that a statement right before
    the test writes; A and s are data.
    """
    while True:
        state = _State(random.Random(seed))
        _block(state, (), (), (), 0, "")
        written = {array for line in state.lines for array, _ in line.writes}
        if any(array in written for line in state.lines for array, _ in line.reads):
            return state.lines
        seed += 1_000_003


def _block(
    state: _State,
    loops: tuple[str, ...],
    slots: tuple[int, ...],
    predicate_reads: tuple[PredicateRead, ...],
    inside: int,
    taken: str,
) -> None:
    """Some items one after the other; `taken` are the scalars that tests around here look at."""
    at = 0
    for _ in range(state.chance.choice((1, 2, 2, 3, 3))):
        if len(state.lines) >= state.most:
            return
        at = _item(state, loops, slots, predicate_reads, inside, taken, at)


def _item(
    state: _State,
    loops: tuple[str, ...],
    slots: tuple[int, ...],
    predicate_reads: tuple[PredicateRead, ...],
    inside: int,
    taken: str,
    at: int,
) -> int:
    """An item at slot `at`; the next free slot."""
    chance = state.chance
    kind = chance.choice(("line", "line", "loop", "if", "if"))
    if kind == "loop" and len(loops) < 3 and chance.random() < 1 / (1 + len(loops)):
        _block(state, (*loops, LOOPS[len(loops)]), (*slots, at), predicate_reads, inside, taken)
        return at + 1
    if (
        kind == "if"
        and len(predicate_reads) < 3
        and chance.random() < 1 / (1 + len(predicate_reads))
    ):
        free = [one for one in "cde" if one not in taken]
        if free and chance.random() < 0.4:
            array, index = chance.choice(free), ()
            line = Line(
                name=state.name("W"), loops=loops, slots=(*slots, at), writes=((array, ()),),
                predicate_reads=predicate_reads, inside=inside,
            )  # fmt: skip
            state.lines.append(line)
            taken += array
            at += 1
        else:
            array = chance.choice("TUV")
            index = tuple(_subscript(chance, one) for one in _some(chance, loops))
            array += str(len(index))
        value = chance.randrange(2)
        for polarity in (value, 1 - value)[: chance.choice((1, 1, 2))]:
            test = (*predicate_reads, PredicateRead(array, index, polarity))
            # The branches are in one block: slots go on.
            for _ in range(chance.choice((1, 1, 2))):
                if len(state.lines) < state.most:
                    at = _item(state, loops, slots, test, len(loops), taken, at)
        return at
    reads, writes = list[tuple[str, Index]](), list[tuple[str, Index]]()
    if chance.random() < 0.6:
        writes.append(_element(chance, loops))
    if not writes or chance.random() < 0.5:
        reads.append(_element(chance, loops))
    state.lines.append(
        Line(name=state.name("S"), loops=loops, slots=(*slots, at), reads=tuple(reads),
             writes=tuple(writes), predicate_reads=predicate_reads, inside=inside)
    )  # fmt: skip
    return at + 1


def _some(chance: random.Random, loops: Sequence[str]) -> list[str]:
    return [one for one in loops if chance.random() < 0.7]


def _subscript(chance: random.Random, loop: str) -> str:
    return chance.choice((loop, loop, f"n-1-{loop}"))


def _element(chance: random.Random, loops: Sequence[str]) -> tuple[str, Index]:
    array, *form = chance.choice(_DATA if loops else _DATA[:1])
    return array, tuple(one.format(chance.choice(loops)) for one in form)


def design_of(lines: Sequence[Line], *, name: str = "drawn", n: int = 3) -> str:
    """The same as design.yaml, in times of as many entries for all."""
    size = max(2 * len(line.loops) + 1 for line in lines)
    text = [f"hlsmem: 1\nname: {name}\nparams: {{n: {n}}}\narrays:"]
    text += [f"  {one}" for one in _arrays(lines)]
    text.append("network:\n  line:\n    statements:")
    for line in lines:
        text += [f"      {line.name}:", *(f"        {one}" for one in _keys(line, size))]
    return "\n".join(text) + "\n"


def _arrays(lines: Sequence[Line]) -> Iterator[str]:
    ranks = {array: len(index) for line in lines for array, index in (*line.reads, *line.writes)}
    looked = {one.array: len(one.index) for line in lines for one in line.predicate_reads}
    written = {array for line in lines for array, _ in line.writes}
    for array, rank in sorted((ranks | looked).items()):
        index = ", ".join(f"x{at}" for at in range(rank))
        kind = "uint1" if array in looked or array[0] in "cde" else "int32"
        outside = "" if array in written else ", storage: external"
        yield f"{array}: {{type: {kind}, index: [{index}]{outside}}}"


def _keys(line: Line, size: int) -> Iterator[str]:
    """The keys of a statement in design.yaml."""
    parts = _parts(line, size)
    yield f'domain: "{parts.domain}"'
    yield f'schedule: "{parts.schedule}"'
    for kind, accesses in (("reads", parts.reads), ("writes", parts.writes)):
        if accesses:
            yield f"{kind}: [{', '.join(map(_quoted, accesses))}]"
    if line.predicate_reads:
        access = ", ".join(map(_quoted, parts.predicate_reads))
        yield f'filter: {{access: [{access}], value: "{parts.value}", loops: {line.inside}}}'


def _quoted(text: str) -> str:
    return f'"{text}"'


@dataclass(frozen=True)
class _Parts:
    """A statement in isl's words."""

    domain: str
    schedule: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    predicate_reads: tuple[str, ...]
    value: str


def _parts(line: Line, size: int) -> _Parts:
    own = f"{line.name}[{','.join(line.loops)}]"
    bounds = " and ".join(f"0 <= {loop} < n" for loop in line.loops) or "true"
    times = [str(line.slots[0])]
    for loop, slot in zip(line.loops, line.slots[1:], strict=True):
        times += [loop, str(slot)]
    times += ["0"] * (size - len(times))

    def to(array: str, index: Index) -> str:
        return f"[n] -> {{ {own} -> {array}[{', '.join(index)}] }}"

    values = ", ".join(str(one.value) for one in line.predicate_reads)
    return _Parts(
        domain=f"[n] -> {{ {own} : {bounds} }}",
        schedule=f"[n] -> {{ {own} -> [{', '.join(times)}] }}",
        reads=tuple(to(*one) for one in line.reads),
        writes=tuple(to(*one) for one in line.writes),
        predicate_reads=tuple(to(one.array, one.index) for one in line.predicate_reads),
        value=f"[n] -> {{ {own} -> [{values}] }}",
    )


_CONTEXT = Set("[n] -> { : n >= 1 }")


def program_of(lines: Sequence[Line], *, n: int = 3) -> Program:
    """What `design_of` is read as: the text of a design takes longer to read than to analyse."""
    size = max(2 * len(line.loops) + 1 for line in lines)
    written = {array for line in lines for array, _ in line.writes}
    looked = {one.array for line in lines for one in line.predicate_reads}
    ranks = {array: len(index) for line in lines for array, index in (*line.reads, *line.writes)}
    ranks |= {one.array: len(one.index) for line in lines for one in line.predicate_reads}
    live = UnionSet("{ }")
    for name in ranks.keys() - written:
        index = ", ".join(f"x{at}" for at in range(ranks[name]))
        live = live.union(UnionSet(f"{{ {name}[{index}] }}"))
    return Program(
        name="drawn",
        parameters=("n",),
        values={"n": n},
        context=_CONTEXT,
        arrays={
            name: Array(
                name=name,
                element=ElementType("uint1" if name in looked or name[0] in "cde" else "int32"),
                index=tuple(f"x{at}" for at in range(rank)),
                extents=None,
                storage=Storage.MEMORY if name in written else Storage.EXTERNAL,
            )
            for name, rank in sorted(ranks.items())
        },
        statements=tuple(_statement(line, _parts(line, size)) for line in lines),
        live_in=live,
        live_out=UnionSet("{ }"),
        time_dimensions=size,
        step_dimensions=size,
    )


def _statement(line: Line, parts: _Parts) -> Statement:
    domain = Set(parts.domain).intersect_params(_CONTEXT)

    def accesses(touched: Sequence[str], names: Sequence[str]) -> tuple[Access, ...]:
        return tuple(
            Access(array=name, relation=Map(text).intersect_domain(domain))
            for text, name in zip(touched, names, strict=True)
        )

    predicate_reads = accesses(parts.predicate_reads, [one.array for one in line.predicate_reads])
    value = Map(parts.value).intersect_domain(domain)
    return Statement(
        name=line.name,
        process="line",
        domain=domain,
        schedule=Map(parts.schedule).intersect_domain(domain),
        reads=accesses(parts.reads, [array for array, _ in line.reads]),
        writes=accesses(parts.writes, [array for array, _ in line.writes]),
        body=Mix(),
        iterators=line.loops,
        filters=(Filter(accesses=predicate_reads, value=value, loops=line.inside),)
        if predicate_reads
        else (),
    )
