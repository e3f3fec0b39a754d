"""What hlsmem_verify says of mappings alone, and the conflicts that it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.storage_mapping import Piece
from hlsmem.polyhedra import DimType
from hlsmem.program.model import Program
from hlsmem_verify.claims.array_conflicts import prove_conflicts
from hlsmem_verify.claims.mappings import prove_mapping, prove_separated
from hlsmem_verify.facts import Facts
from hlsmem_verify.lives import Lives
from tests.check.subjects import document_of

PROVED = ""


def mapped(document: Mapping[str, Any]) -> dict[str, str]:
    """By array why its mapping is not proved; PROVED where it is. Of a program the conflicts are
    those that follow from it, whatever is stated."""
    facts = Facts(dict(document))
    return {name: str(facts.end(_prove, name) or PROVED) for name in document["arrays"]}


def _prove(facts: Facts, name: str) -> None:
    array = facts.array(name)
    (part,) = facts.held(name)
    lives = None
    if facts.program.rules is None:
        facts.hold(prove_conflicts, name)
    else:
        lives = Lives(facts.program, name, len(array["index"]))
    prove_mapping(facts, name, array, part["mapping"], lives)


def why_not(
    piece: Piece,
    differences: Any,
    values: Mapping[str, int],
    context: Any,
    kernel: Sequence[Sequence[QuasiPolynomial]] = (),
) -> str:
    """Why a piece does not separate elements so far apart for all parameters, PROVED if it does."""
    texts = {"params": dict(values), "context": str(context), "program": None, "arrays": {}}
    facts = Facts(texts)
    poly = facts.program.poly
    rows = [
        ([poly(str(entry)) for entry in row], poly(str(modulus)))
        for row, modulus in zip(piece.matrix, piece.modulus, strict=True)
    ]
    apart = facts.program.set(str(differences), "differences").reset_tuple_id()
    generators = [[poly(str(entry)) for entry in row] for row in kernel]
    end = facts.end(lambda own: prove_separated(own, {"extents": None}, apart, rows, generators))
    return str(end or PROVED)


def conflicts_of(program: Program, array: str, *, strict: bool = False, slack: int = 0) -> Any:
    """{ element -> element } that may not share a cell, over the parameters of the program."""
    facts = Facts(document_of(program, {}))
    size = len(program.arrays[array].index)
    found = Lives(facts.program, array, size, strict=strict, slack=slack).conflicts()
    for k in range(found.dim(DimType.param)):
        name = found.get_dim_name(DimType.param, k).removeprefix("P_")
        found = found.set_dim_name(DimType.param, k, name)
    return found.set_tuple_name(DimType.in_, array).set_tuple_name(DimType.out, array)
