"""A class judged without listing instances: by the relation of its conflicts at the plan's values.

For programs with more instances than are looked at pair by pair. Conflicts come from `relation`,
which proves them from plan.json alone; here they are numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from hlsmem.errors import LimitError, Problem
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.polyhedra.sweep import contains
from hlsmem.program import Program
from hlsmem.verification.folding import Folding, read_folding
from hlsmem.verification.holdings import whole
from hlsmem.verification.relation import NotRelated, class_pairs, differences_of
from hlsmem.verification.witness import named

Document = Mapping[str, Any]

# Differences that are looked at one by one.
MOST_DIFFERENCES = 5_000_000


def objection_at_size(program: Program, name: str, document: Document) -> str:
    """What is wrong with the mapping and the widths of an array, by numbers; empty if nothing.

    Raises LimitError where no lemma says what all orders keep.
    """
    own = whole(document["arrays"][name])
    if own is None:
        return "no memory with addresses holds it"
    try:
        folding = read_folding(name, own)
    except (ValueError, KeyError, TypeError) as error:
        return f"the mapping cannot be read: {error}"
    try:
        pairs = fix_parameters(class_pairs(document, name), program.values)
    except NotRelated as reason:
        what = f"the conflicts of {name!r} in all orders of its class are not known: {reason}"
        raise LimitError(Problem(what, "plan it at smaller parameters")) from None
    return _collision(folding, name, pairs) or _not_alive_together(name, own, pairs)


def _collision(folding: Folding, name: str, pairs: Any) -> str:
    apart = differences_of(pairs)
    many = count(apart)
    if many > MOST_DIFFERENCES:
        return f"{many} differences are too many to look at: plan it at smaller parameters"
    if len(folding.pieces) != 1 or folding.pieces[0].domain is not None:
        return "a mapping in pieces is judged by listing alone: plan it at smaller parameters"
    points = distinct_points(apart)
    (piece,) = folding.pieces
    together = np.ones(len(points), dtype=bool)
    for row in piece.rows:
        together &= points @ np.array(row.coefficients, dtype=np.int64) % row.modulus == 0
    if not together.any():
        return ""
    apart_by = tuple(int(entry) for entry in points[int(np.argmax(together))])
    return f"elements of {name!r} that are {apart_by} apart share a cell, and some order needs both"


def _not_alive_together(name: str, own: Document, pairs: Any) -> str:
    """The objection to the witness of a width: two of its elements that no order needs at once."""
    for bound in own["bounds"]:
        if "points" not in (bound["witness"] or {}):
            continue
        witness = [tuple(element) for element in bound["witness"]["points"]]
        if len(set(witness)) != bound["cells"]:
            return (
                f"the {bound['kind']} is {bound['cells']}, its witness has"
                f" {len(set(witness))} elements"
            )
        both = np.array([x + y for x, y in combinations(witness, 2)], dtype=np.int64)
        both = both.reshape(-1, pairs.wrap().tuple_dim())
        inside = contains(pairs.wrap(), both)
        if not inside.all():
            row = both[int(np.argmin(inside))].tolist()
            half = len(row) // 2
            first, second = named(name, row[:half]), named(name, row[half:])
            return (
                f"the {bound['kind']} of {bound['cells']} counts {first} and {second},"
                " which no order keeps alive together"
            )
    return ""
