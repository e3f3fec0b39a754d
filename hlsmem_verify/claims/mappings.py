"""Claims of a mapping: no two conflicting elements share a cell."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from hlsmem_verify.algebra import Poly, Rows, Values
from hlsmem_verify.facts import Facts
from hlsmem_verify.isl_values import DIM, Point, at_values, listed
from hlsmem_verify.lives import Lives
from hlsmem_verify.naming import at_text, coordinates, element_text, sampled
from hlsmem_verify.outcomes import False_, Unknown, must_be
from hlsmem_verify.separation import (
    Modular,
    left_by,
    left_by_kernel,
    positive,
    residues,
    scaled,
    zero_of,
)
from hlsmem_verify.witness import clash_text


class Clash(False_):
    """A difference of conflicting elements that share a cell, at values of the parameters."""

    def __init__(self, values: Values, apart: Point) -> None:
        super().__init__(f"conflicting elements {list(apart)} apart share a cell")
        self.values, self.apart = values, apart


def prove_mapping(
    facts: Facts, name: str, array: dict[str, Any], mapping: dict[str, Any], lives: Lives | None
) -> None:
    """No two conflicting elements share a cell: for all parameters, or at the plan's."""
    certificate, size, program = mapping["certificate"], len(array["index"]), facts.program
    everywhere = certificate["scope"] == "all-parameters"
    if certificate["at"] != ({} if everywhere else facts.document["params"]):
        raise False_("certificate.at has not the plan's parameters")
    if not mapping["pieces"]:
        raise False_("it has no pieces")
    kernel = certificate.get("kernel", [])
    if kernel and not everywhere:
        raise False_("a kernel goes with a proof for all parameters")
    own = facts.lives.get(name) if lives is None else lives
    domains = _domains(facts, mapping, size)
    _prove_pieces(facts, name, domains, own)
    total = 0
    for piece, domain in zip(mapping["pieces"], domains, strict=True):
        rows = rows_of(facts, piece, size)
        total += prod(b.at(facts.values) for _, b in rows)
        pairs: Any = facts.pairs.get(name) if lives is None else lives.conflicts()
        differences = facts.differences[name] if lives is None else pairs.deltas()
        if domain is not None:
            if pairs is None:
                raise Unknown("pieces of given conflicts")
            pairs = pairs.intersect_domain(domain).intersect_range(domain)
            differences = pairs.deltas()
        try:
            if everywhere:
                generators = [[program.poly(one) for one in row] for row in kernel]
                prove_separated(facts, array, differences, rows, generators)
            else:
                _prove_separated_here(facts, differences, rows)
        except Clash as found:
            raise False_(clash_text(name, own, pairs, found.apart, found.values)) from None
    must_be("cells", mapping["cells"], total)


def _prove_separated_here(facts: Facts, differences: Any, rows: list[Modular]) -> None:
    """No difference is in the kernel of the rows, at the plan's parameters."""
    if any(b.at(facts.values) < 1 for _, b in rows):
        raise False_("a modulus is less than 1")
    at = [
        ([Poly.of(e.at(facts.values)) for e in row], Poly.of(b.at(facts.values))) for row, b in rows
    ]
    plain = facts.program.context.get_space()
    here = at_values(differences, facts.values).align_params(plain)
    here = here.intersect_params(facts.program.point())
    left = left_by(here, at, facts.program, None)
    if not left.is_empty():
        raise Clash(*sampled(left, facts.program))


def prove_separated(
    facts: Facts, array: dict[str, Any], differences: Any, rows: list[Modular], kernel: Rows
) -> None:
    """No difference is in the kernel of the rows, for all parameters, class by class."""
    extents = array["extents"]
    strides = None if extents is None else [facts.program.poly(one) for one in extents]
    formulas = [e for row, b in rows for e in (*row, b)] + [e for row in kernel for e in row]
    divisors = set().union(*(one.divisors() for one in formulas))
    rounded = set().union(*(one.rounded() for one in formulas))
    for where, shift in residues(divisors, facts.program, rounded):
        own = scaled(differences, shift, facts.program)
        changed = [([e.with_(shift) for e in row], b.with_(shift)) for row, b in rows]
        for _, b in changed:
            if not positive(b, where, facts.program):
                raise (False_ if b.is_affine() else Unknown)(f"{b.shown()} may be less than 1")
        if kernel:
            generators = [[e.with_(shift) for e in row] for row in kernel]
            own = own.subtract(zero_of(own))
            left = left_by_kernel(own, changed, generators, where, facts.program)
        else:
            sides = None if strides is None else [one.with_(shift) for one in strides]
            left = left_by(own, changed, facts.program, sides)
        if not left.is_empty():
            # At the plan's parameters where they are of this class, and it has a point there.
            here = left.intersect_params(scaled(facts.program.point(), shift, facts.program))
            at, apart = coordinates((left if here.is_empty() else here).sample_point())
            raise Clash({name: shift[name].at(at) for name in shift}, apart)


