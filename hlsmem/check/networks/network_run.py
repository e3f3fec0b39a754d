"""The run of a process network: instances from their isl text, values from their bodies.

Bodies are C; statements without one mix their operands as `program.Mix` says. The compiled
`interpreter` knows nothing of lifetimes: every element has a word of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np

from hlsmem.check.c_runs.c_programs import compile_c, run_program, stops_text
from hlsmem.check.c_runs.condition_outcomes import (
    BrokenPromise,
    Outcome,
    Tested,
    choices_of,
    is_played,
)
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.networks.network_interpreter import Layout, interpreter
from hlsmem.check.networks.predicate_columns import FilterRows, PredicateRead, filter_rows, placed
from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.check.replayed.run_events import Accesses, Run
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains, evaluate
from hlsmem.program.model import Access, ElementType, Program, Statement

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
    filters: tuple[FilterRows, ...] = ()
    place: np.ndarray = field(default_factory=lambda: _NO_WORDS, compare=False)

    @property
    def predicate_reads(self) -> tuple[PredicateRead, ...]:
        return tuple(look for one in self.filters for look in one.predicate_reads)


def run_outcomes(
    program: Program,
    given: Mapping[str, np.ndarray] | None,
    outcomes: Sequence[Outcome | None],
) -> Iterator[tuple[Run, np.ndarray]]:
    """The runs of a network, arrivals and departures included, and the time of each instance.

    There is one for each of `outcomes`. `given` are the first contents of arrays, as patterns in
    their shape; others are random, as the outcome says where filters look at them. Instances come
    in schedule order. Raises NotUnderstood, BrokenPromise, or ToolError without a compiler.
    """
    plain = [_family(program, statement) for statement in program.statements]
    layout = Layout(
        reads=max((len(family.reads) for family in plain), default=0),
        writes=max((len(family.writes) for family in plain), default=0),
        depth=max((family.points.shape[1] for family in plain), default=0),
    )
    times = np.concatenate([family.times for family in plain])
    order = np.lexsort(times.T[::-1])
    times = times[order]
    moment = np.cumsum(np.any(np.diff(times, axis=0, prepend=times[:1]) != 0, axis=1))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    words = [_with_words(program, plain, given or {}, outcome) for outcome in outcomes]
    families, looked = _with_places(words[0][0])  # only contents differ from run to run
    table = np.column_stack([moment, _rows(families, layout)[order]])
    with scratch("hlsmem-replay-") as folder:
        _compile(program, layout, folder)
        _execute(
            folder,
            {"table": table, "looked": looked},
            [
                (store, _forced(program, families, layout, position, outcome))
                for (_, store), outcome in zip(words, outcomes, strict=True)
            ],
        )
        for number in range(len(outcomes)):
            patterns: np.ndarray = np.fromfile(folder / f"patterns{number}", dtype=np.int64)
            seen: np.ndarray = np.fromfile(folder / f"seen{number}", dtype=np.int64)
            run = _run_of(program, families, layout, table, position, patterns, seen)
            _check_values(program, families, run, position, seen)
            yield run, times


def _run_of(
    program: Program,
    families: Sequence[_Family],
    layout: Layout,
    table: np.ndarray,
    position: np.ndarray,
    patterns: np.ndarray,
    seen: np.ndarray,
) -> Run:
    """The run of which `patterns` are the operands of each row, and `seen` what filters saw."""
    place = table[:, layout.columns - 1]
    ran = np.where(place >= 0, seen[place] if len(seen) else 0, 1).astype(bool)
    operands = patterns.reshape(len(table), layout.operands)
    return Run(
        statements=tuple(family.statement.name for family in families),
        depths=tuple(family.points.shape[1] for family in families),
        statement=table[:, 1],
        iterators=table[:, 2 + layout.operands : -1],
        accesses=_accesses(program, families, layout, position, operands, ran, seen),
        ran=ran if len(seen) else None,
    )


def tested(run: Run, program: Program) -> dict[str, Tested]:
    """Counts of how often the filters of each statement let its instances run."""
    found = {}
    for number, name in enumerate(run.statements):
        statement = next(one for one in program.statements if one.name == name)
        if not statement.filters or run.ran is None:
            continue
        own = np.flatnonzero(run.statement == number)
        points = run.iterators[own, : run.depths[number]]
        asked = np.zeros(len(own), dtype=bool)
        for one in statement.filters:
            asked |= contains(fix_parameters(one.value, program.values).domain(), points)
        ran = int(run.ran[own[asked]].sum())
        found[name] = Tested(statement=name, ran=ran, kept=int(asked.sum()) - ran)
    return found


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
        filters=tuple(
            filter_rows(number, one, program.values, domain, points)
            for number, one in enumerate(statement.filters)
        ),
    )


def _with_places(families: Sequence[_Family]) -> tuple[list[_Family], np.ndarray]:
    """The families with the places of their filters in `looked`, and `looked`."""
    found, parts, start = [], [_NO_WORDS], 0
    for family in families:
        filters, place, text = placed(family.filters, len(family.points), start)
        found.append(replace(family, filters=filters, place=place))
        parts.append(text)
        start += len(text)
    return found, np.concatenate(parts)


def _forced(
    program: Program,
    families: Sequence[_Family],
    layout: Layout,
    position: np.ndarray,
    outcome: Outcome | None,
) -> np.ndarray:
    """For each operand that a row writes, whether the outcome says what, and what; or nothing."""
    choices = {} if outcome is None else choices_of(program)
    if outcome is None or not choices:
        return _NO_WORDS
    generator = np.random.default_rng(outcome.seed)
    found = np.zeros((len(position), max(1, layout.writes), 2), dtype=np.int64)
    first = 0
    for family in families:
        rows = position[first : first + len(family.points)]
        first += len(rows)
        if not is_played(family.statement, outcome):
            continue
        for column, operand in enumerate(family.writes):
            if operand.array in choices:
                drawn = choices[operand.array].drawn(outcome.kind, len(rows), generator)
                found[rows, column, 0], found[rows, column, 1] = 1, drawn
    return found


def _check_values(
    program: Program,
    families: Sequence[_Family],
    run: Run,
    position: np.ndarray,
    seen: np.ndarray,
) -> None:
    """Raise BrokenPromise for what a filter found outside of the values of its array."""
    first = 0
    for family in families:
        rows = position[first : first + len(family.points)]
        first += len(rows)
        for one in family.filters:
            for look in one.predicate_reads:
                low, high = (
                    bound.evaluate(program.values)
                    for bound in program.arrays[look.array].value_range
                )
                values = seen[look.at]
                asked = one.asked(look, seen, len(rows))[look.owner]
                wrong = np.flatnonzero(asked & ((values < low) | (values > high)))
                if len(wrong):
                    name, at = run.instance_name(int(rows[look.owner[wrong[0]]]))
                    element = ", ".join(map(str, look.element[wrong[0]].tolist()))
                    raise BrokenPromise(
                        f"{name}({', '.join(map(str, at))}) looks at {look.array}[{element}],"
                        f" which holds {int(values[wrong[0]])}: its values are {low} to {high}"
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
    program: Program,
    families: Sequence[_Family],
    given: Mapping[str, np.ndarray],
    outcome: Outcome | None,
) -> tuple[list[_Family], np.ndarray]:
    """The families with a word for each element, and the words' first contents."""
    generator = np.random.default_rng(_SEED if outcome is None else outcome.seed)
    choices = {} if outcome is None else choices_of(program)
    operands: list[_Operand | PredicateRead] = []
    for family in families:
        operands += [*family.reads, *family.writes, *family.predicate_reads]
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
        elif outcome is not None and name in choices:
            drawn = choices[name].drawn(outcome.kind, count, generator)
            contents.append(drawn.view(np.uint64))
        else:
            contents.append(_contents(program.arrays[name].element, count, generator))
        size += count
    found = iter(words)
    return [
        replace(
            family,
            reads=tuple(replace(operand, word=next(found)) for operand in family.reads),
            writes=tuple(replace(operand, word=next(found)) for operand in family.writes),
            filters=tuple(
                replace(
                    one,
                    predicate_reads=tuple(
                        replace(look, word=next(found)) for look in one.predicate_reads
                    ),
                )
                for one in family.filters
            ),
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
        part[:, -1] = family.place
        parts.append(part)
    return np.concatenate(parts)


def _compile(program: Program, layout: Layout, folder: Path) -> None:
    """Make the program `network` in a folder."""
    (folder / "network.c").write_text(interpreter(program, layout), encoding="utf-8")
    names = [statement.name for statement in program.statements]
    (folder / "stops.c").write_text(stops_text(names), encoding="utf-8")
    compile_c(folder, ["network.c", "stops.c"], folder / "network")


def _execute(
    folder: Path, shared: Mapping[str, np.ndarray], runs: Sequence[tuple[np.ndarray, np.ndarray]]
) -> None:
    """Run the program once for each (store, forced); leaves `patterns<k>` and `seen<k>`."""
    for name, content in shared.items():
        content.tofile(folder / name)
    arguments = [str(folder / name) for name in shared]
    for number, contents in enumerate(runs):
        for name, content in zip(("store", "forced"), contents, strict=True):
            content.tofile(folder / f"{name}{number}")
        names = ("store", "forced", "patterns", "seen")
        arguments += [str(folder / f"{name}{number}") for name in names]
    trouble = run_program(folder / "network", arguments)
    if trouble:
        raise NotUnderstood(f"running the network ended with {trouble}")


def _accesses(
    program: Program,
    families: Sequence[_Family],
    layout: Layout,
    position: np.ndarray,
    patterns: np.ndarray,
    ran: np.ndarray,
    seen: np.ndarray,
) -> dict[str, Accesses]:
    """The accesses to the planned arrays; `position` says where each instance came to run.

    What filters looked at comes before what their instances read.
    """
    parts: dict[str, list[tuple[np.ndarray, ...]]] = {
        array.name: [] for array in program.planned_arrays()
    }
    first = 0
    for family in families:
        rows = position[first : first + len(family.points)]
        first += len(family.points)
        for one in family.filters:
            for look in one.predicate_reads:
                if look.array in parts:
                    asked = one.asked(look, seen, len(rows))[look.owner]
                    own = rows[look.owner[asked]]
                    kind = np.zeros(len(own), dtype=bool)
                    parts[look.array].append((own, kind, look.element[asked], seen[look.at[asked]]))
        columns = [(k, False, operand) for k, operand in enumerate(family.reads)]
        columns += [(layout.reads + k, True, operand) for k, operand in enumerate(family.writes)]
        for column, write, operand in columns:
            if operand.array in parts:
                made = operand.made & ran[rows]
                own = rows[made]
                kind = np.full(len(own), write)
                element = operand.element[made]
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
