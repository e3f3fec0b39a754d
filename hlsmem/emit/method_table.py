"""Every method on every array beside the bounds, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping as Values
from collections.abc import Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.holdings import bound_text
from hlsmem.emit.mapping_text import element_text, mapping_lines
from hlsmem.emit.markdown_table import Column, table
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.storage_mapping import Finding, NoMapping, StorageMapping
from hlsmem.plan import Memory
from hlsmem.plan.plan_model import standing_of
from hlsmem.program.model import Array

Answer = tuple[str, StorageMapping | NoMapping, Memory | None]

_COLUMNS = [
    Column("method"),
    Column("cells", right=True),
    Column("words", right=True),
    Column("above bound", right=True),
    Column("work", right=True),
    Column("mapping"),
    Column("certificate"),
]

_VARIANT_COLUMNS = [
    Column("variant"),
    Column("cells", right=True),
    Column("above bound", right=True),
    Column("mapping"),
    Column("certificate"),
    Column("measured"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One array at the plan's values, the bounds, and what every method answers.

    An answer is a mapping with its memory, or the reason for none; `chosen` is what `auto`
    takes of them. `variants` are the answers of the published variants, where they are shown.
    """

    array: Array
    values: Values[str, int]
    bounds: tuple[Bound, ...]
    chosen: StorageMapping
    answers: tuple[Answer, ...]
    variants: tuple[tuple[str, StorageMapping | NoMapping], ...] = ()


def comparison_text(comparison: Comparison, *, joined: bool = True) -> str:
    """Choice of `auto`, the bounds, and a table with a row per method, fewest cells first.

    Of equally few cells those that `auto` takes come first. Below are the methods without a
    mapping, with their reasons. Variants of one mapping are `joined` in one row.
    """
    array, chosen = comparison.array, comparison.chosen
    name = element_text(array.name, array.index)
    at = ", ".join(f"{name} = {value}" for name, value in comparison.values.items())
    cells = "1 cell" if chosen.cells == 1 else f"{chosen.cells} cells"
    lines = [
        f"{name}{f' at {at}' if at else ''}: auto takes {cells} by {chosen.method},"
        f" {standing_of(chosen.cells, comparison.bounds)}",
        *(f"  {bound_text(bound)}" for bound in comparison.bounds),
    ]
    found = [
        (answer, memory)
        for _, answer, memory in comparison.answers
        if isinstance(answer, StorageMapping) and memory is not None
    ]
    found.sort(key=lambda pair: (pair[0].cells, pair[0].method != chosen.method))
    rows = [_row(comparison, answer, memory) for answer, memory in found]
    lines += ["", table(_COLUMNS, rows)]
    lines += _without_mapping([(method, answer) for method, answer, _ in comparison.answers])
    if comparison.variants:
        lines += ["", table(_VARIANT_COLUMNS, _variant_rows(comparison, joined=joined))]
        lines += _without_mapping(comparison.variants)
    return "\n".join(lines)


def _variant_rows(comparison: Comparison, *, joined: bool) -> list[list[str]]:
    """A row for each mapping, with the names of all variants that have it; or for each variant.

    What the searches measured stands where it is the same for all of a row.
    """
    groups: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for name, found in comparison.variants:
        if isinstance(found, NoMapping):
            continue
        cells = (
            str(found.cells),
            _above_bound(comparison, found.cells),
            "; ".join(_lines(comparison.array, found)),
            str(found.certificate),
        )
        key = cells if joined else (*cells, name)
        groups.setdefault(key, []).append((name, _measured(found.findings)))
    return [
        [
            ", ".join(name for name, _ in found),
            *cells[:4],
            found[0][1] if len({measured for _, measured in found}) == 1 else "differs (--all)",
        ]
        for cells, found in groups.items()
    ]


def _measured(findings: Sequence[Finding]) -> str:
    """Findings in a row: "width N - 1 along (1, 0), 1 along (0, 1)"."""
    groups: dict[str, list[str]] = {}
    for one in findings:
        along = ", ".join(map(str, one.vector))
        groups.setdefault(one.what, []).append(f"{one.value} along ({along})")
    return "; ".join(f"{what} {', '.join(values)}" for what, values in groups.items())


def _without_mapping(answers: Sequence[tuple[str, StorageMapping | NoMapping]]) -> list[str]:
    """A line for each reason, with the methods that give it."""
    reasons: dict[str, list[str]] = {}
    for method, answer in answers:
        if isinstance(answer, NoMapping):
            steps = f" ({answer.work} steps)" if answer.work else ""
            reasons.setdefault(answer.reason + steps, []).append(method)
    lines = [f"no mapping by {', '.join(names)}: {text}" for text, names in reasons.items()]
    return ["", *lines] if lines else []


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """The same as a JSON value."""
    document = {
        "auto": comparison.chosen.method,
        "cells": comparison.chosen.cells,
        "standing": standing_of(comparison.chosen.cells, comparison.bounds),
        "bounds": [
            {"kind": bound.kind, "cells": bound.cells, "expr": bound.expr, "status": bound.status}
            for bound in comparison.bounds
        ],
        "methods": [_answer_document(comparison, answer) for answer in comparison.answers],
    }
    if comparison.variants:
        document["variants"] = [
            _variant_document(comparison, name, found) for name, found in comparison.variants
        ]
    return document


def _variant_document(
    comparison: Comparison, name: str, found: StorageMapping | NoMapping
) -> dict[str, Any]:
    method = method_named(name)
    document: dict[str, Any] = {"variant": name}
    if isinstance(found, NoMapping):
        document |= {"cells": None, "reason": found.reason}
    else:
        document |= {
            "cells": found.cells,
            "above_bound": _gap(comparison, found.cells),
            "mapping": list(_lines(comparison.array, found)),
            "certificate": str(found.certificate),
            "found": _found_document(found),
        }
    document |= {"work": found.work, "description": method.description, "source": method.source}
    return document


def _found_document(found: StorageMapping) -> list[dict[str, Any]]:
    """Measurements of the search; the vectors are in the order of the index."""
    return [
        {"what": one.what, "vector": list(one.vector), "value": one.value} for one in found.findings
    ]


def _answer_document(comparison: Comparison, answer: Answer) -> dict[str, Any]:
    method, found, memory = answer
    if isinstance(found, NoMapping) or memory is None:
        reason = found.reason if isinstance(found, NoMapping) else ""
        return {"method": method, "cells": None, "reason": reason, "work": found.work}
    return {
        "method": method,
        "cells": found.cells,
        "words": memory.words,
        "above_bound": _gap(comparison, found.cells),
        "mapping": list(_lines(comparison.array, found)),
        "certificate": str(found.certificate),
        "found": _found_document(found),
        "work": found.work,
    }


def _row(comparison: Comparison, found: StorageMapping, memory: Memory) -> list[str]:
    return [
        found.method,
        str(found.cells),
        str(memory.words),
        _above_bound(comparison, found.cells),
        str(found.work),
        "; ".join(_lines(comparison.array, found)),
        str(found.certificate),
    ]


def _lines(array: Array, mapping: StorageMapping) -> tuple[str, ...]:
    """The mappings as in a report, without the array's name."""
    lines = mapping_lines(array.name, array.index, mapping)
    return tuple(line.partition(" = ")[2] for line in lines)


def _above_bound(comparison: Comparison, cells: int) -> str:
    gap = _gap(comparison, cells)
    return "-" if gap is None else str(gap)


def _gap(comparison: Comparison, cells: int) -> int | None:
    limit = max((bound.cells for bound in comparison.bounds), default=None)
    return None if limit is None else cells - limit
