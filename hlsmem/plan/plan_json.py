"""plan.json: nothing else reads or writes that text.

Equal input gives equal bytes: no times, no paths, no seconds in here, and no prose: what is said
of a plan stands in notes.json beside it (`hlsmem.plan.notes`). Keys, their order and what they
may hold are those of the table of `hlsmem_verify`; what differs from the fields of a plan is here.
Text beyond the limits of `hlsmem_verify` is no plan that hlsmem writes, and would keep a reader
busy, or end it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping as Values
from dataclasses import asdict
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import hlsmem_verify
from hlsmem.core import user_files as files
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.user_files import NotRegularError
from hlsmem.devices.primitives import Cost
from hlsmem.lifetime.storage_problem import Alive, Apart, Bound, ClassFacts
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping
from hlsmem.plan.codec import Codec, Odd
from hlsmem.plan.notes import told
from hlsmem.plan.plan_model import (
    ArrayPlan,
    BankBoxes,
    BankPlace,
    FoundOrder,
    Holding,
    Kept,
    Part,
    Plan,
    TextArray,
    Timing,
)
from hlsmem.plan.plan_shape import misfits
from hlsmem.plan.source_holding import SourceArray
from hlsmem.version import TOOL
from hlsmem_verify.outcomes import MOST_BYTES

FORMAT = hlsmem_verify.FORMAT
# Elements written up to which a reader can look at each moment of a run.
_MOST_SWEPT = 1 << 18
_MOST_PROBLEMS = 20

Around = tuple[Any, ...]

AGAIN = "run `hlsmem plan` again"


def to_json(plan: Plan) -> str:
    """The text of plan.json."""
    document = CODEC.of(Plan, hlsmem_verify.SHAPE).write(plan, ())
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def from_json(text: str, file: str = "plan.json", notes: str | None = None) -> Plan:
    """The plan in `text`, which anybody may have written.

    Raises InputError for another format, what is beyond the limits of `document_of`, and all that
    has not the shape of a plan, down to the leaves. `notes` are those of notes.json: without them
    reasons and remarks are empty. Symbolic and numeric values are both kept as they stand: whether
    they agree is for `check` to judge, not for the reader.
    """
    document = document_of(text, file)
    made = document.get("format") if isinstance(document, dict) else None
    if made != FORMAT:
        what = f"{file}: the format is {str(made)[:40]!r}, this tool reads {FORMAT!r}"
        raise InputError(Problem(what, AGAIN))
    found = list(islice(misfits(document), _MOST_PROBLEMS))
    if found:
        of_another = _of_another_version(document)
        raise InputError(*(Problem(f"{file}: {one}{of_another}", AGAIN) for one in found))
    try:
        plan: Plan = CODEC.of(Plan, hlsmem_verify.SHAPE).read(document)
    except ValueError as error:  # a formula that has the characters of one, and no more
        raise InputError(Problem(f"{file}: {error}", AGAIN)) from None
    return plan if notes is None else told(plan, notes)


def _of_another_version(document: Values[str, Any]) -> str:
    """A format stays while keys are added to it, so plans of other versions may lack some."""
    made_by = str(document.get("tool"))
    is_other = made_by != TOOL and re.fullmatch(r"hlsmem [\w.+]{1,40}", made_by)
    return f"; {made_by} made it, this is {TOOL}" if is_other else ""


def _is_of_all(around: Around) -> bool:
    """True if a bound is one of a holding, and not of the lattices of a part."""
    return isinstance(around[-1], Holding)


def _kind(bound: Bound, around: Around) -> str:
    """Of a long run a reader proves how many are alive, and not that no more ever are."""
    plan, array, *_ = around
    own = (one for one in plan.streams if one.array == array.name and one.name.startswith("s_"))
    written = sum(stream.beats * len(stream.operands) for stream in own)
    is_long = _is_of_all(around) and written > _MOST_SWEPT
    return "live-at" if bound.kind == "max-live" and is_long else bound.kind


def _formula(bound: Bound, _: Around) -> str | list[dict[str, str]] | None:
    """The formula of a bound, where a witness proves it; with the condition that is for it."""
    is_proved = isinstance(bound.proof, Alive) and bound.status.startswith("proved")
    if bound.expr is None or not is_proved:
        return None
    return bound.expr if bound.when is None else [{"when": bound.when, "expr": bound.expr}]


def _witness(bound: Bound, around: Around) -> dict[str, Any] | None:
    """Witness with which a reader proves a bound again."""
    if bound.witness:
        return {"points": bound.witness}
    match bound.proof:
        case Alive(program_point=point):
            return {"moment": point}
        case Apart(elements=elements):
            return {"elements": elements}
    if bound.kind != "exhaustive":
        return None
    known = None if _is_of_all(around) else around[2].bound  # below it no lattice needs a look
    return {"from": min(1 if known is None else known.cells, bound.cells)}


def _proof(document: Values[str, Any]) -> Alive | Apart | None:
    match document["witness"]:
        case {"moment": moment}:
            return Alive(program_point=moment)
        case {"elements": elements}:
            return Apart(elements=elements)
    return None


def _points(document: Values[str, Any]) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, (document["witness"] or {}).get("points", ())))


def _conditional(document: Values[str, Any]) -> dict[str, Any]:
    """The formula of a bound, and its condition."""
    expr = document["expr"]
    return expr[0] if isinstance(expr, list) else {"expr": expr, "when": None}


def _of_banks(field: str) -> Odd:
    """A key of a part, which has those of its banks."""
    return Odd(write=lambda part, _: part.banks and getattr(part.banks, field))


def _boxes(part: Part, _: Around) -> dict[str, Any] | None:
    boxes = None if part.banks is None else part.banks.boxes
    return None if boxes is None else asdict(boxes)


def _banks(part: Values[str, Any]) -> BankPlace | None:
    basis, storage, boxes = part["bank_basis"], part["storage_basis"], part["boxes"]
    return basis and BankPlace(
        basis=tuple(map(tuple, basis)),
        block=part["bank_block"],
        storage=storage and tuple(map(tuple, storage)),
        boxes=boxes and BankBoxes(**{key: tuple(value) for key, value in boxes.items()}),
    )


def _cycles(timing: Timing, _: Around) -> dict[str, Any] | None:
    if timing.cycles is None:
        return None
    if timing.runs is None:
        return {"kind": "exact", "value": timing.cycles}
    known = [{"seed": seed, "value": value} for seed, value in timing.runs]
    return {"kind": "by-run", "bound": timing.cycles, "runs": known}


def _least(timing: Values[str, Any]) -> int | None:
    cycles: dict[str, int] | None = timing["cycles"]
    return None if cycles is None else cycles["bound" if "bound" in cycles else "value"]


def _runs(timing: Values[str, Any]) -> tuple[tuple[int, int], ...] | None:
    cycles = timing["cycles"]
    if cycles is None or "runs" not in cycles:
        return None
    return tuple((one["seed"], one["value"]) for one in cycles["runs"])


CODEC = Codec(
    {
        (Piece, "matrix_value"): Odd(write=lambda piece, at: piece.matrix_at(at[0].params)),
        (Piece, "modulus_value"): Odd(write=lambda piece, at: piece.modulus_at(at[0].params)),
        (Piece, "offset_value"): Odd(write=lambda piece, at: piece.offset_at(at[0].params)),
        (Certificate, "at"): Odd(
            "at", lambda certificate, _: dict(certificate.at), lambda d: tuple(d["at"].items())
        ),
        (Bound, "kind"): Odd("kind", _kind, lambda d: d["kind"].replace("live-at", "max-live")),
        (Bound, "expr"): Odd("expr", _formula, lambda d: _conditional(d)["expr"]),
        (Bound, "when"): Odd(read=lambda d: _conditional(d)["when"]),
        (Bound, "status"): Odd(read=lambda d: "counted" if d["expr"] is None else "proved"),
        (Bound, "witness"): Odd("witness", _witness, _points),
        (Bound, "proof"): Odd(read=_proof),
        (Holding, "standing"): Odd(write=lambda holding, _: holding.standing),
        (Part, "banks"): Odd(read=_banks),
        (Part, "bank_basis"): _of_banks("basis"),
        (Part, "bank_block"): _of_banks("block"),
        (Part, "storage_basis"): _of_banks("storage"),
        (Part, "boxes"): Odd(write=_boxes),
        (ClassFacts, "is_symbolic"): Odd("symbolic"),
        (ClassFacts, "is_fixed"): Odd("fixed"),
        (ClassFacts, "is_exact"): Odd(
            "relation",
            lambda orders, _: "exact" if orders.is_exact else "superset",
            lambda d: d["relation"] == "exact",
        ),
        (ClassFacts, "outside"): Odd(
            "outside",
            lambda orders, _: bool(orders.outside),
            lambda d: "the design's own schedule" if d["outside"] else "",
        ),
        (ArrayPlan, "name"): Odd(read=lambda d: d["name"]),
        (ArrayPlan, "element"): Odd("element.type"),
        (ArrayPlan, "bits"): Odd("element.bits"),
        (ArrayPlan, "declared"): Odd("declared.expr"),
        (ArrayPlan, "declared_cells"): Odd("declared.cells"),
        (ArrayPlan, "orders"): Odd("class"),
        (ArrayPlan, "hardware"): Odd("holdings.hardware"),
        (ArrayPlan, "host"): Odd("holdings.host"),
        (ArrayPlan, "source"): Odd("holdings.source"),
        (Kept, "element"): Odd("type"),
        (FoundOrder, "bits"): Odd("text.bits"),
        (FoundOrder, "cycles"): Odd("text.cycles"),
        (Timing, "cycles"): Odd("cycles", _cycles, _least),
        (Timing, "runs"): Odd(read=_runs),
        (Timing, "interval"): Odd(
            "interval",
            lambda timing, _: interval_of(timing.interval),
            lambda d: interval_value(d["interval"]),
        ),
        (Plan, "format"): Odd(write=lambda *_: FORMAT),
        (Plan, "found_order"): Odd("orders.hardware"),
        (Plan, "host_order"): Odd("orders.host"),
        (Plan, "ram"): Odd("host.ram"),
        (Plan, "text"): Odd("host.text"),
        (TextArray, "element"): Odd("element.type"),
        (TextArray, "bits"): Odd("element.bits"),
        (SourceArray, "element"): Odd("element.type"),
        (SourceArray, "bits"): Odd("element.bits"),
    },
    # Searches and notes; of the LUTs and flip-flops that a cost has, those that are registers.
    {
        StorageMapping: ("work", "unfinished", "bounds", "findings"),
        Cost: ("registers",),
        ClassFacts: ("remark",),
        Timing: ("reason",),
        ArrayPlan: ("notes",),
        Plan: ("remarks",),
    },
)


def interval_of(value: float | None) -> int | str | None:
    """
    >>> interval_of(1.0), interval_of(3.07), interval_of(None)
    (1, '307/100', None)
    """
    if value is None:
        return None
    exact = Fraction(str(value))
    return exact.numerator if exact.denominator == 1 else str(exact)


def interval_value(written: int | str | None) -> float | None:
    """The number again.

    >>> interval_value("307/100")
    3.07
    """
    if written is None:
        return None
    return float(Fraction(written))


def read_text(file: Path, remedy: str) -> str:
    """The text of plan.json; raises InputError where it cannot be read, or is too large."""
    try:
        if file.stat().st_size > MOST_BYTES:
            what = f"{file} has more than {MOST_BYTES >> 20} MiB"
            raise InputError(Problem(what, AGAIN))
        return files.read_text(file)
    except NotRegularError as error:
        raise InputError(Problem(f"{file} cannot be read: {error.strerror}", remedy)) from None
    except (OSError, UnicodeDecodeError):
        raise InputError(Problem(f"{file} cannot be read", remedy)) from None


def document_of(text: str, file: str) -> Any:
    """The value that `text` stands for; raises InputError as `hlsmem_verify.parsed` does."""
    try:
        return hlsmem_verify.parsed(text)
    except hlsmem_verify.Refused as refused:
        raise InputError(Problem(f"{file}: {refused}", refused.remedy)) from None
