"""Whether the numbers in plan.json agree with their formulas, with each other and the design."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hlsmem.errors import InputError
from hlsmem.options import Design
from hlsmem.polyhedra.text import parse_set
from hlsmem.program import Array, ConflictInput, Program
from hlsmem.quantity import parse_quantity
from hlsmem.verification.folding import Folding
from hlsmem.verification.rules import Rules, rules_of

Document = Mapping[str, Any]

_MOST_SLACK = 64


def disagreements(
    own: Document, values: Mapping[str, int], folding: Folding, array: Array
) -> Iterator[str]:
    """What in the plan of an array or part contradicts itself or the design, one line each."""
    yield from _pairs(own, values)
    yield from _cells(own, folding)
    yield from _against_design(own, values, array)


def design_disagreements(document: Document, design: Design) -> Iterator[str]:
    """Parameters, order and rules of the plan against those of the design."""
    yield from parameter_disagreements(document["params"], design.input.values)
    if not isinstance(design.input, Program):
        return
    rules, options = rules_of(document), design.plan
    control = "skip" if design.input.skips else "predicate"
    order = design.input.order.value
    wanted = Rules(order, options.strict, options.slack, options.capacity, control)
    for key in ("order", "strict", "slack", "capacity", "control"):
        own, other = getattr(rules, key), getattr(wanted, key)
        if own != other:
            yield f"{key}: the plan says {own}, the design {other}"
    if rules.slack > _MOST_SLACK:
        yield f"slack: more than {_MOST_SLACK} beats cannot be checked"


def parameter_disagreements(params: Mapping[str, int], values: Mapping[str, int]) -> Iterator[str]:
    """The parameters of plan.json against the values of its design, overrides included."""
    if dict(params) != dict(values):
        yield f"params: the plan was made for {_at(params)}, the design says {_at(values)}"


def other_plan(document: Document, source: Program | ConflictInput) -> str:
    """Why this is the plan of another design, by its parameters or its arrays; empty where not."""
    for objection in parameter_disagreements(document["params"], source.values):
        return objection
    if isinstance(source, Program):
        wanted = {array.name for array in source.planned_arrays()}
    else:
        wanted = set(source.conflicts)
    planned = set(document["arrays"])
    if planned != wanted:
        return f"arrays: the plan has {_names(planned)}, the design {_names(wanted)}"
    return ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _pairs(own: Document, values: Mapping[str, int]) -> Iterator[str]:
    """Every formula at the plan's parameters against the number beside it."""
    for position, piece in enumerate(own["mapping"]["pieces"]):
        where = f"pieces[{position}]"
        for row, (formulas, numbers) in enumerate(_beside(piece, "matrix")):
            label = f"{where}.matrix[{row}]"
            yield from _compare_all(formulas, numbers, values, label)
        for key in ("modulus", "offset"):
            yield from _compare_all(piece[key], piece[f"{key}_value"], values, f"{where}.{key}")
    yield from bound_disagreements(own["bounds"], values)


def bound_disagreements(bounds: Iterable[Document], values: Mapping[str, int]) -> Iterator[str]:
    """Where a bound is not what its formula says."""
    for bound in bounds:
        if bound["expr"] is not None:
            yield from _compare(bound["expr"], bound["cells"], values, f"bound {bound['kind']}")


def declared_disagreements(own: Document, values: Mapping[str, int]) -> Iterator[str]:
    """Where the declared size of an array is not what its formula, or the design, says."""
    declared = own["declared"]
    if declared is not None:
        yield from _compare(declared["expr"], declared["cells"], values, "declared")


def _beside(piece: Document, key: str) -> Iterator[tuple[Any, Any]]:
    return zip(piece[key], piece[f"{key}_value"], strict=True)


def _compare_all(
    formulas: Sequence[Any], numbers: Sequence[int], values: Mapping[str, int], label: str
) -> Iterator[str]:
    for position, (formula, number) in enumerate(zip(formulas, numbers, strict=True)):
        yield from _compare(formula, number, values, f"{label}[{position}]")


