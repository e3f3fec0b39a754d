"""The run of a process network: instances from their isl text, values from their bodies.

Bodies are C; statements without one mix their operands as `program.Mix` says. The compiled
`interpreter` knows nothing of lifetimes: every element has a word of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains, evaluate
from hlsmem.program import Access, ElementType, Program, Statement
from hlsmem.verification.events import Accesses, Run
from hlsmem.verification.instrument import NotUnderstood
from hlsmem.verification.interpreter import Layout, interpreter
from hlsmem.verification.native import compile_c, run_program
from hlsmem.verification.rows import row_numbers
from hlsmem.verification.stops import stops_text
from hlsmem.watchdog import scratch

_SEED = 20250601
_NO_WORDS = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Operand:
    """One access of one statement: which instances make it (bool), the elements, their words."""

    array: str
    made: np.ndarray = field(compare=False)
    element: np.ndarray = field(compare=False)
    word: np.ndarray = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Family:
    """All instances of one statement."""

    statement: Statement
    points: np.ndarray = field(compare=False)
    times: np.ndarray = field(compare=False)
    reads: tuple[_Operand, ...]
    writes: tuple[_Operand, ...]


def run_network(
    program: Program, given: Mapping[str, np.ndarray] | None = None
) -> tuple[Run, np.ndarray]:
    """The run of a network, arrivals and departures included, and the time of each instance.

    `given` are the first contents of arrays, as patterns in their shape; others are random.
    Instances come in schedule order. Raises NotUnderstood, or ToolError without a compiler.
    """
    families = [_family(program, statement) for statement in program.statements]
    families, store = _with_words(program, families, given or {})
    layout = Layout(
        reads=max((len(family.reads) for family in families), default=0),
        writes=max((len(family.writes) for family in families), default=0),
        depth=max((family.points.shape[1] for family in families), default=0),
    )
    times = np.concatenate([family.times for family in families])
    order = np.lexsort(times.T[::-1])
    times = times[order]
    moment = np.cumsum(np.any(np.diff(times, axis=0, prepend=times[:1]) != 0, axis=1))
    table = np.column_stack([moment, _rows(families, layout)[order]])
    patterns = _execute(program, layout, table, store)
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    run = Run(
        statements=tuple(family.statement.name for family in families),
        depths=tuple(family.points.shape[1] for family in families),
        statement=table[:, 1],
        iterators=table[:, 2 + layout.operands :],
        accesses=_accesses(program, families, layout, position, patterns),
    )
    return run, times


def _family(program: Program, statement: Statement) -> _Family:
    domain = fix_parameters(statement.domain, program.values)
    points = distinct_points(domain)
    schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
    return _Family(
        statement=statement,
        points=points,
        times=evaluate(schedule, points),
        reads=tuple(_operand(program, access, domain, points) for access in statement.reads),
        writes=tuple(_operand(program, access, domain, points) for access in statement.writes),
    )


def _operand(program: Program, access: Access, domain: Any, points: np.ndarray) -> _Operand:
    relation = fix_parameters(access.relation, program.values).intersect_domain(domain)
    if not relation.is_single_valued():
        raise NotUnderstood(f"an access to {access.array!r} touches several elements at once")
    made = contains(relation.domain(), points)
    element = np.zeros((len(points), len(program.arrays[access.array].index)), dtype=np.int64)
    element[made] = evaluate(relation, points[made])
    return _Operand(array=access.array, made=made, element=element, word=_NO_WORDS)


def _with_words(
    program: Program, families: Sequence[_Family], given: Mapping[str, np.ndarray]
) -> tuple[list[_Family], np.ndarray]:
    """The families with a word for each element, and the words' first contents."""
    generator = np.random.default_rng(_SEED)
    operands = [op for family in families for op in (*family.reads, *family.writes)]
    contents = [np.zeros(1, dtype=np.uint64)]
    words: list[np.ndarray] = [_NO_WORDS] * len(operands)
    size = 1
    for name in dict.fromkeys(operand.array for operand in operands):
        own = [position for position, operand in enumerate(operands) if operand.array == name]
        rows = np.concatenate([operands[k].element for k in own])
        numbers, count = row_numbers(rows)
        ends = np.cumsum([len(operands[k].element) for k in own])
        for k, part in zip(own, np.split(numbers, ends[:-1]), strict=True):
            words[k] = np.where(operands[k].made, part + size, 0)
        if name in given:
            elements = np.zeros((count, rows.shape[1]), dtype=np.int64)
            elements[numbers] = rows
            contents.append(given[name][tuple(elements.T)].reshape(-1))
        else:
            contents.append(_contents(program.arrays[name].element, count, generator))
        size += count
    found = iter(words)
    return [
        replace(
            family,
            reads=tuple(replace(operand, word=next(found)) for operand in family.reads),
            writes=tuple(replace(operand, word=next(found)) for operand in family.writes),
        )
        for family in families
    ], np.concatenate(contents)


