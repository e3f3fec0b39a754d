"""Claims of RAMs: ports, copies, banks."""

from __future__ import annotations

import re
from itertools import combinations
from math import prod
from typing import Any

import islpy as isl

from hlsmem_verify.facts import Facts, Part
from hlsmem_verify.isl_values import DIM, at_values
from hlsmem_verify.outcomes import False_, must_be


def prove_fits(part: Part, ports: int) -> None:
    """Lemma *RAM*: it has the cells once for each read port; one cell is a register."""
    memory = part.memory
    cells = part.stated["base"] + part.stated["mapping"]["cells"]
    copies = 1 if memory["kind"] == "registers" else max(1, ports)
    if memory["kind"] not in ("ram", "registers", "window"):
        raise False_(f"its cells are in a memory of kind {memory['kind']}")
    must_be("banks", memory["banks"], 1)
    must_be("copies", memory["copies"], copies)
    must_be("words", memory["words"], cells * copies)
    must_be("bits", memory["bits"], part.array["element"]["bits"])


def ports_of(facts: Facts, part: Part) -> int:
    """Operands that come from cells; equal ones of a statement share a port."""
    found, stored = 0, at_values(part.lives.stored.domain_factor_domain(), facts.values)
    for statement, one in facts.program.statements.items():
        distinct: list[Any] = []
        for (stream, k), relation in facts.operands(part.name):
            if (stream, k) in part.operands and stream == f"m_{part.name}_{statement}":
                read = at_values(relation.reverse().apply_range(one["times"]), facts.values)
                own = at_values(_by_beat(facts, statement, relation), facts.values)
                if not read.is_disjoint(stored) and not any(map(own.is_equal, distinct)):
                    distinct.append(own)
        found += len(distinct)
    return found


def _by_beat(facts: Facts, statement: str, relation: Any) -> Any:
    """{ beat -> elements }: a beat is an instance, or all lanes of an unrolled loop."""
    rules = facts.program.rules
    if not rules["lanes"]:
        return relation
    times, size = facts.program.statements[statement]["times"], rules["time"] - rules["step"]
    return times.project_out(DIM.out, 1 + rules["step"], size).reverse().apply_range(relation)


