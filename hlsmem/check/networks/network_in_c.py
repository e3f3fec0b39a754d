"""A process network as plain C: every element has a place of its own, instances come from a table.

The function has the name and the arguments of the generated one, so that both run in the same
harness. Nothing here knows of lifetimes or mappings. At one time all reads come first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

import numpy as np

from hlsmem.check.c_runs.c_interface import Interface, NotCallable, storage_type
from hlsmem.check.c_runs.c_programs import NOW, entering, stops_text
from hlsmem.check.networks.network_interpreter import declared
from hlsmem.check.networks.predicate_columns import (
    ARITHMETIC,
    NO_ARITHMETIC,
    FilterRows,
    filter_rows,
    placed,
    test_in_c,
)
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains, evaluate
from hlsmem.program.model import Access, Copy, ElementType, Mix, NetworkBody, Program, Statement

_ABSENT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Operand:
    """An access: the element it touches in each instance; rows of `made` that are false: none."""

    array: str
    made: np.ndarray = field(compare=False)
    elements: np.ndarray = field(compare=False)


def write_unfolded(
    program: Program, interface: Interface, values: Mapping[str, int], folder: Path
) -> Path:
    """Write C files and their table of instances into `folder`; returns the first C file.

    The second is `stops.c`.

    `program` is the network as read, without arrivals and departures. Raises NotCallable where
    an access touches several elements at once.
    """
    families = [
        statement for statement in program.statements if not isinstance(statement.body, Copy)
    ]
    operands = {s.name: _operands(program, s, values) for s in families}
    filters = {s.name: _filters(s, values) for s in families}
    layouts = _layouts(program, interface, operands, filters)
    rows, times, looked, start = [], [], [np.zeros(0, dtype=np.int64)], 0
    width = max((len(operands[s.name]) + len(s.iterators) for s in families), default=0)
    for number, statement in enumerate(families):
        points, moments = _instances(statement, values)
        own = [_with_words(one, layouts) for one in filters[statement.name]]
        _, place, text = placed(own, len(points), start)
        looked.append(text)
        start += len(text)
        found = [np.full(len(points), number)]
        found += [_places(operand, layouts[operand.array]) for operand in operands[statement.name]]
        found += list(points.T)
        found += [np.zeros(len(points), dtype=np.int64)] * (1 + width - len(found))
        found.append(place)
        rows.append(np.stack(found, axis=1).astype(np.int64))
        times.append(moments)
    every = np.concatenate(times)
    order = np.lexsort(every.T[::-1])
    every = every[order]
    moment = np.cumsum(np.any(np.diff(every, axis=0, prepend=every[:1]) != 0, axis=1))
    table = np.column_stack([moment, np.concatenate(rows)[order]])
    table.astype(np.int64).tofile(folder / "instances")
    np.concatenate(looked).tofile(folder / "looked")
    names = [statement.name for statement in families]
    (folder / "stops.c").write_text(stops_text(names), encoding="utf-8")
    file = folder / "unfolded.c"
    file.write_text(
        _text(program, interface, families, layouts, values, table.shape, start, folder),
        encoding="utf-8",
    )
    return file


def _instances(statement: Statement, values: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
    domain = fix_parameters(statement.domain, values)
    points = distinct_points(domain)
    schedule = fix_parameters(statement.schedule, values).intersect_domain(domain)
    return points, evaluate(schedule, points)


def _filters(statement: Statement, values: Mapping[str, int]) -> list[FilterRows]:
    domain = fix_parameters(statement.domain, values)
    points = distinct_points(domain)
    return [
        filter_rows(number, one, values, domain, points)
        for number, one in enumerate(statement.filters)
    ]


def _with_words(one: FilterRows, layouts: Mapping[str, _Layout]) -> FilterRows:
    """The filter with the places of what it looks at."""
    return replace(
        one,
        predicate_reads=tuple(
            replace(
                look,
                word=_places(
                    _Operand(array=look.array, made=look.made, elements=look.element),
                    layouts[look.array],
                ),
            )
            for look in one.predicate_reads
        ),
    )


def _operands(program: Program, statement: Statement, values: Mapping[str, int]) -> list[_Operand]:
    """Reads, then writes."""
    domain = fix_parameters(statement.domain, values)
    points = distinct_points(domain)
    accesses = (*statement.reads, *statement.writes)
    return [_operand(program, access, domain, points, values) for access in accesses]


def _operand(
    program: Program,
    access: Access,
    domain: object,
    points: np.ndarray,
    values: Mapping[str, int],
) -> _Operand:
    relation = fix_parameters(access.relation, values).intersect_domain(domain)
    if not relation.is_single_valued():
        raise NotCallable(f"an access to {access.array!r} touches several elements at once")
    made = contains(relation.domain(), points)
    elements = np.zeros((len(points), len(program.arrays[access.array].index)), dtype=np.int64)
    elements[made] = evaluate(relation, points[made])
    return _Operand(array=access.array, made=made, elements=elements)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """A row-major array: least coordinates and extents."""

    low: np.ndarray = field(compare=False)
    extents: tuple[int, ...]

    @property
    def elements(self) -> int:
        return int(np.prod(self.extents, dtype=np.int64))


def _layouts(
    program: Program,
    interface: Interface,
    operands: Mapping[str, Sequence[_Operand]],
    filters: Mapping[str, Sequence[FilterRows]],
) -> dict[str, _Layout]:
    """Given arrays lie as their arguments do, others in the box of what is touched."""
    given = {argument.name: argument.extents or (1,) for argument in interface.arrays}
    layouts = {}
    for name, array in program.arrays.items():
        if name in given:
            low = np.zeros(len(array.index), dtype=np.int64)
            extents = given[name] if array.index else ()
        else:
            touched = [
                o.elements[o.made] for os in operands.values() for o in os if o.array == name
            ]
            touched += [
                look.element
                for own in filters.values()
                for one in own
                for look in one.predicate_reads
                if look.array == name
            ]
            every = np.concatenate([np.zeros((1, len(array.index)), dtype=np.int64), *touched])
            low = every.min(axis=0)
            extents = tuple(int(e) for e in every.max(axis=0) - low + 1)
        layouts[name] = _Layout(low=low, extents=extents)
    return layouts


def _places(operand: _Operand, layout: _Layout) -> np.ndarray:
    """The position of each element, or _ABSENT."""
    position = np.zeros(len(operand.made), dtype=np.int64)
    for dimension, extent in enumerate(layout.extents):
        coordinate = operand.elements[:, dimension] - layout.low[dimension]
        inside = (coordinate >= 0) & (coordinate < extent)
        if not inside[operand.made].all():
            raise NotCallable(f"an access leaves the extents of {operand.array!r}")
        position = position * extent + coordinate
    return np.where(operand.made, position, _ABSENT)


def _text(
    program: Program,
    interface: Interface,
    families: Sequence[Statement],
    layouts: Mapping[str, _Layout],
    values: Mapping[str, int],
    shape: tuple[int, ...],
    looked: int,
    folder: Path,
) -> str:
    given = {argument.name for argument in interface.arrays}
    lines = [_PRELUDE, *declared(program, values), NOW]
    for name, array in program.arrays.items():
        kind = storage_type(array.element)
        if name in given:
            lines.append(f"static {kind} *array_{name};")
        else:
            lines.append(f"static {kind} array_{name}[{layouts[name].elements}];")
    for number, statement in enumerate(families):
        lines += ["", *_compute_lines(program, number, statement)]
        lines += ["", *_store_lines(program, number, statement)]
    results = max((len(statement.writes) for statement in families), default=1)
    parameters = ", ".join(
        f"{argument.type} *given_{argument.name}" for argument in interface.arguments
    )
    cases = [
        (
            f"compute_{n}(hlsmem_row, result + {results} * k)",
            f"store_{n}(hlsmem_row, result + {results} * k)",
        )
        for n in range(len(families))
    ]
    tests = [_tests(number, one, values) for number, one in enumerate(families)]
    if any(tests):
        lines += [ARITHMETIC, *(text for own in tests for text in own), NO_ARITHMETIC]
    choices = [
        f"            case {number * 1024 + which}: saw[0] = runs_{number}_{which}"
        "(at, look, saw, NULL); break;"
        for number, own in enumerate(tests)
        for which in range(len(own))
    ]
    asking = _asking(families, choices)
    phases = [*_phase([one for one, _ in cases], asking), *_phase([one for _, one in cases], [])]
    lines += _player(interface, parameters or "void", shape, looked, results, folder, phases)
    return "\n".join(lines) + "\n"


def _player(
    interface: Interface,
    parameters: str,
    shape: tuple[int, ...],
    looked: int,
    results: int,
    folder: Path,
    phases: Sequence[str],
) -> list[str]:
    """The function that plays the table of instances, moment by moment, in `phases`."""
    path, other = (
        str(folder / name).replace("\\", "\\\\").replace('"', '\\"')
        for name in ("instances", "looked")
    )
    given = {argument.name for argument in interface.arrays}
    return [
        "",
        f"void {interface.function}({parameters})",
        "{",
        f"    const size_t rows = {shape[0]}u, columns = {shape[1]}u;",
        *(f"    array_{name} = given_{name};" for name in given),
        "    int64_t *const table = malloc(rows * columns * sizeof(int64_t) + 1);",
        "    union hlsmem_value *const result ="
        f" malloc((rows * {results}u + 1) * sizeof(union hlsmem_value));",
        f'    FILE *const file = fopen("{path}", "rb");',
        "    if (!table || !result || !file"
        " || fread(table, sizeof(int64_t), rows * columns, file) != rows * columns)",
        "        exit(5);",
        "    fclose(file);",
        f"    const size_t many = {looked}u;",
        "    int64_t *const looked = malloc(many * sizeof(int64_t) + 1);",
        "    int64_t *const seen = calloc(many + 1, sizeof(int64_t));",
        f'    FILE *const other = fopen("{other}", "rb");',
        "    if (!looked || !seen || !other"
        " || fread(looked, sizeof(int64_t), many, other) != many)",
        "        exit(5);",
        "    fclose(other);",
        "    for (size_t first = 0, last; first < rows; first = last) {",
        "        for (last = first; last < rows; last++)",
        "            if (table[last * columns] != table[first * columns])",
        "                break;",
        *phases,
        "    }",
        "    free(looked);",
        "    free(seen);",
        "    free(table);",
        "    free(result);",
        "}",
    ]


def _tests(number: int, statement: Statement, values: Mapping[str, int]) -> list[str]:
    return [
        test_in_c(
            f"runs_{number}_{which}",
            one,
            values,
            [f"array_{access.array}[{{}}]" for access in one.accesses],
        )
        for which, one in enumerate(statement.filters)
    ]


def _asking(families: Sequence[Statement], choices: Sequence[str]) -> list[str]:
    """Lines that ask the filter of a row, where some statement has one."""
    if not choices:
        return []
    depths = ", ".join(str(1 + len(s.reads) + len(s.writes)) for s in families)
    return [
        "            if (hlsmem_row[columns - 2] >= 0) {",
        f"                static const int before[] = {{ {depths} }};",
        "                const int64_t *const look = looked + hlsmem_row[columns - 2];",
        "                const int64_t *const at = hlsmem_row + before[hlsmem_row[0]];",
        "                int64_t *const saw = seen + hlsmem_row[columns - 2];",
        "                switch (hlsmem_row[0] * 1024 + look[0]) {",
        *(f"    {line}" for line in choices),
        "                }",
        "            }",
    ]


def _phase(calls: Sequence[str], before: Sequence[str]) -> list[str]:
    return [
        "        for (size_t k = 0; k < last - first; k++) {",
        "            const int64_t *const hlsmem_row = table + (first + k) * columns + 1;",
        *before,
        "            if (hlsmem_row[columns - 2] >= 0 && !seen[hlsmem_row[columns - 2]])",
        "                continue;",
        f"            {entering('hlsmem_row[0]')}",
        "            switch (hlsmem_row[0]) {",
        *(f"            case {number}: {call}; break;" for number, call in enumerate(calls)),
        "            }",
        "        }",
    ]


def _compute_lines(program: Program, number: int, statement: Statement) -> list[str]:
    reads = [program.arrays[access.array].element for access in statement.reads]
    lines = [
        f"static void compute_{number}"
        "(const int64_t *hlsmem_row, union hlsmem_value *hlsmem_result)",
        "{",
    ]
    for position, (access, element) in enumerate(zip(statement.reads, reads, strict=True)):
        kind = storage_type(element)
        place = f"hlsmem_row[{1 + position}]"
        lines.append(
            f"    const {kind} a{position} = {place} < 0 ? 0 : array_{access.array}[{place}];"
        )
    match statement.body:
        case NetworkBody() as body:
            first = 1 + len(statement.reads) + len(statement.writes)
            for name in body.iterators:
                column = first + statement.iterators.index(name)
                lines.append(f"    const int64_t {name} = hlsmem_row[{column}];")
            lines += _body_lines(program, statement, body.text)
        case Mix():
            lines += _mix_lines(program, statement, reads)
        case _:
            raise NotCallable(f"{statement.name} has the body of a kernel")
    return [*lines, "}"]


def _body_lines(program: Program, statement: Statement, text: str) -> list[str]:
    lines = []
    for name in dict.fromkeys(access.array for access in statement.writes):
        lines.append(f"    {storage_type(program.arrays[name].element)} {name} = 0;")
    lines += ["    {", f"        {text};", "    }"]
    for position, access in enumerate(statement.writes):
        element = program.arrays[access.array].element
        lines.append(f"    hlsmem_result[{position}].{_member(element)} = {access.array};")
    return lines


def _mix_lines(program: Program, statement: Statement, reads: Sequence[ElementType]) -> list[str]:
    lines = ["    uint32_t h = 2166136261u;"]
    lines += [f"    h = hlsmem_absorb(h, {byte}u);" for byte in statement.name.encode("ascii")]
    first = 1 + len(statement.reads) + len(statement.writes)
    for position in range(len(statement.iterators)):
        lines.append(f"    h = hlsmem_absorb(h, (uint32_t)hlsmem_row[{first + position}]);")
    for position, element in enumerate(reads):
        lines.append("    {")
        lines.append("        uint64_t bits = 0;")
        if element.is_float:
            lines.append(f"        hlsmem_memcpy_low(&bits, &a{position}, sizeof a{position});")
        else:
            lines.append(f"        bits = (uint64_t)a{position};")
        lines.append(
            "        h = hlsmem_absorb(hlsmem_absorb(h, (uint32_t)bits), (uint32_t)(bits >> 32));"
        )
        lines.append("    }")
    for position, access in enumerate(statement.writes):
        element = program.arrays[access.array].element
        value = {"float": "(float)(h >> 8)", "double": "(double)h"}.get(
            element.name, "(int64_t)((uint64_t)h * 4294967297u)"
        )
        lines.append(f"    hlsmem_result[{position}].{_member(element)} = {value};")
    return lines


def _store_lines(program: Program, number: int, statement: Statement) -> list[str]:
    lines = [
        f"static void store_{number}(const int64_t *hlsmem_row, union hlsmem_value *hlsmem_result)",
        "{",
    ]
    for position, access in enumerate(statement.writes):
        element = program.arrays[access.array].element
        place = f"hlsmem_row[{1 + len(statement.reads) + position}]"
        value = f"hlsmem_result[{position}].{_member(element)}"
        if not element.is_float:
            value = f"hlsmem_reduce({value}, {element.bits}, {int(element.is_signed)})"
        kind = storage_type(element)
        lines += [
            f"    if ({place} >= 0)",
            f"        array_{access.array}[{place}] = ({kind}){value};",
        ]
    return [*lines, "}"]


def _member(element: ElementType) -> str:
    return {"float": "f", "double": "d"}.get(element.name, "i")


_PRELUDE = """\
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union hlsmem_value { int64_t i; float f; double d; };

static uint32_t hlsmem_absorb(uint32_t h, uint32_t word)
{
    h = (h ^ word) * 16777619u;
    return h ^ (h >> 15);
}

static void hlsmem_memcpy_low(uint64_t *bits, const void *value, size_t size)
{
    if (size == 4) {
        uint32_t low;
        memcpy(&low, value, 4);
        *bits = low;
    } else {
        memcpy(bits, value, 8);
    }
}

static int64_t hlsmem_reduce(int64_t value, int bits, int is_signed)
{
    if (bits == 64)
        return value;
    uint64_t low = (uint64_t)value & ((UINT64_C(1) << bits) - 1);
    if (is_signed && low >> (bits - 1))
        low |= ~((UINT64_C(1) << bits) - 1);
    return (int64_t)low;
}
"""