def _contents(element: ElementType, count: int, generator: np.random.Generator) -> np.ndarray:
    """Pseudo-random patterns of small values, none of them negative."""
    if element.name == "float":
        return generator.random(count, dtype=np.float32).view(np.uint32).astype(np.uint64)
    if element.name == "double":
        return generator.random(count).view(np.uint64)
    bits = element.bits - element.is_signed
    return generator.integers(0, 2 ** min(bits, 10), count).astype(np.uint64)


def _rows(families: Sequence[_Family], layout: Layout) -> np.ndarray:
    """The table without its moments, family after family."""
    parts = []
    for number, family in enumerate(families):
        part = np.zeros((len(family.points), layout.columns - 1), dtype=np.int64)
        part[:, 0] = number
        for position, operand in enumerate(family.reads):
            part[:, 1 + position] = operand.word
        for position, operand in enumerate(family.writes):
            part[:, 1 + layout.reads + position] = operand.word
        first = 1 + layout.operands
        part[:, first : first + family.points.shape[1]] = family.points
        parts.append(part)
    return np.concatenate(parts)


def _execute(program: Program, layout: Layout, table: np.ndarray, store: np.ndarray) -> np.ndarray:
    """The patterns of all operands: int64, shape (instances, operands)."""
    with scratch("hlsmem-replay-") as folder:
        (folder / "network.c").write_text(interpreter(program, layout), encoding="utf-8")
        names = [statement.name for statement in program.statements]
        (folder / "stops.c").write_text(stops_text(names), encoding="utf-8")
        compile_c(folder, ["network.c", "stops.c"], folder / "network")
        store.tofile(folder / "store")
        table.tofile(folder / "table")
        arguments = [str(folder / part) for part in ("store", "table", "patterns")]
        trouble = run_program(folder / "network", arguments)
        if trouble:
            raise NotUnderstood(f"running the network ended with {trouble}")
        found: np.ndarray = np.fromfile(folder / "patterns", dtype=np.int64)
    return found.reshape(len(table), layout.operands)


def _accesses(
    program: Program,
    families: Sequence[_Family],
    layout: Layout,
    position: np.ndarray,
    patterns: np.ndarray,
) -> dict[str, Accesses]:
    """The accesses to the planned arrays; `position` says where each instance came to run."""
    parts: dict[str, list[tuple[np.ndarray, ...]]] = {
        array.name: [] for array in program.planned_arrays()
    }
    first = 0
    for family in families:
        ran = position[first : first + len(family.points)]
        first += len(family.points)
        columns = [(k, False, operand) for k, operand in enumerate(family.reads)]
        columns += [(layout.reads + k, True, operand) for k, operand in enumerate(family.writes)]
        for column, write, operand in columns:
            if operand.array in parts:
                own = ran[operand.made]
                kind = np.full(len(own), write)
                element = operand.element[operand.made]
                parts[operand.array].append((own, kind, element, patterns[own, column]))
    return {
        name: _in_order(found, len(program.arrays[name].index)) for name, found in parts.items()
    }


def _in_order(parts: Sequence[tuple[np.ndarray, ...]], rank: int) -> Accesses:
    """The accesses to one array by instance, reads before writes."""
    if not parts:
        none = np.zeros(0, dtype=np.int64)
        empty = np.zeros((0, rank), dtype=np.int64)
        return Accesses(instance=none, write=none.astype(bool), element=empty, bits=none)
    instance, write, element, bits = (
        np.concatenate([part[position] for part in parts]) for position in range(4)
    )
    order = np.lexsort((write, instance))
    return Accesses(
        instance=instance[order], write=write[order], element=element[order], bits=bits[order]
    )
