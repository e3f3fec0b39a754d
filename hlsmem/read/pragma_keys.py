"""Settings by `#pragma HLS` in place of the design: levels, intervals, unrolling, storage.

The table is that of AMD UG1399, "HLS pragmas". The design's own keys win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.program.model import Array, Pragma
from hlsmem.read.design_schema import ArrayKeys, DesignKeys

_STYLES = {
    "bram": "block",
    "lutram": "distributed",
    "uram": "large",
    "srl": "registers",
    "register": "registers",
}
_OUTSIDE = ("m_axi", "bram", "ap_memory", "s_axilite", "ap_none", "ap_vld", "ap_hs")
OF_STORAGE = ("BIND_STORAGE", "RESOURCE", "ARRAY_PARTITION")
"""Those that say how an array is kept."""
_WITHOUT_EFFECT = ("INLINE", "LOOP_TRIPCOUNT", "LOOP_FLATTEN", "DATAFLOW", "STREAM", "DEPENDENCE")


def followed(
    keys: DesignKeys, pragmas: Sequence[Pragma], arrays: Mapping[str, Array], *, obeys: bool
) -> tuple[DesignKeys, tuple[Problem, ...]]:
    """The keys with what pragmas say besides, and a remark on each that is not followed."""
    remarks: list[Problem] = []
    pipeline = _pipeline(keys, pragmas, remarks)
    settings = dict(keys.arrays)
    for pragma in pragmas:
        array = None if pragma.array is None else arrays[pragma.array]
        said = _said(pragma, array, obeys, remarks)
        if pragma.array is None or array is None or not said or array.index == ():
            continue
        own = settings.get(pragma.array, ArrayKeys())
        new = {key: value for key, value in said.items() if key not in own.model_fields_set}
        settings[pragma.array] = own.model_copy(update=new)
    update: dict[str, Any] = {"pipeline": pipeline, "arrays": settings}
    if _runs_side_by_side(keys, pragmas):
        update["plan"] = keys.plan.model_copy(update={"capacity": "selftimed"})
    return keys.model_copy(update=update), tuple(remarks)


def _runs_side_by_side(keys: DesignKeys, pragmas: Sequence[Pragma]) -> bool:
    """True if DATAFLOW asks for processes that run by themselves, and no setting contradicts it."""
    asked = any(one.name == "DATAFLOW" for one in pragmas)
    own = keys.order == "sequential" and keys.plan.schedules == "given"
    return asked and own and "capacity" not in keys.plan.model_fields_set


def _pipeline(keys: DesignKeys, pragmas: Sequence[Pragma], remarks: list[Problem]) -> Any:
    """The pipeline with the level and interval that PIPELINE asks for, and what UNROLL does."""
    own = keys.pipeline
    update: dict[str, Any] = {}
    asked = [one for one in pragmas if one.name == "PIPELINE" and "off" not in one.options]
    inside = [one for one in asked if one.loops]
    for one in asked:
        if not one.loops:
            what = "PIPELINE of a whole function: each call is not a step of its own here"
            remarks.append(Problem(what, "put it into a loop", one.source_location))
    if inside and "level" not in own.model_fields_set:
        levels = {len(one.loops) for one in inside}
        update["level"] = min(levels)
        if len(levels) > 1:
            what = f"PIPELINE stands at {len(levels)} depths: a step is one of the outermost"
            remarks.append(
                Problem(what, "set pipeline.level for another one", inside[0].source_location)
            )
    # A step of an outer loop has all turns of the loops inside: what is asked of these is not it.
    same = len({len(one.loops) for one in inside}) == 1
    intervals = {number for one in inside if (number := one.number("ii"))} if same else set()
    if intervals and "interval" not in own.model_fields_set:
        update["interval"] = max(intervals)
        if len(intervals) > 1:
            what = f"PIPELINE asks for several intervals: {max(intervals)} cycles are taken"
            remarks.append(
                Problem(what, "set pipeline.interval for another one", inside[0].source_location)
            )
    factors = dict(own.unroll)
    for one in pragmas:
        if one.name != "UNROLL":
            continue
        factor = one.number("factor")
        if keys.order != "iteration":
            what = "UNROLL is not followed: order: sequential has no steps"
            remarks.append(Problem(what, "add order: iteration", one.source_location))
        elif factor is None:
            what = "UNROLL of a whole loop is not followed"
            remarks.append(
                Problem(what, "say a factor, or set pipeline.level", one.source_location)
            )
        elif "unroll" not in own.model_fields_set:
            factors[one.loops[-1]] = factor
    return own.model_copy(update={**update, "unroll": factors})


def _said(
    pragma: Pragma, array: Array | None, obeys: bool, remarks: list[Problem]
) -> dict[str, object]:
    """Settings of an array by a pragma, by keys of arrays; remarks on what is not followed."""
    match pragma.name:
        case "INTERFACE":
            return _interface(pragma, remarks)
        case "BIND_STORAGE" | "RESOURCE":
            asked = pragma.options.get("impl", pragma.options.get("core", "")).lower()
            style = next((s for word, s in _STYLES.items() if word in asked.split("_")), None)
            if style is None:
                what = f"{pragma.name} {asked or 'without impl'} is not followed"
                remarks.append(
                    Problem(what, f"impl is {', '.join(_STYLES)}", pragma.source_location)
                )
                return {}
            return {"style": style}
        case "ARRAY_PARTITION":
            return _partition(pragma, array) if obeys and array is not None else {}
        case "PIPELINE" | "UNROLL":
            return {}
        case "FUNCTION" if "top" in pragma.options:  # SmartHLS's mark, which tops reads
            return {}
        case _ if pragma.name not in _WITHOUT_EFFECT:
            what = f"#pragma HLS {pragma.name} is not read"
            remarks.append(Problem(what, "it changes nothing here", pragma.source_location))
    return {}


def _interface(pragma: Pragma, remarks: list[Problem]) -> dict[str, object]:
    words = [pragma.options.get("mode", ""), *pragma.options]
    if "axis" in words:
        return {"storage": "stream"}
    if not any(word in _OUTSIDE for word in words) and not set(words) & {"ap_ctrl_none", "return"}:
        what = "INTERFACE of this kind is not read"
        remarks.append(Problem(what, f"axis, {', '.join(_OUTSIDE)} are", pragma.source_location))
    return {"storage": "external"} if any(word in _OUTSIDE for word in words) else {}


def _partition(pragma: Pragma, array: Array) -> dict[str, object]:
    banks = pragma.banks([one.constant_value() for one in array.extents or ()])
    return {"style": "registers"} if banks is None else {"max_banks": banks}
