"""Calls of host C whose arguments overlap: it has to notice, and then to do what the original does.

What each pointer reaches is listed here from the program's accesses, element by element. Two
arguments are laid against each other so that they just do not meet, and one element nearer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from hlsmem.check.c_runs.c_harness import fill, prelude
from hlsmem.check.c_runs.c_interface import Argument, Interface, numpy_type
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Kernel, Order, Program, Storage
from hlsmem.read.c.symbols import shape_of

_ROOM = 256
"""Bytes between arguments that are apart."""
_LEAST, _MOST_BYTES = 9, 64 << 20
"""Placements of a pair that are tried, and what calls with all may leave: of large arguments
fewer are tried."""
_UNIT = 64

Pair = tuple[int, int]
"""Two arguments, by their places in the interface."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Range of an argument that a call touches, in bytes from its start (`end` not included)."""

    argument: Argument
    start: int
    end: int
    is_written: bool
    is_restrict: bool

    @property
    def bytes(self) -> int:
        """Bytes of the whole argument."""
        return self.argument.elements * self.size

    @property
    def size(self) -> int:
        return int(numpy_type(self.argument.type, self.argument.members).itemsize)

    @property
    def alignment(self) -> int:
        """Alignment of an element's address, in bytes."""
        return numpy_type(self.argument.type, self.argument.members).alignment

    def meets(self, other: Reached, at: int, other_at: int) -> bool:
        """True if both reach a byte, laid at two places."""
        if self.start == self.end or other.start == other.end:
            return False
        return at + self.start < other_at + other.end and other_at + other.start < at + self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Start of every array argument, in words too; whether they lie apart, and whether reordered
    accesses overlap."""

    places: tuple[int, ...]
    is_apart: bool
    is_moved: bool
    text: str


def reached(
    program: Program, kernel: Kernel | None, interface: Interface, values: Mapping[str, int]
) -> tuple[Reached, ...]:
    """Ranges of the array arguments that a call at these parameters touches."""
    found = []
    shapes = {} if kernel is None else _shapes(kernel)
    for argument in interface.arrays:
        ends: list[int] = []
        is_written = False
        for statement in program.source.statements:
            for access in (*statement.reads, *statement.writes):
                strides = _strides(program, kernel, access.array, argument)
                if strides is None:
                    continue
                touched = access.relation.intersect_domain(statement.domain).range()
                elements = points(fix_parameters(touched, values))
                if not len(elements):
                    continue
                is_written |= access in statement.writes
                ends += _flat(elements, argument, strides, values)
        size = int(numpy_type(argument.type, argument.members).itemsize)
        shape = shapes.get(argument.name)
        found.append(
            Reached(
                argument=argument,
                start=min(ends) * size if ends else 0,
                end=(max(ends) + 1) * size if ends else 0,
                is_written=is_written,
                is_restrict=shape is not None and shape.restrict,
            )
        )
    return tuple(found)


def _shapes(kernel: Kernel) -> dict[str, Any]:
    return {one.name: shape_of(one.type) for one in kernel.function.parameters}


def _strides(
    program: Program, kernel: Kernel | None, array: str, argument: Argument
) -> Sequence[object] | None:
    """The strides that C has for an array in an argument, empty for its own; None elsewhere."""
    if kernel is None:
        return () if array == argument.name else None
    variable = kernel.variables.get(array)
    own = program.arrays[array].is_parameter
    if variable is None or not own or variable.declaration.name != argument.name:
        return None
    return variable.strides


def _flat(
    elements: np.ndarray, argument: Argument, strides: Sequence[object], values: Mapping[str, int]
) -> list[int]:
    """The least and the greatest place of elements in memory."""
    if strides:
        steps = [stride.evaluate(values) for stride in strides]  # type: ignore[attr-defined]
        steps.append(1)
    else:
        extents = argument.extents or ()
        steps = [int(np.prod(extents[k + 1 :], dtype=np.int64)) for k in range(len(extents))]
    places = elements[:, : len(steps)] @ np.array(steps, dtype=np.int64)
    return [int(places.min()), int(places.max())]


def crossings_of(
    program: Program,
    kernel: Kernel | None,
    found: Sequence[Reached],
    pairs: Sequence[Pair],
    values: Mapping[str, int],
) -> dict[Pair, list[int]]:
    """Distances in bytes from the first to the second of two arguments at which one iteration of
    the loops reaches an element of both, one of them written: at first, half way and at last."""
    statements = program.source.statements
    reach: list[list[tuple[Any, Any, bool, Sequence[object]]]] = [[] for _ in found]
    for statement in statements:
        for access in (*statement.reads, *statement.writes):
            for k, one in enumerate(found):
                strides = _strides(program, kernel, access.array, one.argument)
                if strides is not None:
                    is_write = access in statement.writes
                    reach[k].append((statement, access, is_write, strides))

    def place(k: int, access: Any, strides: Sequence[object], instance: Any) -> int | None:
        """The first byte that an instance reaches; None where it reaches none."""
        reached = fix_parameters(access.relation, values).intersect_domain(instance).range()
        if reached.is_empty():
            return None
        elements = points(reached)
        return _flat(elements, found[k].argument, strides, values)[0] * found[k].size

    made: dict[Pair, list[int]] = {}
    for first, second in pairs:
        distances = dict[int, None]()
        for (s, access, is_write, strides), (t, partner, too, others) in product(
            reach[first], reach[second]
        ):
            if not (is_write or too):
                continue
            for instance in _samples(fix_parameters(s.domain, values)):
                near = _in_the_iteration(instance, s, t, values)
                if near is None:
                    continue
                here = place(first, access, strides, instance)
                there = place(second, partner, others, near)
                if here is not None and there is not None:
                    distances[here - there] = None
        made[first, second] = list(distances)
    return made


def _samples(domain: Any) -> Iterator[Any]:
    """The first, the last and one of the middle of a set, as sets."""
    if domain.is_empty():
        return
    yield lexmin(domain)
    middle = domain
    for k in range(domain.dim(DimType.set)):
        least, most = (int(end(k).to_python()) for end in (middle.dim_min_val, middle.dim_max_val))
        nearer = middle.fix_val(DimType.set, k, (least + most) // 2)
        middle = middle if nearer.is_empty() else nearer
    yield lexmin(middle)
    yield lexmax(domain)


def _in_the_iteration(instance: Any, statement: Any, other: Any, values: Mapping[str, int]) -> Any:
    """An instance of another statement at the same counts of the loops, as a set; None: none.

    Of times of C every second entry is a place in the text.
    """
    when = fix_parameters(statement.schedule, values).intersect_domain(instance).range()
    for k in range(0, when.dim(DimType.set), 2):
        when = when.drop_constraints_involving_dims(DimType.set, k, 1)
    times = fix_parameters(other.schedule.intersect_domain(other.domain), values)
    found = times.intersect_range(when).domain()
    return None if found.is_empty() else lexmin(found)


def pairs_of(found: Sequence[Reached]) -> tuple[Pair, ...]:
    """The arguments of which one is written, and that may overlap: none is qualified restrict."""
    return tuple(
        (one, other)
        for one, other in combinations(range(len(found)), 2)
        if any(found[k].is_written for k in (one, other))
        and not any(found[k].is_restrict for k in (one, other))
    )


def moved_pairs(
    own: Program, kernel: Kernel | None, found: Sequence[Reached], pairs: Sequence[Pair]
) -> tuple[Pair, ...]:
    """The pairs of which two accesses, one of them a write, come in another order than in the
    source; `own` is the program in C's order, at its parameters' values.

    What is copied into cells is read before all, and written behind all.
    """
    events = {
        k: [_events(own, kernel, found[k], writes=writes) for writes in (False, True)]
        for k in {k for pair in pairs for k in pair}
    }
    return tuple(
        (one, other)
        for one, other in pairs
        if any(
            _turned(events[first][one_writes], events[second][other_writes])
            for first, second in ((one, other), (other, one))
            for one_writes, other_writes in product((False, True), repeat=2)
            if one_writes or other_writes
        )
    )


def _events(own: Program, kernel: Kernel | None, of: Reached, *, writes: bool) -> list[Any]:
    """{ [time of the source] -> [time of C] } of the accesses of a kind, with places for reads and
    writes of one time."""
    values, source = own.values, {one.name: one for one in own.source.statements}
    made = []
    for statement in own.statements:
        accesses = statement.writes if writes else statement.sees
        arrays = [
            a.array for a in accesses if _strides(own, kernel, a.array, of.argument) is not None
        ]
        if statement.name not in source or not arrays:
            continue
        domain = fix_parameters(statement.domain, values)
        text = fix_parameters(source[statement.name].schedule, values).intersect_domain(domain)
        times = fix_parameters(statement.schedule, values).intersect_domain(domain)
        step = own.step_dimensions if own.order is Order.ITERATION else own.time_dimensions
        for array in arrays:
            copied = own.arrays[array].storage is Storage.MEMORY
            made.append(
                _ranked(text, text.dim(DimType.out), 0, writes=writes)
                .reverse()
                .apply_range(_ranked(times, step, (2 * writes - 1) * copied, writes=writes))
            )
    return made


def _ranked(times: Any, step: int, phase: int, *, writes: bool) -> Any:
    """Times as [phase, step, whether it writes, rest where it does]."""
    size = times.dim(DimType.out)
    names = [f"t{k}" for k in range(size)]
    rest = names[step:] if writes else ["0"] * (size - step)
    event = ", ".join([str(phase), *names[:step], str(int(writes)), *rest])
    return times.apply_range(Map(f"{{ [{', '.join(names)}] -> [{event}] }}"))


def _turned(early: Sequence[Any], late: Sequence[Any]) -> bool:
    """True if some event of `early` comes before one of `late` in the source, and not in C."""
    for one, other in product(early, late):
        before = Map.lex_lt(one.domain().get_space())
        pairs = one.reverse().apply_range(before).apply_range(other)
        not_before = Map.lex_ge(pairs.range().get_space())
        if not pairs.intersect(not_before).is_empty():
            return True
    return False


def placements(
    found: Sequence[Reached],
    pairs: Sequence[Pair],
    crossings: Mapping[Pair, Sequence[int]] = MappingProxyType({}),
    changing: Sequence[Pair] = (),
) -> tuple[Placement, ...]:
    """All arguments apart; then each pair just apart, an element nearer, half way, at one place,
    at the `crossings` (bytes of the second from the first), and an element beside these."""
    apart, at = list[int](), 0
    for each in found:
        at += _ROOM + max(0, -each.start)
        at += -at % _UNIT
        apart.append(at)
        at += max(each.bytes, each.end)
    made = [_placed(found, pairs, changing, apart, "all apart")]
    most = max(_LEAST, _MOST_BYTES // (max(at, 1) * max(len(pairs), 1)))
    for first, second in pairs:
        smaller = found[first].size < found[second].size
        one, other = (second, first) if smaller else (first, second)
        still, moved = found[one], found[other]
        if still.start == still.end or moved.start == moved.end:
            continue
        behind, front = still.end - moved.start, still.start - moved.end
        half = [end // 2 // moved.size * moved.size for end in (behind, front)]
        met = [-at if smaller else at for at in crossings.get((first, second), ())]
        near = (at + by for at in (0, *met) for by in (-moved.size, 0, moved.size))
        unit = moved.alignment  # elements of structs may have any size
        just_behind = behind + unit - 1
        tried = dict.fromkeys(
            distance // unit * unit
            for distance in (
                just_behind, front, just_behind - moved.size, front + moved.size, *half, *near
            )
        )  # fmt: skip
        for distance in list(tried)[:most]:
            places = list(apart)
            places[other] = places[one] + distance
            if _breaks_a_promise(found, pairs, places) or _makes_values(found, places):
                continue
            text = f"{moved.argument.name} {distance} bytes from {still.argument.name}"
            made.append(_placed(found, pairs, changing, places, text))
    least = min(place for one in made for place in one.places)
    shift = _ROOM - least
    shift += -shift % _UNIT
    return tuple(
        Placement(
            places=tuple(place + shift for place in one.places),
            is_apart=one.is_apart,
            is_moved=one.is_moved,
            text=one.text,
        )
        for one in made
    )


def _breaks_a_promise(
    found: Sequence[Reached], pairs: Sequence[Pair], places: Sequence[int]
) -> bool:
    """True if arguments overlap that a caller promises are apart, and one of them is written."""
    return any(
        found[a].meets(found[b], places[a], places[b])
        for a, b in combinations(range(len(found)), 2)
        if (a, b) not in pairs and (found[a].is_written or found[b].is_written)
    )


def _makes_values(found: Sequence[Reached], places: Sequence[int]) -> bool:
    """True if an argument that has not all values of its C type, such as an ap_uint<5>, lies over
    elements of another type or over parts of its own: it would begin with values it cannot have."""
    return any(
        (_is_limited(one) or _is_limited(other))
        and one.meets(other, at, other_at)
        and (_values_of(one) != _values_of(other) or (at - other_at) % one.size != 0)
        for (one, at), (other, other_at) in combinations(zip(found, places, strict=True), 2)
        if one.is_written or other.is_written
    )


def _is_limited(one: Reached) -> bool:
    return one.argument.type == "_Bool" or one.argument.inputs.range is not None


def _values_of(one: Reached) -> tuple[object, ...]:
    return one.argument.type, one.argument.members, one.argument.inputs.range


def _placed(
    found: Sequence[Reached],
    pairs: Sequence[Pair],
    changing: Sequence[Pair],
    places: Sequence[int],
    text: str,
) -> Placement:
    met = [(a, b) for a, b in pairs if found[a].meets(found[b], places[a], places[b])]
    # What lies at one place may be right in place: the results say so.
    bad = any(places[a] != places[b] for a, b in met if (a, b) in changing)
    return Placement(places=tuple(places), is_apart=not met, is_moved=bad, text=text)


def arena_bytes(found: Sequence[Reached], made: Sequence[Placement]) -> int:
    """The memory that all placements lie in."""
    ends = (p + max(r.bytes, r.end) for one in made for r, p in zip(found, one.places, strict=True))
    return max(ends) + _ROOM + _UNIT


def overlapping(interface: Interface, size: int, *, tested: bool, stops: bool = False) -> str:
    """The text of the program: `program OUTPUT (PLACE..)..`, a PLACE for each array argument.

    For each placement it fills an arena of so many bytes, calls the function, and writes all of
    the arena, then the result. Where it is `tested` it prints a line with what the test of the
    generated C says in front of each call, for which a copy of the arguments is as good; where it
    `stops` unless they lie apart, only calls that do not are made, unless HLSMEM_CALL is set.
    """
    arrays = interface.arrays
    call = ", ".join(f"given_{argument.name}" for argument in interface.arguments)
    types = ", ".join("void *" if a.is_array else a.type for a in interface.arguments)
    result = interface.result
    function = interface.function
    lines = [
        prelude(interface.function),
        *(line for a in interface.arguments if a.members for line in a.definition()),
        f"extern {result or 'void'} {function}({types});",
        *([f"extern int {function}_apart({types});"] if tested else []),
        "",
        "int main(int argc, char **argv)",
        "{",
        '    FILE *const file = fopen(argv[1], "wb");',
        f"    unsigned char *const arena = block({size}u);",
        f"    for (int at = 2; at < argc; at += {len(arrays)}) {{",
        "    uint64_t state = 88172645463325252u;",
        f"    memset(arena, 0, {size}u);",
    ]
    lines += _given(interface)
    if tested:
        lines += [
            f"    const int is_apart = {function}_apart({call});",
            '    printf("%d\\n", is_apart);',
        ]
    if stops:
        lines += [
            '    if (!is_apart && getenv("HLSMEM_CALL") == NULL) {',
            f"        fwrite(arena, 1, {size}u, file);",
            f"        fwrite(arena, 1, sizeof({result or 'char'}), file);" if result else "",
            "        continue;",
            "    }",
        ]
    start = f"{result} result = " if result else ""
    lines += [
        f"    {start}{function}({call});",
        f"    fwrite(arena, 1, {size}u, file);",
        "    fwrite(&result, sizeof result, 1, file);" if result else "",
        "    }",
        "    return fclose(file) != 0;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def arguments_of(made: Sequence[Placement]) -> list[str]:
    """The placements as arguments of the program."""
    return [str(place) for one in made for place in one.places]


def wrong_answer(function: str, made: Sequence[Placement], said: Sequence[str]) -> str:
    """The fault in the answers of the test; "" without one."""
    for one, answer in zip(made, said, strict=True):
        if (one.is_apart and answer != "1") or (one.is_moved and answer != "0"):
            where = "which overlap" if not one.is_apart else "which lie apart"
            return f"{function}_apart() says {answer} of arguments with {one.text}, {where}"
    return ""


def differing(
    found: Sequence[Reached],
    made: Sequence[Placement],
    expected: Path,
    other: Path,
    left_out: Collection[int] = (),
) -> tuple[int, str]:
    """Of how many placements two runs left the same bytes, and the first of which they did not,
    in words, "" for none; some are `left_out`.

    Those of which the expected floats are no finite numbers say nothing: a call whose arguments
    overlap may go on from what it made.
    """
    want, have = expected.read_bytes(), other.read_bytes()
    step, same = len(want) // len(made), 0
    for number, one in enumerate(made):
        if number in left_out:
            continue
        own = want[number * step : (number + 1) * step]
        if not _are_finite(found, one, own):
            continue
        if own != have[number * step : (number + 1) * step]:
            return same, one.text
        same += 1
    return same, ""


def _are_finite(found: Sequence[Reached], made: Placement, held: bytes) -> bool:
    for one, place in zip(found, made.places, strict=True):
        kind = numpy_type(one.argument.type, one.argument.members)
        if kind.kind == "f":
            numbers = np.frombuffer(held[place : place + one.bytes], dtype=kind)
            if not np.isfinite(numbers).all():
                return False
    return True


def _given(interface: Interface) -> list[str]:
    """The arguments of a call: arrays at their places in the arena, which are filled, and others
    that have their value or are filled."""
    place = {one.name: number for number, one in enumerate(interface.arrays)}
    lines = []
    for argument in interface.arguments:
        name, kind = f"given_{argument.name}", argument.type
        if argument.is_array:
            where = f"arena + strtol(argv[at + {place[argument.name]}], NULL, 10)"
            lines.append(f"    {kind} *const {name} = ({kind} *)(void *)({where});")
            lines += fill(name, argument)
        elif argument.value is not None:
            lines.append(f"    {kind} {name} = ({kind}){argument.value};")
        else:
            lines += [f"    {kind} {name};", *fill(name, argument)]
    return lines