def rows_of(facts: Facts, piece: dict[str, Any], size: int) -> list[Modular]:
    """The rows of a piece, whose numbers are those of its formulas."""
    many = len(piece["modulus"])
    for key in ("matrix", "matrix_value", "modulus_value", "offset", "offset_value"):
        must_be(key, len(piece[key]), many)
    rows = []
    for k in range(many):
        row, b = map(facts.program.poly, piece["matrix"][k]), piece["modulus"][k]
        rows.append((list(row), facts.program.poly(b)))
        must_be("a row", len(rows[-1][0]), size)
        must_be("matrix_value", piece["matrix_value"][k], [e.at(facts.values) for e in rows[-1][0]])
        must_be("modulus_value", piece["modulus_value"][k], rows[-1][1].at(facts.values))
        offset = facts.program.poly(piece["offset"][k]).at(facts.values)
        must_be("offset_value", piece["offset_value"][k], offset)
    return rows


def _domains(facts: Facts, mapping: dict[str, Any], size: int) -> list[Any]:
    """The elements of each piece, None where it has all."""
    found = []
    for piece in mapping["pieces"]:
        domain = None
        if piece["domain"] is not None:
            domain = facts.program.set(piece["domain"], "a domain").reset_tuple_id()
            if domain.dim(DIM.set) != size:
                raise False_("a domain has other dimensions than the index")
        found.append(domain)
    return found


def _prove_pieces(facts: Facts, name: str, domains: list[Any], lives: Lives | None) -> None:
    """Every element is in one piece."""
    stated = [one for one in domains if one is not None]
    if not stated and len(domains) == 1:
        return
    if len(stated) < len(domains):
        raise False_("several pieces, of which one has no domain")
    if lives is None:
        raise Unknown("pieces of given conflicts")
    rest = elements = lives.births.domain()
    for domain in domains:
        again = domain.intersect(elements).subtract(rest)
        if not again.is_empty():
            raise False_(f"{_sample(facts, name, again)} is in two pieces")
        rest = rest.subtract(domain)
    if not rest.is_empty():
        raise False_(f"{_sample(facts, name, rest)} is in no piece")


def _sample(facts: Facts, name: str, elements: Any) -> str:
    values, element = sampled(elements, facts.program)
    return element_text(name, element) + at_text(values)


def cells_of(facts: Facts, mapping: dict[str, Any], values: Values) -> Callable[[Point], Any]:
    """The cell of an element: its piece, and the remainders by its moduli."""
    pieces: list[tuple[Any, list[tuple[list[int], int, int]]]] = []

    def value(text: str) -> int:
        return facts.program.poly(text).at(values)

    for piece in mapping["pieces"]:
        inside = None
        if piece["domain"] is not None:
            domain = facts.program.set(piece["domain"], "a domain")
            inside = set(listed(at_values(domain, values)))
        rows = zip(piece["matrix"], piece["offset"], piece["modulus"], strict=True)
        at = [([value(e) for e in row], value(c), value(b)) for row, c, b in rows]
        if any(b < 1 for *_, b in at):
            raise False_("a modulus is not at least 1")
        pieces.append((inside, at))

    def cell(x: Point) -> Any:
        for k, (inside, rows) in enumerate(pieces):
            if inside is None or x in inside:
                return k, *((sum(map(_times, row, x)) + c) % b for row, c, b in rows)
        return None

    return cell


def _times(a: int, b: int) -> int:
    return a * b
