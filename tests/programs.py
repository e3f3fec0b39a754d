"""Programs for tests: the reference cases of tests/reference, and programs from isl text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set, UnionMap, UnionSet
from hlsmem.program.model import Access, Array, ElementType, Mix, Order, Program, Statement, Storage

REFERENCE = Path(__file__).parent / "reference"

Case = Mapping[str, Any]


@cache
def golden_file(number: str) -> Any:
    """The content of tests/reference/golden_<number>.json."""
    return json.loads((REFERENCE / f"golden_{number}.json").read_text())


def golden_cases(number: str) -> list[Case]:
    """The cases of a golden file, each with its program spelled out under `program`.

    Cases without a program have None there.
    """
    content = golden_file(number)
    if isinstance(content, list):
        return [{**case, "program": case.get("program")} for case in content]
    programs = content.get("programs", {})
    cases = []
    for case in content["cases"]:
        program = case.get("program")
        resolved = programs[program] if isinstance(program, str) else program
        cases.append({**case, "program": resolved})
    return cases


def golden_case(number: str, identifier: str) -> Case:
    """One case by its id; KeyError if there is none."""
    for case in golden_cases(number):
        if case["id"] == identifier:
            return case
    raise KeyError(identifier)


def program_from_golden(
    case: Case,
    values: Mapping[str, int],
    *,
    array: str | None = None,
    order: Order = Order.SEQUENTIAL,
    step_dimensions: int | None = None,
    single_valued: bool = False,
) -> Program:
    """The program of a golden case at `values`, with `array` as the one planned array.

    `array` defaults to the one the case names, else A. Reads of elements that no earlier
    write provides and that are not live-in are dropped: the files say that such elements
    lie outside the array. `single_valued` splits reads of several elements into operands.
    """
    source = case["program"]
    processes = source.get("processes", [source])
    return make_program(
        name=case["id"],
        values=values,
        context=source.get("context") or case.get("context"),
        domains=[process["domain"] for process in processes],
        schedules=[process["schedule"] for process in processes],
        reads=[text for process in processes for text in _texts(process.get("reads"))],
        writes=[text for process in processes for text in _texts(process.get("writes"))],
        live_in=_texts(source.get("live_in")),
        live_out=_texts(source.get("live_out")),
        planned=(array or case.get("array") or "A",),
        order=order,
        step_dimensions=step_dimensions,
        single_valued=single_valued,
        drop_unprovided_reads=True,
    )


def make_program(
    *,
    name: str = "test",
    values: Mapping[str, int],
    context: str | None = None,
    domains: Iterable[str],
    schedules: Iterable[str],
    reads: Iterable[str] = (),
    writes: Iterable[str] = (),
    live_in: Iterable[str] = (),
    live_out: Iterable[str] = (),
    planned: Sequence[str] = ("A",),
    streamed: Sequence[str] = (),
    order: Order = Order.SEQUENTIAL,
    step_dimensions: int | None = None,
    single_valued: bool = False,
    drop_unprovided_reads: bool = False,
) -> Program:
    """A program from isl texts; every statement is a process of its own, in textual order.

    Reads keep the order of `reads`, one operand a map. Arrays in `planned` are memories,
    those in `streamed` streams, the others external. Statements get no body (Mix).
    """
    names = tuple(values)
    ground = Set(f"[{', '.join(names)}] -> {{ : }}")
    if context:
        ground = ground.intersect(Set(context).align_params(ground.get_space()))
    domains = list(domains)
    domain = _union(UnionSet, domains, ground)
    # Without a stated context, the parameters for which there is anything to do.
    context_set = ground if context else domain.params().coalesce()
    schedule = _union(UnionMap, schedules, ground).intersect_domain(domain)
    write = _union(UnionMap, writes, ground).intersect_domain(domain)
    given = _union(UnionSet, live_in, ground)
    kept = _union(UnionSet, live_out, ground)
    parts = [_union(UnionMap, [text], ground).intersect_domain(domain) for text in reads]
    if drop_unprovided_reads:
        parts = [_provided(part, write, schedule, given) for part in parts]
        kept = kept.intersect(write.range().union(given))
    statements = tuple(
        _statement(one, schedule, parts, write, single_valued) for one in _sets(domain, domains)
    )
    time_dimensions = statements[0].schedule.dim(DimType.out)
    touched = [access for s in statements for access in (*s.reads, *s.writes)]
    return Program(
        name=name,
        parameters=names,
        values=dict(values),
        context=context_set,
        arrays=_arrays(touched, planned, streamed),
        statements=statements,
        live_in=given,
        live_out=kept,
        order=order,
        time_dimensions=time_dimensions,
        step_dimensions=step_dimensions or max(1, time_dimensions - 1),
    )


def _texts(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or [])


def _union(kind: Any, texts: Iterable[str], ground: Any) -> Any:
    result = kind("{ }").align_params(ground.get_space())
    for text in texts:
        result = result.union(kind(text))
    return result.align_params(ground.get_space()).intersect_params(ground)


def _sets(union: Any, texts: Sequence[str]) -> list[Any]:
    """The sets of a union in the order in which `texts` name them."""
    found = union.get_set_list()
    pieces = [found.get_at(i) for i in range(found.n_set())]
    names = re.findall(r"(\w+)\s*\[", " ".join(texts))
    return sorted(pieces, key=lambda piece: names.index(piece.get_tuple_name()))


def _maps(union: Any) -> list[Any]:
    found = union.get_map_list()
    pieces = [found.get_at(i) for i in range(found.n_map())]
    return sorted(pieces, key=lambda piece: str(piece.get_tuple_name(DimType.out)))


def _provided(read: Any, write: Any, schedule: Any, live_in: Any) -> Any:
    times = schedule.range().get_set_list().get_at(0).get_space()
    later = UnionMap.from_map(Map.lex_lt(times))
    after_write = write.reverse().apply_range(schedule).apply_range(later)
    provided = after_write.apply_range(schedule.reverse()).reverse()
    return read.intersect(provided).union(read.intersect_range(live_in))


def _statement(
    domain: Any, schedule: Any, reads: list[Any], write: Any, single_valued: bool
) -> Statement:
    name = domain.get_tuple_name()
    here = UnionSet.from_set(domain)
    operands = [one for part in reads for one in _maps(part.intersect_domain(here))]
    if single_valued:
        operands = [single for one in operands for single in _split(one)]
    return Statement(
        name=name,
        process=name,
        domain=domain,
        schedule=_maps(schedule.intersect_domain(here))[0],
        reads=tuple(_access(one) for one in operands),
        writes=tuple(_access(one) for one in _maps(write.intersect_domain(here))),
        body=Mix(),
        iterators=tuple(_dimension_names(domain)),
    )


def _split(relation: Any) -> list[Any]:
    found = []
    while not relation.is_empty():
        first = relation.lexmin()
        found.append(first)
        relation = relation.subtract(first).coalesce()
    return found


def _access(relation: Any) -> Access:
    return Access(array=relation.get_tuple_name(DimType.out), relation=relation)


def _dimension_names(value: Any) -> list[str]:
    space = value.get_space()
    count = space.dim(DimType.set)
    return [space.get_dim_name(DimType.set, i) or f"i{i}" for i in range(count)]


def _arrays(
    accesses: Sequence[Access], planned: Sequence[str], streamed: Sequence[str]
) -> dict[str, Array]:
    arrays: dict[str, Array] = {}
    for access in accesses:
        storage = Storage.MEMORY if access.array in planned else Storage.EXTERNAL
        if access.array in streamed:
            storage = Storage.STREAM
        arrays[access.array] = Array(
            name=access.array,
            element=ElementType("int32"),
            index=tuple(f"i{k}" for k in range(access.relation.dim(DimType.out))),
            extents=None,
            storage=storage,
        )
    return arrays


__all__ = [
    "REFERENCE",
    "Case",
    "golden_case",
    "golden_cases",
    "golden_file",
    "make_program",
    "program_from_golden",
]
