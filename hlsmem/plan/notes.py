"""notes.json: what is said of a plan, for people. No check reads it, and nothing depends on it."""

from __future__ import annotations

import json
from collections.abc import Mapping as Values
from dataclasses import replace
from typing import Any, TypeVar

import hlsmem_verify
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.plan.codec import Codec, Odd
from hlsmem.plan.plan_model import ArrayNotes, ArrayPlan, HardwareHolding, HostHolding, Plan

# As the table of plan.json; all is informative.
_OBJECTS = hlsmem_verify.table_of("""
bound -- What is said of a bound.
  status~ S.text -- how it is known
  expr~ S.text? -- its formula, also where nothing proves that
holding -- What is said of a bound of all mappings, and of those of modular ones.
  status~ S.text -- how it is known
  expr~ S.text? -- its formula
  parts [@bound?] -- those of the parts
bounds -- What is said of bounds on each side.
  hardware @holding -- of the Verilog
  host @holding? -- of the C
share -- Some operands of an array.
  operands [(S.name S.natural)] -- (read stream, number in the beat)
  kind S.label -- what would hold them
cost -- What hardware takes.
  blocks S.natural -- block RAMs
  large S.natural -- large block RAMs
  luts S.natural -- LUTs
  lut_ram S.natural -- those that are RAM
  flip_flops S.natural -- flip-flops
  registers S.natural -- those that are registers
rejected -- Another way to hold an array in hardware.
  parts [@share] -- what it is made of
  words S.natural? -- its words
  resources @cost? -- what it takes
  cycles S.natural? -- those of the run
  reason S.text -- why it is not taken
candidate -- A mapping that C may use.
  method S.label -- what found it
  cells S.positive -- its cells
  shape S.label -- the form of its loops
  score S.text -- relative to the least
array -- What is said of an array.
  remarks [S.text] -- why it does not fold, what a setting costs
  relation S.text -- why the conflicts of a class are more than it needs
  outside S.text -- two elements that the design's own schedule alone keeps alive together
  bounds @bounds -- of bounds
  rejected [@rejected] -- other ways to hold it
  score S.text -- that of its mapping in C
  front [@candidate] -- other mappings in C
  way_out @candidate? -- one that holds for all parameters
  is_given S.truth -- whether the design chose the mapping in C
notes -- What is said of a plan.
  format S=hlsmem-notes/2 -- the format of this file
  arrays <@array> -- of each array
  timing S.text -- why the run is as it is
  remarks~ [S.text] -- of the whole
""")
_SHAPE = _OBJECTS["notes"]
_KEYS: dict[tuple[type, str], Odd] = {
    (ArrayNotes, "pareto_front"): Odd("front"),
    (ArrayNotes, "fallback"): Odd("way_out"),
}
_OWN = Codec(_KEYS).of(ArrayNotes)
AnyHolding = TypeVar("AnyHolding", HardwareHolding, HostHolding)


def notes_json(plan: Plan) -> str:
    """The text of notes.json."""
    document: dict[str, Any] = {
        "format": "hlsmem-notes/2",
        "arrays": {name: _array_notes(array) for name, array in plan.arrays.items()},
        "timing": "" if plan.timing is None else plan.timing.reason or "",
    }
    if plan.remarks:
        document["remarks"] = list(plan.remarks)
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _array_notes(array: ArrayPlan) -> dict[str, Any]:
    orders, own = array.orders, _OWN.write(array.notes, ())
    known = {
        "relation": "" if orders is None else orders.remark,
        "outside": "" if orders is None else orders.outside,
        "bounds": {
            "hardware": _holding_notes(array.hardware),
            "host": None if array.host is None else _holding_notes(array.host),
        },
    }
    return {"remarks": own["remarks"], **known, **own}


def _holding_notes(holding: HardwareHolding | HostHolding) -> dict[str, Any]:
    parts = [_bound_notes(one.lattice) for one in holding.parts]
    return {**(_bound_notes(holding.bound) or {}), "parts": parts}


def _bound_notes(bound: Bound | None) -> dict[str, Any] | None:
    return None if bound is None else {"status": bound.status, "expr": bound.expr}


def told(plan: Plan, text: str) -> Plan:
    """The plan with what a notes.json says of it; the same where that has another shape, or says
    nothing of an array."""
    try:
        notes = hlsmem_verify.parsed(text)
    except hlsmem_verify.Refused:
        return plan
    if any(hlsmem_verify.misfits(notes, _SHAPE)):
        return plan
    arrays = {
        name: _told_array(one, notes["arrays"][name]) if name in notes["arrays"] else one
        for name, one in plan.arrays.items()
    }
    timing = plan.timing and replace(plan.timing, reason=notes["timing"] or None)
    return replace(plan, arrays=arrays, timing=timing, remarks=tuple(notes.get("remarks", ())))


def _told_array(array: ArrayPlan, notes: Values[str, Any]) -> ArrayPlan:
    orders, bounds = array.orders, notes["bounds"]
    if orders is not None:
        outside = orders.outside and (notes["outside"] or orders.outside)
        orders = replace(orders, remark=notes["relation"], outside=outside)
    return replace(
        array,
        orders=orders,
        notes=_OWN.read(notes),
        hardware=_told_holding(array.hardware, bounds["hardware"]),
        host=array.host and _told_holding(array.host, bounds["host"] or {"parts": []}),
    )


def _told_holding(holding: AnyHolding, notes: Values[str, Any]) -> AnyHolding:
    said = [*notes["parts"], *[None] * len(holding.parts)]
    parts = [
        replace(part, lattice=_told_bound(part.lattice, one or {}))
        for part, one in zip(holding.parts, said, strict=False)
    ]
    return replace(holding, bound=_told_bound(holding.bound, notes), parts=tuple(parts))


def _told_bound(bound: Bound | None, notes: Values[str, Any]) -> Bound | None:
    """A bound with how it is known, and with its formula where nothing proves that."""
    if bound is None:
        return None
    expr = bound.expr or notes.get("expr")
    return replace(bound, expr=expr, status=notes.get("status") or bound.status)
