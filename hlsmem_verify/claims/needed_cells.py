"""Claims of a bound: so many cells are needed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

import islpy as isl

from hlsmem_verify.counting import count_is
from hlsmem_verify.facts import Facts
from hlsmem_verify.isl_values import DIM, at_values, count, images, is_point, listed
from hlsmem_verify.lives import Lives
from hlsmem_verify.outcomes import MOST_LATTICES, MOST_SWEPT, False_, Unknown, must_be
from hlsmem_verify.play import Value


def prove_bound(
    facts: Facts,
    name: str,
    bound: dict[str, Any],
    size: int,
    known: list[tuple[str, int]],
    lives: Lives | None,
) -> None:
    """By its kind and its witness; `size` are the words that hold the array, `known` the bounds
    (kind, cells) that an exhaustive search may rest on."""
    kind, witness, cells = bound["kind"], bound["witness"], bound["cells"]
    array = facts.array(name)
    keys = {"max-live": "moment", "live-at": "moment", "exhaustive": "from", "width": "points"}
    given = list(witness or {})
    if given != [keys.get(kind, "elements")] and (kind, given) != ("clique", ["points"]):
        raise (Unknown if witness is None else False_)(f"it has no witness for {kind}")
    if "moment" not in witness and bound["expr"] is not None:
        raise False_(f"a {kind} has no formula")
    if kind != "difference-clique" and cells > size:
        raise False_(f"it is above the {size} words that hold the array")
    if "moment" in witness:
        _prove_max_live(facts, bound, lives)
    elif "points" in witness:
        _prove_width(facts, name, array, cells, witness["points"])
    elif kind == "exhaustive":
        _prove_exhaustive(facts, name, cells, witness["from"], known)
    else:
        _prove_clique(facts, name, array, bound)


def _prove_max_live(facts: Facts, bound: dict[str, Any], lives: Lives | None) -> None:
    """Lemma *max-live*: so many elements are alive just after one moment."""
    program, moment = facts.program, bound["witness"]["moment"]
    if lives is None:
        raise False_("there is no time without a program")
    expr, where = bound["expr"], program.context
    if isinstance(expr, list):
        where = program.set(expr[0]["when"], "when").params().intersect(where)
        expr = expr[0]["expr"]
        if where.intersect(program.point()).is_empty():
            raise False_("its formula is for other parameters")
    if moment is None:
        must_be("cells", bound["cells"], 1)
        if expr != "1" or not where.is_subset(lives.births.domain().params()):
            raise False_("there may be no value at all")
        if bound["kind"] == "max-live":
            _prove_sweep(facts, lives, 1)
        return
    at = program.set(moment, "moment")
    if at.dim(DIM.set) != program.rules["time"] + 1 or not is_point(at):
        raise False_("the moment is no one [phase, time..]")
    alive = lives.alive(at)
    number = count(at_values(alive, facts.values))
    if number != bound["cells"]:
        raise False_(f"{number} elements are alive then, not {bound['cells']}")
    if expr is not None:
        count_is(alive, program.poly(expr), where, program)
    if bound["kind"] == "max-live":
        _prove_sweep(facts, lives, number)


def _prove_sweep(facts: Facts, lives: Lives, most: int) -> None:
    """Lemma *sweep*: no moment has more elements alive, at the plan's values."""
    births = at_values(lives.births, facts.values)
    size = births.dim(DIM.in_)
    if count(births.wrap()) > MOST_SWEPT:
        raise Unknown(f"more than {MOST_SWEPT} writes: it is a live-at")
    ends = images(at_values(lives.until, facts.values).flatten_domain())
    rows = sorted(listed(births.wrap().flatten()), key=lambda row: row[size:])
    values = [Value(row[:size], row[size:], [], [], *ends.get(row, ())) for row in rows]
    held = max((held for *_, held in facts.play.moments(values, lives.strict)), default=0)
    if held > most:
        raise False_(f"{held} elements are alive at another time, not {most}")


