"""Elements that some order of a class keeps alive together, and their differences, symbolic.

By the lemmas of `hlsmem_verify`, which share no code with hlsmem: what all orders of the class keep
follows from the dependences of the program in plan.json. `orders` has the same at the plan's
values, from listed instances.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.sets import parameter_names, without_name

Document = Mapping[str, Any]


class NotRelated(Exception):
    """What all orders of the class keep is not known; says why."""


def class_pairs(document: Document, array: str) -> Any:
    """{ x -> y } of different elements that some order keeps alive together, symmetric.

    Of a class that plan.json states at the plan's values alone, at these. Raises NotRelated.
    """
    import hlsmem_verify as lemmas

    own = document["arrays"][array]
    try:
        program = lemmas.Program(dict(document))
        orders = lemmas.Orders(program, own["class"], document["arrays"])
        pairs = orders.conflicts(lemmas.Lives(program, array, len(own["index"])))
    except (lemmas.Refused, lemmas.False_, lemmas.Unknown) as reason:
        raise NotRelated(str(reason)) from None
    for k, name in enumerate(parameter_names(pairs)):
        pairs = pairs.set_dim_name(DimType.param, k, name.removeprefix(lemmas.OWN))
    return pairs


def differences_of(pairs: Any) -> Any:
    """The differences of pairs: an anonymous set, symmetric where these are."""
    return without_name(pairs.deltas()).coalesce()
