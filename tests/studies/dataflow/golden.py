"""The programs of the reference: as designs, and run under conditions that are drawn.

The runs follow the statements of the reference, whose filters look at values by the statements
that made them; the designs look at arrays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Program
from tests.programs import golden_case, golden_cases
from tests.steps import load
from tests.studies.dataflow.simulation import Instance

FILE = "004_dataflow"
Case = Mapping[str, Any]

# How many loops stand around conditions, where it is not all of the statement's.
_LOOPS = {f"s004-for{k}": {"S1": 1} for k in range(2, 7)} | {
    "s004-own-inner-loops": {"S1": 1, "S2": 1},
    "s004-own-definite-inner": {"S1": 1},
}


def cases() -> list[Case]:
    """All cases, each with its statements."""
    return [_with_statements(case) for case in golden_cases(FILE)]


def case_of(identifier: str) -> Case:
    return _with_statements(golden_case(FILE, identifier))


def _with_statements(case: Case) -> Case:
    if "statements" in case:
        return case
    # The variant of listing 1 differs from it in one bound.
    first = golden_case(FILE, "s004-listing1")
    found = [dict(one) for one in first["statements"]]
    for one in found:
        if one["name"] == "A":
            value = "{ A[k, i, j] -> [m, n] : i < m <= 100 and j < n <= 99 }"
            one["filter"] = {**one["filter"], "value": value}
    return {**case, "statements": found}


def program_of(folder: Path, case: Case) -> Program:
    """The program of a case, read from a design."""
    path = folder / f"{case['id']}.yaml"
    path.write_text(design_of(case))
    program = load(path, conditional=True).input
    assert isinstance(program, Program)
    return program


def design_of(case: Case) -> str:
    """A case as design.yaml."""
    statements = case["statements"]
    parametric = any("[n]" in one["domain"] for one in statements)
    lines = ["hlsmem: 1", f"name: {case['id'].replace('-', '_')}"]
    lines.append("params: {n: 3}" if parametric else "params: {}")
    lines += ['context: "[n] -> { : }"' if parametric else "", "arrays:"]
    lines += [f"  {name}: {text}" for name, text in sorted(_arrays(case).items())]
    lines += ["network:", "  line:", "    statements:"]
    size = max(2 * len(one["position"]) - 1 for one in statements)
    for one in statements:
        lines += [f"      {one['name']}:", *(f"        {k}" for k in _keys(case, one, size))]
    return "\n".join(line for line in lines if line) + "\n"


def _writes(case: Case, one: Case) -> list[Any]:
    """What a statement writes: with a condition of its own name, where it makes one."""
    found = [Map(text) for text in one.get("writes", ())]
    if not found and one["name"] in _made(case):
        found = [Set(one["domain"]).identity()]
    return found


def _made(case: Case) -> set[str]:
    """The spaces that filters of a case look at."""
    return {
        piece.get_tuple_name(DimType.out)
        for one in case["statements"]
        for text in one.get("filter", {}).get("access", ())
        for piece in maps_of(UnionMap(text))
    }


def _access(case: Case, text: str) -> Any:
    """What a filter looks at, an array where the reference names the statement that wrote it."""
    writers = {one["name"]: _writes(case, one) for one in case["statements"]}
    found = None
    for piece in maps_of(UnionMap(text)):
        written = writers.get(piece.get_tuple_name(DimType.out))
        relation = piece.apply_range(written[0]) if written else piece
        found = relation if found is None else found.union(relation)
    return found


def _arrays(case: Case) -> dict[str, str]:
    ranks: dict[str, int] = {}
    bounds: dict[str, list[int]] = {}
    written = set()
    for one in case["statements"]:
        writes = _writes(case, one)
        written |= {relation.get_tuple_name(DimType.out) for relation in writes}
        reads = [Map(text) for text in (one.get("reads") or {}).values()]
        found = one.get("filter", {"access": (), "bounds": ()})
        predicate_reads = [_access(case, text) for text in found["access"]]
        for relation in (*writes, *reads, *predicate_reads):
            ranks[relation.get_tuple_name(DimType.out)] = relation.dim(DimType.out)
        for relation, pair in zip(predicate_reads, found["bounds"], strict=True):
            bounds[relation.get_tuple_name(DimType.out)] = pair
    arrays = {}
    for name, rank in ranks.items():
        index = f"index: [{', '.join(f'x{at}' for at in range(rank))}]"
        values = f", type: int16, values: {bounds[name]}" if name in bounds else ""
        outside = "" if name in written else ", storage: external"
        arrays[name] = f"{{{index}{values}{outside}}}"
    return arrays


def _keys(case: Case, one: Case, size: int) -> Iterator[str]:
    domain = Set(one["domain"])
    depth = domain.dim(DimType.set)
    loops = [f"x{at}" for at in range(depth)]
    yield f'domain: "{one["domain"]}"'
    times = [str(one["position"][0])]
    for loop, slot in zip(loops, one["position"][1:], strict=True):
        times += [loop, str(slot)]
    times += ["0"] * (size - len(times))
    yield f'schedule: "{{ {one["name"]}[{", ".join(loops)}] -> [{", ".join(times)}] }}"'
    reads = [f'"{text}"' for text in (one.get("reads") or {}).values()]
    if reads:
        yield f"reads: [{', '.join(reads)}]"
    writes = [f'"{relation}"' for relation in _writes(case, one)]
    if writes:
        yield f"writes: [{', '.join(writes)}]"
    found = one.get("filter")
    if found:
        access = ", ".join(f'"{_access(case, text)}"' for text in found["access"])
        inside = _LOOPS.get(case["id"], {}).get(one["name"])
        extra = "" if inside is None else f", loops: {inside}"
        yield f'filter: {{access: [{access}], value: "{found["value"]}"{extra}}}'


@dataclass
class GoldenRun:
    """A run of a case at n, with `most` iterations of loops that data ends.

    `values` are those of conditions; what is missing is drawn. What it has is as in `Run`.
    """

    case: Case
    n: int
    chance: random.Random
    values: dict[Instance, int] = field(default_factory=dict)
    most: int = 4
    sources: dict[tuple[str, tuple[int, ...], int], Instance | None] = field(default_factory=dict)
    ran: set[Instance] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.statements = {one["name"]: one for one in self.case["statements"]}
        self.slots = {name: one["position"] for name, one in self.statements.items()}
        self.writes = {
            name: [self._fixed(Map(text)) for text in one.get("writes", ())]
            for name, one in self.statements.items()
        }
        self.reads = {
            name: [self._fixed(Map(text)) for text in (one.get("reads") or {}).values()]
            for name, one in self.statements.items()
        }
        self.order = self._order()
        last: dict[Instance, Instance] = {}
        for name, point in self.order:
            if not self._runs(name, point):
                continue
            self.ran.add((name, point))
            for operand, relation in enumerate(self.reads[name]):
                for element in image(relation, point):
                    self.sources[name, point, operand] = last.get(element)
            for relation in self.writes[name]:
                for element in image(relation, point):
                    last[element] = name, point

    def _fixed(self, relation: Any) -> Any:
        return fix_parameters(relation, {"n": self.n})

    def _order(self) -> list[Instance]:
        found = []
        for name, one in self.statements.items():
            domain = self._fixed(Set(one["domain"]))
            for at in range(domain.dim(DimType.set)):
                # Listing 1 has a hundred iterations: a few show what all do.
                domain = domain.upper_bound_val(DimType.set, at, self.most - 1)
            for row in points(domain):
                point = tuple(map(int, row))
                time = [self.slots[name][0]]
                for value, slot in zip(point, self.slots[name][1:], strict=True):
                    time += [value, slot]
                found.append((time, (name, point)))
        return [instance for _, instance in sorted(found)]

    def _runs(self, name: str, point: tuple[int, ...]) -> bool:
        found = self.statements[name].get("filter")
        if found is None:
            return True
        value = Map(found["value"])
        several = any(_is_several(text) for text in found["access"])
        columns = []
        for text, bounds in zip(found["access"], found["bounds"], strict=True):
            looked = [
                element
                for piece in maps_of(UnionMap(text))
                for element in image(self._fixed(piece), point)
            ]
            columns.append([self._value(element, bounds, several) for element in looked])
        return all(self._fits(value, point, row) for row in product(*columns))

    def _value(self, element: Instance, bounds: Sequence[int], several: bool) -> int:
        if element not in self.values:
            high = min(bounds[1], self.most - 1)
            ends = several and element[1] and element[1][-1] == self.most - 1
            self.values[element] = 0 if ends else self.chance.randint(bounds[0], high)
        return self.values[element]

    def _fits(self, value: Any, point: Sequence[int], row: Sequence[int]) -> bool:
        for at, number in enumerate(point):
            value = value.fix_val(DimType.in_, at, number)
        for at, number in enumerate(row):
            value = value.fix_val(DimType.out, at, number)
        return not value.is_empty()

    @property
    def run(self) -> GoldenRun:
        return self

    def last(
        self, writer: str, level: int, reader: str, point: tuple[int, ...], operand: int
    ) -> tuple[int, ...] | None:
        """The last iteration of `writer` that ran and wrote what the operand reads, before it."""
        wanted = image(self.reads[reader][operand], point)
        result = None
        for name, where in self.order:
            if (name, where) == (reader, point):
                break
            if name != writer or (name, where) not in self.ran:
                continue
            written = [element for one in self.writes[name] for element in image(one, where)]
            if set(wanted) & set(written) and self._equal(reader, point, name, where) >= level:
                result = where
        return result

    def _equal(self, name: str, point: Sequence[int], other: str, where: Sequence[int]) -> int:
        count = 0
        for at in range(min(len(point), len(where))):
            if self.slots[name][at] != self.slots[other][at] or point[at] != where[at]:
                break
            count += 1
        return count


def _is_several(text: str) -> bool:
    return any(not piece.is_single_valued() for piece in maps_of(UnionMap(text)))


def image(relation: Any, point: Sequence[int]) -> list[Instance]:
    """What a relation without parameters reaches from an instance."""
    for at, value in enumerate(point):
        relation = relation.fix_val(DimType.in_, at, value)
    name = relation.get_tuple_name(DimType.out)
    return [(name, tuple(map(int, row))) for row in points(relation.range())]
