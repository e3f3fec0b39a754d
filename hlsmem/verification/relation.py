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
    from hlsmem_verify.algebra import OWN
    from hlsmem_verify.limits import False_, Refused, Unknown
    from hlsmem_verify.lives import Lives
    from hlsmem_verify.orders import Orders
    from hlsmem_verify.program import Program

    own = document["arrays"][array]
    try:
        program = Program(dict(document))
        orders = Orders(program, own["class"], document["arrays"])
        pairs = orders.conflicts(Lives(program, array, len(own["index"])))
    except (Refused, False_, Unknown) as reason:
        raise NotRelated(str(reason)) from None
    for k, name in enumerate(parameter_names(pairs)):
        pairs = pairs.set_dim_name(DimType.param, k, name.removeprefix(OWN))
    return pairs


def differences_of(pairs: Any) -> Any:
    """The differences of pairs: an anonymous set, symmetric where these are."""
    return without_name(pairs.deltas()).coalesce()
