"""Calls of host C whose arguments overlap: it has to notice, and then to do what the original does.

What each pointer reaches is listed here from the program's accesses, element by element. Two
arguments are laid against each other so that they just do not meet, and one element nearer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from pycparser import c_ast

from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program import Kernel, Program
from hlsmem.read.c.symbols import shape_of
from hlsmem.read.c.typedefs import types_in_sight
from hlsmem.values import dataclass
from hlsmem.verification.harness import fill, prelude
from hlsmem.verification.interface import Argument, Interface, numpy_type

_ROOM = 256
"""Bytes between arguments that are apart."""
_UNIT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """What a call touches of an argument, in bytes from where it points (`end` not included)."""

    argument: Argument
    start: int
    end: int
    is_written: bool
    is_plain: bool

    @property
    def bytes(self) -> int:
        """Bytes of the whole argument."""
        return self.argument.elements * self.size

    @property
    def size(self) -> int:
        return int(numpy_type(self.argument.type, self.argument.members).itemsize)

    def meets(self, other: Reached, at: int, other_at: int) -> bool:
        """Whether both reach a byte, laid at two places."""
        if self.start == self.end or other.start == other.end:
            return False
        return at + self.start < other_at + other.end and other_at + other.start < at + self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where every array argument begins, whether they lie apart, and in words."""

    places: tuple[int, ...]
    is_apart: bool
    text: str


def reached(
    program: Program, kernel: Kernel, interface: Interface, values: Mapping[str, int]
) -> tuple[Reached, ...]:
    """What a call at these parameters touches of each array argument."""
    found = []
    types = types_in_sight(kernel)
    nodes = kernel.function.decl.type.args.params if kernel.function.decl.type.args else []
    shapes = {n.name: shape_of(n.type, types) for n in nodes if isinstance(n, c_ast.Decl)}
    for argument in interface.arrays:
        ends: list[int] = []
        is_written = False
        for statement in program.source.statements:
            for access in (*statement.reads, *statement.writes):
                variable = kernel.variables.get(access.array)
                own = program.arrays[access.array].is_parameter
                if variable is None or not own or variable.declaration.name != argument.name:
                    continue
                touched = access.relation.intersect_domain(statement.domain).range()
                elements = points(fix_parameters(touched, values))
                if not len(elements):
                    continue
                is_written |= access in statement.writes
                ends += _flat(elements, argument, variable.strides, values)
        size = int(numpy_type(argument.type, argument.members).itemsize)
        shape = shapes[argument.name]
        found.append(
            Reached(
                argument=argument,
                start=min(ends) * size if ends else 0,
                end=(max(ends) + 1) * size if ends else 0,
                is_written=is_written,
                is_plain=shape.pointer and not shape.restrict,
            )
        )
    return tuple(found)


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


def has_pairs(found: Sequence[Reached]) -> bool:
    return any(True for _ in _pairs(found))


def _pairs(found: Sequence[Reached]) -> Iterator[tuple[int, int]]:
    """The arguments that must not meet: one is written, one is a plain pointer."""
    for one, other in combinations(range(len(found)), 2):
        both = found[one], found[other]
        if any(r.is_written for r in both) and any(r.is_plain for r in both):
            yield one, other


def placements(found: Sequence[Reached]) -> tuple[Placement, ...]:
    """All arguments apart; then each pair just apart, an element nearer, and at one place."""
    apart, at = list[int](), 0
    for each in found:
        at += _ROOM + max(0, -each.start)
        at += -at % _UNIT
        apart.append(at)
        at += max(each.bytes, each.end)
    made = [_placed(found, apart, "all apart")]
    for first, second in _pairs(found):
        # What moves by its elements stays aligned.
        smaller = found[first].size < found[second].size
        one, other = (second, first) if smaller else (first, second)
        still, moved = found[one], found[other]
        if still.start == still.end or moved.start == moved.end:
            continue
        behind, front = still.end - moved.start, still.start - moved.end
        near = (behind - moved.size, front + moved.size, -moved.size, 0, moved.size)
        for distance in dict.fromkeys((behind, front, *near)):
            places = list(apart)
            places[other] = places[one] + distance
            text = f"{moved.argument.name} {distance} bytes from {still.argument.name}"
            made.append(_placed(found, places, text))
    least = min(place for one in made for place in one.places)
    shift = _ROOM - least
    shift += -shift % _UNIT
    return tuple(
        Placement(
            places=tuple(place + shift for place in one.places),
            is_apart=one.is_apart,
            text=one.text,
        )
        for one in made
    )


def _placed(found: Sequence[Reached], places: Sequence[int], text: str) -> Placement:
    met = any(found[a].meets(found[b], places[a], places[b]) for a, b in _pairs(found))
    return Placement(places=tuple(places), is_apart=not met, text=text)


def arena_bytes(found: Sequence[Reached], made: Sequence[Placement]) -> int:
    """The memory that all placements lie in."""
    ends = (p + max(r.bytes, r.end) for one in made for r, p in zip(found, one.places, strict=True))
    return max(ends) + _ROOM + _UNIT


def overlapping(interface: Interface, size: int, *, tested: bool) -> str:
    """The text of the program: `program OUTPUT (PLACE..)..`, a PLACE for each array argument.

    For each placement it fills an arena of so many bytes, calls the function, and writes all of
    the arena, then the result. Where it is `tested` it prints a line with what the test of the
    generated C says in front of each call, for which a copy of the arguments is as good.
    """
    arrays = interface.arrays
    call = ", ".join(f"given_{argument.name}" for argument in interface.arguments)
    types = ", ".join("void *" if a.is_array else a.type for a in interface.arguments)
    result = interface.result
    function = interface.function
    place = {one.name: number for number, one in enumerate(arrays)}
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
    if tested:
        lines.append(f'    printf("%d\\n", {function}_apart({call}));')
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


def fault_of(
    function: str, made: Sequence[Placement], said: Sequence[str], files: tuple[Path, Path]
) -> str:
    """What is wrong with the answers of the test, or with what the calls left; "" if nothing."""
    for one, answer in zip(made, said, strict=True):
        if answer != str(int(one.is_apart)):
            where = "which overlap" if not one.is_apart else "which lie apart"
            return f"{function}_apart() says {answer} of arguments with {one.text}, {where}"
    expected, found = (file.read_bytes() for file in files)
    step = len(expected) // len(made)
    for number, one in enumerate(made):
        if expected[number * step : (number + 1) * step] != found[number * step :][:step]:
            return f"{function}() differs from the original with {one.text}"
    return ""