def prove_banked(facts: Facts, part: Part) -> None:
    """Lemma *banks*: one bank a read, one offset an element, at the plan's values."""
    stated, memory, lives = part.stated, part.memory, part.lives
    size, basis = len(part.array["index"]), stated["bank_basis"]
    storage, boxes, block = stated["storage_basis"], stated["boxes"], stated["bank_block"] or 0
    pivots = _pivots(basis, size)
    classes = prod(row[k] for row, k in zip(basis, pivots, strict=True))
    if (boxes is None) == (storage is None) or not block or classes % block:
        raise False_("banks need a storage_basis or boxes, and whole blocks")
    elements = at_values(lives.births.domain(), facts.values)
    conflicts = at_values(lives.conflicts().deltas(), facts.values)
    zero = isl.Set(f"{{ [{', '.join(['0'] * size)}] }}")
    if boxes is not None:
        for key in ("lower", "sides", "counts"):
            must_be(f"boxes.{key}", len(boxes[key]), size)
        if min(*boxes["sides"], *boxes["counts"]) < 1:
            raise False_("a box has no size")
        ranges = zip(boxes["lower"], boxes["sides"], boxes["counts"], strict=True)
        inside = [f"{low} <= x{k} < {low + s * c}" for k, (low, s, c) in enumerate(ranges)]
        names = ", ".join(f"x{k}" for k in range(size))
        if not elements.is_subset(isl.Set(f"{{ [{names}] : {' and '.join(inside)} }}")):
            raise False_("an element is in no box")
        near = " and ".join(f"-{s} < x{k} < {s}" for k, s in enumerate(boxes["sides"]))
        same = isl.Set(f"{{ [{names}] : {near} }}").intersect(_lattice(basis, size))
        words = prod(boxes["counts"]) * block
    else:
        for k, row in enumerate(storage):
            if len(row) != size or row[k] < 1 or any(row[:k]):
                raise False_("storage_basis is not in Hermite form")
        must_be("storage_basis", len(storage), size)
        rows = [
            [sum(a * basis[i][k] for i, a in enumerate(row)) for k in range(size)]
            for row in storage
        ]
        same = conflicts.intersect(_lattice(rows, size))
        words = prod(row[k] for k, row in enumerate(storage)) * block
    if not same.subtract(zero).is_empty():
        raise False_("two elements of one bank that may both be alive have one offset")
    _prove_apart(facts, part, _bank_map(basis, pivots, block))
    drain = f"m_{part.name}_drain"
    streams = {stream for stream, _ in part.operands}
    fetching = {
        stream
        for (stream, _), relation in facts.operands(part.name)
        if relation is None
        or not _fetched(facts, part, stream.removeprefix(f"m_{part.name}_"), relation).is_empty()
    }
    readers = len((streams & fetching) - {drain})
    must_be("banks", memory["banks"], classes // block)
    if memory["copies"] not in {max(1, readers), max(1, readers + (drain in streams))}:
        raise False_(f"{memory['copies']} copies for {readers} read streams")
    must_be("words", memory["words"], memory["copies"] * memory["banks"] * words)
    must_be("bits", memory["bits"], part.array["element"]["bits"])
    must_be("base", stated["base"], 0)


def _prove_apart(facts: Facts, part: Part, bank: Any) -> None:
    """No beat reads two elements of one bank; by iteration what is made in it needs none."""
    by_stream: dict[str, list[Any]] = {}
    for (stream, k), relation in facts.operands(part.name):
        if relation is None or (stream, k) not in part.operands:
            continue
        statement = stream.removeprefix(f"m_{part.name}_")
        fetched = _fetched(facts, part, statement, relation)
        own = at_values(_by_beat(facts, statement, fetched), facts.values)
        by_stream.setdefault(stream, []).append(own)
    for reads in by_stream.values():
        for one, other in combinations(reads, 2):
            both = one.apply_range(bank).intersect(other.apply_range(bank)).domain()
            if not both.is_subset(one.intersect(other).domain()):
                raise False_("a beat reads two elements of one bank")


def _fetched(facts: Facts, part: Part, statement: str, relation: Any) -> Any:
    """The reads of a statement that go to the cells: by iteration not those of its own step."""
    if facts.program.rules["order"] != "iteration":
        return relation
    stored = facts.lives[part.name].stored.domain_factor_domain()
    times = facts.program.statements[statement]["times"]
    at = relation.reverse().apply_range(times).intersect(stored)  # x -> time
    return relation.intersect(times.apply_range(at.reverse()))


def _pivots(basis: Any, size: int) -> list[int]:
    """The dimension of each row's pivot: later rows have zeros there."""
    if basis is None or len(basis) != size or any(len(row) != size for row in basis):
        raise False_("bank_basis is no square matrix")
    found: list[int] = []
    for row in reversed(basis):
        own = [k for k, entry in enumerate(row) if entry and k not in found]
        if len(own) != 1 or row[own[0]] < 1:
            raise False_("bank_basis has no positive pivot in each row")
        found.insert(0, own[0])
    return found


def _lattice(rows: list[list[int]], size: int) -> Any:
    names = [f"x{k}" for k in range(size)]
    lines = [
        f"x{k} = {' + '.join(f'({row[k]})*q{i}' for i, row in enumerate(rows))}"
        for k in range(size)
    ]
    unknowns = ", ".join(f"q{i}" for i in range(len(rows)))
    text = re.sub(r"\((-?\d+)\)", r"\1", f"exists {unknowns} : {' and '.join(lines)}")
    return isl.Set(f"{{ [{', '.join(names)}] : {text} }}" if size else "{ [] }")


def _bank_map(basis: list[list[int]], pivots: list[int], block: int) -> Any:
    """{ element -> bank }: the remainder by the basis, flattened, div block."""
    size = len(basis)
    rest = [f"x{k}" for k in range(size)]
    lines = []
    for i, (row, pivot) in enumerate(zip(basis, pivots, strict=True)):
        lines.append(f"0 <= {rest[pivot]} - {row[pivot]}*q{i} < {row[pivot]}")
        rest = [
            f"{form} - {entry}*q{i}" if entry >= 0 else f"{form} + {-entry}*q{i}"
            for form, entry in zip(rest, row, strict=True)
        ]
    number, stride = [], 1
    for row, pivot in reversed(list(zip(basis, pivots, strict=True))):
        number.append(f"{stride}*({rest[pivot]})")
        stride *= row[pivot]
    lines.append(f"{block}*b <= {' + '.join(number)} < {block}*b + {block}")
    names, unknowns = (", ".join(f"{n}{k}" for k in range(size)) for n in ("x", "q"))
    return isl.Map(f"{{ [{names}] -> [b] : exists {unknowns} : {' and '.join(lines)} }}")