def _compare(formula: Any, number: int, values: Mapping[str, int], label: str) -> Iterator[str]:
    value = _evaluate(formula, values)
    if value != number:
        found = "no value" if value is None else str(value)
        yield f"{label}: {formula} is {found} at {_at(values)}, the plan says {number}"


def _evaluate(formula: Any, values: Mapping[str, int]) -> int | None:
    """A formula, or [{"when": isl, "expr": ..}] pieces, at the plan's parameters; None if bad."""
    try:
        return _formula_value(formula, values)
    except (KeyError, ValueError, InputError):
        return None


def _formula_value(formula: Any, values: Mapping[str, int]) -> int | None:
    if isinstance(formula, str):
        return parse_quantity(formula).evaluate(values)
    for piece in formula:
        when = parse_set(piece["when"], parameters=tuple(values), what="when")
        names = ", ".join(values)
        fixed = " and ".join(f"{name} = {value}" for name, value in values.items()) or "true"
        point = parse_set(f"[{names}] -> {{ : {fixed} }}", parameters=tuple(values))
        if not when.params().intersect(point.params()).is_empty():
            return parse_quantity(piece["expr"]).evaluate(values)
    return None


def _cells(own: Document, folding: Folding) -> Iterator[str]:
    cells = own["mapping"]["cells"]
    if cells != folding.cells:
        yield f"cells: the moduli multiply to {folding.cells}, the plan says {cells}"
    for bound in own["bounds"]:
        if bound["kind"] in ("max-live", "live-at") and folding.cells < bound["cells"]:
            yield f"{folding.cells} cells are fewer than the {bound['cells']} values alive at once"


def width_disagreements(entry: Document, memories: Document) -> Iterator[str]:
    """Where the words of a part's memory are too narrow."""
    name, bits = entry["memory"], entry["element"]["bits"]
    if bits > memories[name]["bits"]:
        yield f"an element has {bits} bits, a word of {name!r} has {memories[name]['bits']}"


def tap_disagreements(entry: Document, values: Mapping[str, int]) -> Iterator[str]:
    """Where the formula of a chain's tap is not the tap."""
    taps, formulas = entry["taps"], entry["taps_expr"]
    if taps is None or formulas is None:
        return
    if len(taps) != len(formulas):
        yield f"taps_expr: {len(formulas)} formulas for {len(taps)} taps"
        return
    yield from _compare_all(formulas, taps, values, "taps_expr")


def memory_disagreements(entry: Document, folding: Folding, memories: Document) -> Iterator[str]:
    """Where the memory of a part with addresses has no room for it; banks are judged apart."""
    if entry["bank_basis"] is not None:
        return
    name = entry["memory"]
    memory = memories[name]
    words = memory["words"] // memory["copies"]
    end = folding.base + folding.cells
    if folding.base < 0 or end > words:
        yield f"cells {folding.base} to {end - 1} do not fit into {words} words of {name!r}"


def overlaps(document: Document, foldings: Sequence[Folding]) -> Iterator[tuple[str, str]]:
    """Arrays or parts whose cells overlap those of another, with the reason."""
    for position, left in enumerate(foldings):
        for right in foldings[position + 1 :]:
            memory = document["arrays"][left.array]["memory"]
            if memory != document["arrays"][right.array]["memory"]:
                continue
            if left.base < right.base + right.cells and right.base < left.base + left.cells:
                reason = (
                    f"{left.array!r} (cells {left.base} to {left.base + left.cells - 1}) and "
                    f"{right.array!r} (from {right.base}) overlap in memory {memory!r}"
                )
                yield left.array, reason
                yield right.array, reason


def _against_design(own: Document, values: Mapping[str, int], array: Array) -> Iterator[str]:
    element = own["element"]
    if (element["type"], element["bits"]) != (array.element.name, array.element.bits):
        yield f"element {element['type']} of {element['bits']} bits, not {array.element.name}"
    if tuple(own["index"]) != array.index:
        yield f"index {own['index']}, not {list(array.index)}"
    if own["declared"] is None or array.extents is None:
        return
    declared = 1
    for extent in array.extents:
        declared *= extent.evaluate(values)
    if own["declared"]["cells"] != declared:
        yield f"declared: {own['declared']['cells']} cells, the design declares {declared}"


def _at(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items()) or "no parameters"