def _prove_clique(facts: Facts, name: str, array: dict[str, Any], bound: dict[str, Any]) -> None:
    """Lemma *difference clique*: any two of so many points are a difference apart."""
    points = facts.program.set(bound["witness"]["elements"], "elements")
    points = at_values(points, facts.values)
    if points.dim(DIM.set) != len(array["index"]):
        raise False_("its elements have other dimensions than the index")
    must_be("cells", bound["cells"], count(points))
    within = at_values(facts.differences[name], facts.values)
    apart = isl.Map.from_domain_and_range(points, points).deltas()
    if not apart.is_subset(within):
        raise False_("two of its elements do not conflict")
    if bound["kind"] == "clique":
        if facts.program.rules is not None or array["conflicts"]["pairs"] is not None:
            raise False_("of given differences alone any two such elements conflict")
        stated = array["conflicts"]["elements"]
        if stated is not None:
            elements = facts.program.set(stated, "conflicts.elements").reset_tuple_id()
            if not points.is_subset(at_values(elements, facts.values)):
                raise False_("its elements are not elements of the array")


def _prove_width(
    facts: Facts, name: str, array: dict[str, Any], cells: int, points: list[list[int]]
) -> None:
    """Lemma *width*: of so many elements any two conflict in some order of the class."""
    size = len(array["index"])
    if "class" not in array or any(len(one) != size for one in points):
        raise False_("it is no bound of elements of a class")
    must_be("cells", cells, len(set(map(tuple, points))))
    within = at_values(facts.pairs[name], facts.values)
    every = set(map(tuple, points))
    for point in every:
        own = within
        for k, value in enumerate(point):
            own = own.fix_val(DIM.in_, k, isl.Val(value))
        if not every - {point} <= set(listed(own.range())):
            raise False_(f"not every other of its elements conflicts with {list(point)}")


def _prove_exhaustive(
    facts: Facts, name: str, cells: int, first: int, known: list[tuple[str, int]]
) -> None:
    """Lemma *exhaustive*: every lattice of fewer cells holds a difference that is not 0."""
    if first > max((value for _, value in known), default=1):
        raise Unknown(f"no bound proved here excludes lattices of fewer than {first} cells")
    if first > cells:
        raise False_("it begins above its cells")
    if first == cells:
        return
    points = listed(at_values(facts.differences[name], facts.values))
    table: dict[tuple[int, ...], set[int]] = {}
    for *prefix, last in points:
        if any(prefix) or last:
            table.setdefault(tuple(prefix), set()).add(last)
    budget = MOST_LATTICES
    for determinant in range(first, cells):
        for pivots in _factors(determinant, len(points[0])):
            budget -= prod(p**k for k, p in enumerate(pivots))
            if budget < 0:
                raise Unknown(f"more than {MOST_LATTICES} lattices")
            free = _free_lattice(table, pivots)
            if free is not None:
                raise False_(f"the lattice {free} of {determinant} cells holds no difference")


def _factors(number: int, size: int) -> Iterator[tuple[int, ...]]:
    """All tuples of so many positive integers with this product."""
    if size == 1:
        yield (number,)
        return
    for one in range(1, number + 1):
        if number % one == 0:
            for rest in _factors(number // one, size - 1):
                yield (one, *rest)


def _free_lattice(
    table: dict[tuple[int, ...], set[int]], pivots: tuple[int, ...]
) -> list[list[int]] | None:
    """A lattice in Hermite form with these pivots that holds no point of the table; or None."""
    size, last = len(pivots), pivots[-1]
    inside = {
        prefix: {one % last for one in ends}
        for prefix, ends in table.items()
        if not prefix or prefix[0] % pivots[0] == 0
    }
    places = [(i, j) for i in range(size) for j in range(i + 1, size)]
    near = sorted(inside.items(), key=lambda one: sum(map(abs, one[0])))
    for entries in product(*(range(pivots[j]) for _, j in places)):
        above = dict(zip(places, entries, strict=True))
        for prefix, ends in near:
            rest, end = list(prefix), 0
            for i in range(size - 1):
                if rest[i] % pivots[i]:
                    break
                k = rest[i] // pivots[i]
                for j in range(i + 1, size - 1):
                    rest[j] -= k * above[i, j]
                end += k * above[i, size - 1]
            else:
                if end % last in ends:
                    break
        else:
            return [
                [above.get((i, j), pivots[i] * (i == j)) for j in range(size)] for i in range(size)
            ]
    return None
