"""Affine functions as a person would write them: a[y, x] -> C[min(y + 2, N - 1), x]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.polyhedra import DimType, Map, PwAff, PwMultiAff, Set
from hlsmem.polyhedra.quantities import affine_quantity
from hlsmem.polyhedra.sets import parameter_names

# (components, condition); no condition where the function is one form on all of its domain.
Form = tuple[tuple[str, ...], str]


def forms_of(relation: Any, names: Sequence[str], context: Any) -> list[Form]:
    """The forms of a single-valued Map within `context`, its input called by `names`.

    Minima and maxima are found where they hold everywhere; else there is a form for each piece,
    with the condition under which it holds.

    >>> from hlsmem.polyhedra import Map, Set
    >>> from hlsmem.polyhedra.extremes import lexmax
    >>> last = "[N] -> { a[i] -> C[j] : 0 <= i < N and j <= i + 2 and j < N }"
    >>> forms_of(lexmax(Map(last)), ["i"], Set("[N] -> { : N >= 3 }"))
    [(('min(i + 2, N - 1)',), '')]
    """
    relation = _named(relation, names)
    value = PwMultiAff.from_map(relation.intersect_params(context).coalesce())
    size = relation.dim(DimType.out)
    parts = [_component(value.get_pw_aff(position)) for position in range(size)]
    whole = [part for part in parts if part is not None]
    if len(whole) == size:
        return [(tuple(whole), "")]
    found: list[Form] = []
    value.foreach_piece(
        lambda domain, piece: found.append(
            (
                tuple(_shown(piece.get_aff(position)) for position in range(size)),
                condition_text(domain.gist_params(context)),
            )
        )
    )
    return found


def where_of(relation: Any, names: Sequence[str], context: Any) -> str:
    """The condition on the inputs of a Map, called by `names`, within `context`."""
    return condition_text(_named(relation, names).domain().gist_params(context))


def elements_of(text: str, names: Sequence[str], context: Any) -> str:
    """The elements in a set that is given as text, dimension i called `names[i]`, in a context.

    >>> from hlsmem.polyhedra import Set
    >>> context = Set("[N] -> { : N >= 8 }")
    >>> elements_of("[N] -> { [y, x] : y mod 2 = 0 and 0 <= y < N and N >= 8 }", "yx", context)
    '(y, x) with (y) mod 2 = 0 and 0 <= y < N'
    >>> elements_of("{ [i] }", "i", Set("{ : }"))
    'all (i)'
    """
    where = where_of(Map.from_domain(Set(text)), names, context)
    return f"({', '.join(names)}) with {where}" if where else f"all ({', '.join(names)})"


def condition_text(domain: Any) -> str:
    """Condition on the points of a set, as isl writes it of its parameters; empty where none.

    isl writes what is fixed, and a second piece, into tuples: of parameters it can only say so.

    >>> from hlsmem.polyhedra import Set
    >>> condition_text(Set("{ a[y, x] : (x = 30 and 2 <= y <= 20) or (x < 9 and y = 22) }"))
    '(y = 22 and x <= 8) or (x = 30 and 2 <= y <= 20)'
    """
    size, known = domain.dim(DimType.set), domain.dim(DimType.param)
    free = domain.move_dims(DimType.param, known, DimType.set, 0, size).params()
    text = str(free.coalesce())
    return text[text.index("{") + 1 : text.rindex("}")].partition(":")[2].strip()


def _component(value: Any) -> str | None:
    """One expression for a PwAff on all of its domain; None where there is none."""
    pieces: list[Any] = []
    value.foreach_piece(lambda _, piece: pieces.append(piece))
    domain = value.domain()
    distinct: list[Any] = []
    for piece in pieces:
        if not any(piece.plain_is_equal(other) for other in distinct):
            distinct.append(piece)
    for piece in distinct:
        if domain.is_subset(PwAff.from_aff(piece).eq_set(value)):
            return _shown(piece)
    for name in ("min", "max"):
        extreme = PwAff.from_aff(distinct[0])
        for piece in distinct[1:]:
            extreme = getattr(extreme, name)(PwAff.from_aff(piece))
        if domain.is_subset(extreme.eq_set(value)):
            distinct.sort(key=lambda one: (not _varies(one), _shown(one)))
            return f"{name}({', '.join(map(_shown, distinct))})"
    return None


def _varies(form: Any) -> bool:
    return bool(form.involves_dims(DimType.in_, 0, form.dim(DimType.in_)))


def _shown(form: Any) -> str:
    return str(affine_quantity(form))


def _named(relation: Any, names: Sequence[str]) -> Any:
    taken = parameter_names(relation)
    for position, name in enumerate(names):
        unlike = f"{name}_" if name in taken else name
        relation = relation.set_dim_name(DimType.in_, position, unlike)
    return relation
