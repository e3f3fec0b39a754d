"""Order relation common to a class: which instance runs before which in every order of it.

Source: a class of orders is given to storage mapping as one relation; a smaller one is safe, a
larger one is not. docs/decisions/0016-schedule-classes.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Map, UnionMap
from hlsmem.polyhedra.relations import dimension_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Precedence:
    """Relations { x -> y } of statement instances, live content left out; UnionMaps.

    `before`: x runs before y in every order of the class; `at_or_before`: before it or at the
    same time, where x reads and y writes. `not_before`, `not_at_or_before` are all other pairs.
    Without `is_exact` there are pairs that every order runs alike and that are not in here:
    storage is then larger than needed, and `remark` says why. With `is_fixed` all holds at the
    plan's values alone.
    """

    before: Any = field(compare=False)
    at_or_before: Any = field(compare=False)
    not_before: Any = field(compare=False)
    not_at_or_before: Any = field(compare=False)
    is_exact: bool = True
    is_fixed: bool = False
    remark: str = ""


def from_pairs(
    before: Any,
    domain: Any,
    *,
    is_exact: bool = True,
    is_fixed: bool = False,
    remark: str = "",
) -> Precedence:
    """The precedence of a strict order { x -> y } in which no two instances share a time."""
    everything = UnionMap.from_domain_and_range(domain, domain)
    not_before = everything.subtract(before).coalesce()
    same = domain.identity()
    return Precedence(
        before=before,
        at_or_before=before.union(same),
        not_before=not_before,
        not_at_or_before=not_before.subtract(same).coalesce(),
        is_exact=is_exact,
        is_fixed=is_fixed,
        remark=remark,
    )


def from_times(coordinates: Any, before: Any, at_or_before: Any) -> Precedence:
    """The precedence of orders that look at `coordinates`, a UnionMap { x -> [c] }, alone.

    The other two are Maps { [c] -> [d] }.
    """
    back = coordinates.reverse()

    def pulled(order: Any) -> Any:
        return coordinates.apply_range(UnionMap.from_map(order)).apply_range(back)

    everything = Map.universe(before.get_space())
    return Precedence(
        before=pulled(before),
        at_or_before=pulled(at_or_before),
        not_before=pulled(everything.subtract(before).coalesce()),
        not_at_or_before=pulled(everything.subtract(at_or_before).coalesce()),
    )


@dataclass(frozen=True, slots=True)
class Entries:
    """So many neighbouring coordinates, compared entry by entry, or all together."""

    size: int
    is_tiled: bool


def band_order(bands: Sequence[Entries], rest: int, *, strict: bool) -> Any:
    """{ [c] -> [d] }: before in the outermost band that differs, in every tiling of it.

    Coordinates equal in all bands are compared lexicographically in the last `rest` entries;
    all equal is before only where not `strict`. In a tiled band no row may go down: tiles are
    visited, and the points of a tile, in the order of their rows, whatever their sizes.
    """
    size = sum(band.size for band in bands) + rest
    left, right = dimension_names("c", size), dimension_names("d", size)
    cases = list[list[str]]()
    first = 0
    for band in [*bands, Entries(rest, is_tiled=False)]:
        own = range(first, first + band.size)
        for k in own:
            above = [f"{left[j]} = {right[j]}" for j in range(k)]
            below = [f"{left[j]} <= {right[j]}" for j in own if j > k and band.is_tiled]
            cases.append([*above, f"{left[k]} < {right[k]}", *below])
        first += band.size
    if not strict:
        cases.append([f"{a} = {b}" for a, b in zip(left, right, strict=True)])
    if not size:
        cases = [] if strict else [["true"]]
    text = " or ".join(f"({' and '.join(case) or 'true'})" for case in cases) or "false"
    return Map(f"{{ [{', '.join(left)}] -> [{', '.join(right)}] : {text} }}")
