"""plan.json: nothing else reads or writes that file.

Equal input gives equal bytes: no times, no paths, no seconds in here, and no prose: what is said
of a plan stands in notes.json beside it (`hlsmem.planfile.notes`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping as Values
from contextlib import suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from hlsmem.devices.primitives import Cost
from hlsmem.errors import InputError, Problem
from hlsmem.lifetime.problem import Alive, Apart, Bound, ClassFacts
from hlsmem.mapping.model import Certificate, Mapping, Piece
from hlsmem.orders.cuts import Cuts
from hlsmem.planfile.bounded import document_of, read_text
from hlsmem.planfile.folder import refuse_strange
from hlsmem.planfile.intervals import interval_of, interval_value
from hlsmem.planfile.model import (
    ArrayPlan,
    BankBoxes,
    BankPlace,
    ConflictText,
    Elastic,
    FoundOrder,
    HardwareHolding,
    Holding,
    HostCells,
    HostHolding,
    HostOrder,
    HostRam,
    Kept,
    Lane,
    Memory,
    Outside,
    Part,
    Plan,
    Primitive,
    Stream,
    Target,
    Timing,
)
from hlsmem.planfile.notes import ArrayNote, BoundNote, Notes, no_notes, notes_of
from hlsmem.planfile.program import AccessText, FilterText, ProgramText, StatementText
from hlsmem.planfile.shape import misfits
from hlsmem.quantity import parse_quantity
from hlsmem.version import TOOL

FORMAT = "hlsmem-plan/4"
# Elements written up to which a reader can look at each moment of a run.
_MOST_SWEPT = 1 << 18
_MOST_PROBLEMS = 20


def to_json(plan: Plan) -> str:
    """The text of plan.json."""
    return json.dumps(_plan_document(plan), indent=1, ensure_ascii=False) + "\n"


def from_json(text: str, file: str = "plan.json", notes: str | None = None) -> Plan:
    """The plan in `text`; raises InputError for another format, a missing key or what is beyond
    the limits of `document_of`.

    `notes` are those of notes.json: without them reasons and remarks are empty. Symbolic and
    numeric values are both kept as they stand: whether they agree is for `check` to judge, not
    for the reader.
    """
    return _of_document(document_of(text, file), file, notes)


def from_anybody(text: str, file: str, notes: str | None = None) -> Plan:
    """The same of a file that anybody may have written: what verbs read.

    Raises InputError also for all that has not the shape of a plan, down to the leaves.
    """
    document = document_of(text, file)
    if isinstance(document, dict) and document.get("format") == FORMAT:
        found = list(islice(misfits(document), _MOST_PROBLEMS))
        if found:
            what = [f"{file}: {one}{_of_another_version(document)}" for one in found]
            raise InputError(*(Problem(one, "run `hlsmem plan` again") for one in what))
    return _of_document(document, file, notes)


def _of_document(document: Any, file: str, notes: str | None) -> Plan:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        found = document.get("format") if isinstance(document, dict) else None
        raise InputError(
            Problem(
                f"{file}: the format is {found!r}, this tool reads {FORMAT!r}",
                "run `hlsmem plan` again",
            )
        )
    try:
        return _read_plan(document, no_notes() if notes is None else notes_of(notes))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"{file}: {_objection(error)}{_of_another_version(document)}"
        raise InputError(Problem(what, "run `hlsmem plan` again")) from None


def _objection(error: Exception) -> str:
    """What a reader that met this error has to say of the plan."""
    if isinstance(error, KeyError):
        return f"there is no {error.args[0]!r} where a plan has one"
    missing = re.search(r"missing \d+ required .*: (.+)$", str(error))
    if missing:
        return f"there is no {missing[1]} where a plan has one"
    return f"something is not as in a plan ({error})"


def _of_another_version(document: Values[str, Any]) -> str:
    """A format stays while keys are added to it, so plans of other versions may lack some."""
    made_by = str(document.get("tool"))
    is_other = made_by != TOOL and re.fullmatch(r"hlsmem [\w.+]{1,40}", made_by)
    return f"; {made_by} made it, this is {TOOL}" if is_other else ""


def read_plan(out: Path) -> Plan:
    """The plan of a folder OUT; raises InputError where it has none that can be read."""
    refuse_strange(out)
    file = out / "plan.json"
    plan = read_plan_file(file, f"run `hlsmem plan DESIGN -o {out}` first", out / "notes.json")
    main_file(out, plan)
    return plan


def main_file(out: Path, plan: Plan) -> Path:
    """The file in OUT/design that names the design of a plan.

    Raises InputError where there is none, or `inputs` names files elsewhere.
    """
    problems = [] if plan.inputs else ["inputs names no files"]
    for name in plan.inputs:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts or not name.isprintable():
            problems.append(f"inputs names {name!r}, which is no file below design/")
    if problems:
        file, remedy = out / "plan.json", "run `hlsmem plan` again"
        raise InputError(*(Problem(f"{file}: {what}", remedy) for what in problems))
    return out / "design" / next(iter(plan.inputs))


def read_plan_file(file: Path, remedy: str = "check the name", notes: Path | None = None) -> Plan:
    """The plan in a plan.json; raises InputError where it cannot be read.

    Where `notes` cannot be read, the plan is the same without them.
    """
    text = read_text(file, remedy)
    told = None
    if notes is not None:
        with suppress(InputError):
            told = read_text(notes, "")
    return from_anybody(text, str(file), told)


def _plan_document(plan: Plan) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "tool": plan.tool,
        "design": plan.design,
        "inputs": dict(plan.inputs),
        "overrides": list(plan.overrides),
        "params": dict(plan.params),
        "context": plan.context,
        "target": _target_document(plan.target),
        "program": None if plan.program is None else _program_document(plan.program),
        "orders": {
            "hardware": _found_document(plan.found_order),
            "host": None if plan.host_order is None else _order_document(plan.host_order),
        },
        "arrays": {
            name: _array_document(array, plan.params, is_swept=_writes(plan, name) <= _MOST_SWEPT)
            for name, array in plan.arrays.items()
        },
        "datapath": [
            {"name": one.name, "type": one.element, "statements": list(one.statements)}
            for one in plan.datapath
        ],
        "outside": {name: asdict(one) for name, one in plan.outside.items()},
        "host": None if plan.ram is None else {"ram": _ram_document(plan.ram)},
        "memories": {name: _memory_document(memory) for name, memory in plan.memories.items()},
        "streams": [
            {
                "name": stream.name,
                "array": stream.array,
                "statement": stream.statement,
                "beats": stream.beats,
                "operands": [asdict(lane) | {"bits": list(lane.bits)} for lane in stream.operands],
            }
            for stream in plan.streams
        ],
        "elastic": [asdict(one) | {"latency": dict(one.latency)} for one in plan.elastic],
        "paths": None if plan.paths is None else [list(ports) for ports in plan.paths],
        "timing": _timing_document(plan.timing),
    }


def _ram_document(ram: HostRam) -> dict[str, Any]:
    return {name: value for name, value in asdict(ram).items() if (name, value) != ("check", None)}


def _found_document(order: FoundOrder | None) -> dict[str, Any] | None:
    if order is None:
        return None
    return {"what": order.what, "text": {"bits": order.bits, "cycles": order.cycles}}


def _program_document(program: ProgramText) -> dict[str, Any]:
    return {
        "order": program.order,
        "time": program.time,
        "step": program.step,
        "lanes": list(program.lanes),
        "strict": program.strict,
        "slack": program.slack,
        **({} if program.capacity == "schedule" else {"capacity": program.capacity}),
        **({} if program.control == "predicate" else {"control": program.control}),
        "live_in": dict(program.live_in),
        "live_out": dict(program.live_out),
        "statements": {
            name: {
                "process": one.process,
                "role": one.role,
                "domain": one.domain,
                "schedule": one.schedule,
                "accesses": [
                    {
                        "array": access.array,
                        "kind": access.kind,
                        "map": access.map,
                        "operand": access.operand,
                    }
                    for access in one.accesses
                ],
                **_filters(one),
                **({} if one.latency == 1 else {"latency": one.latency}),
            }
            for name, one in program.statements.items()
        },
    }


def _filters(statement: StatementText) -> dict[str, Any]:
    if not statement.filters:
        return {}
    return {"filters": [{"entries": one.entries, "value": one.value} for one in statement.filters]}


def _read_program(document: dict[str, Any] | None) -> ProgramText | None:
    if document is None:
        return None
    return ProgramText(
        order=document["order"],
        time=document["time"],
        step=document["step"],
        lanes=tuple(document["lanes"]),
        strict=bool(document["strict"]),
        slack=int(document["slack"]),
        capacity=document.get("capacity", "schedule"),
        control=document.get("control", "predicate"),
        live_in=dict(document["live_in"]),
        live_out=dict(document["live_out"]),
        statements={
            name: StatementText(
                process=one["process"],
                role=one["role"],
                domain=one["domain"],
                schedule=one["schedule"],
                accesses=tuple(AccessText(**access) for access in one["accesses"]),
                filters=tuple(FilterText(**given) for given in one.get("filters", ())),
                latency=one.get("latency", 1),
            )
            for name, one in document["statements"].items()
        },
    )


def _timing_document(timing: Timing | None) -> dict[str, Any] | None:
    if timing is None:
        return None
    return {
        "cycles": None if timing.cycles is None else _cycles_document(timing.cycles, timing.runs),
        "interval": interval_of(timing.interval),
        "asked": timing.asked,
        "output_register": timing.output_register,
    }


def _cycles_document(cycles: int, runs: tuple[tuple[int, int], ...] | None) -> dict[str, Any]:
    if runs is None:
        return {"kind": "exact", "value": cycles}
    known = [{"seed": seed, "value": value} for seed, value in runs]
    return {"kind": "by-run", "bound": cycles, "runs": known}


def _target_document(target: Target | None) -> dict[str, Any] | None:
    if target is None:
        return None
    return {"device": target.device, "block_rams": target.block_rams}


def _memory_document(memory: Memory) -> dict[str, Any]:
    return {
        "bits": memory.bits,
        "words": memory.words,
        "banks": memory.banks,
        "copies": memory.copies,
        "kind": memory.kind,
        "style": memory.style,
        "primitive": _primitive_document(memory.primitive),
        "resources": _resources_document(memory.resources),
    }


def _primitive_document(primitive: Primitive | None) -> dict[str, Any] | None:
    return None if primitive is None else {"name": primitive.name, "count": primitive.count}


def _resources_document(cost: Cost | None) -> dict[str, int] | None:
    if cost is None:
        return None
    return {
        "blocks": cost.blocks,
        "large": cost.large,
        "luts": cost.luts,
        "lut_ram": cost.lut_ram,
        "flip_flops": cost.flip_flops,
    }


def _part_document(part: Part, params: Values[str, int], known: int) -> dict[str, Any]:
    return {
        "memory": part.memory,
        "operands": [list(operand) for operand in part.operands],
        "takes": part.takes,
        "mapping": None if part.mapping is None else _mapping_document(part.mapping, params),
        "lattice": None if part.lattice is None else _bound_document(part.lattice, known=known),
        "base": part.base,
        **_banks_document(part.banks),
        "taps": None if part.taps is None else list(part.taps),
        "taps_expr": None if part.taps_expr is None else list(part.taps_expr),
    }


def _writes(plan: Plan, array: str) -> int:
    """How many elements of an array come in by streams."""
    own = (one for one in plan.streams if one.array == array and one.name.startswith("s_"))
    return sum(stream.beats * len(stream.operands) for stream in own)


def _array_document(
    array: ArrayPlan, params: Values[str, int], *, is_swept: bool
) -> dict[str, Any]:
    declared = None
    if array.declared is not None:
        declared = {"cells": array.declared_cells, "expr": str(array.declared)}
    return {
        "element": {"type": array.element, "bits": array.bits},
        "index": list(array.index),
        "extents": None if array.extents is None else [str(one) for one in array.extents],
        "declared": declared,
        "conflicts": _conflicts_document(array.conflicts),
        **({"state": True} if array.state else {}),
        **({} if array.orders is None else {"class": _class_document(array.orders)}),
        "holdings": {
            "hardware": {
                "parts": [
                    _part_document(part, params, _known(array.hardware))
                    for part in array.hardware.parts
                ],
                **_holding_document(array.hardware, is_swept=is_swept),
            },
            "host": None
            if array.host is None
            else {
                "parts": [_cells_document(array.host.cells, params, _known(array.host))],
                **_holding_document(array.host, is_swept=is_swept),
            },
        },
    }


def _known(holding: Holding) -> int:
    """Words that nothing undercuts."""
    return 1 if holding.bound is None else holding.bound.cells


def _holding_document(holding: Holding, *, is_swept: bool) -> dict[str, Any]:
    bound = holding.bound
    return {
        "words": holding.words,
        "bits": holding.bits,
        "bound": None if bound is None else _bound_document(bound, is_swept=is_swept),
        "standing": holding.standing,
        "certificate": _certificate_document(holding.certificate),
    }


def _order_document(order: HostOrder) -> dict[str, Any]:
    cuts = {name: asdict(one) for name, one in order.cuts.items()}
    return {
        "steps": order.steps,
        "times": dict(order.times),
        **({"cuts": cuts} if cuts else {}),
        **({"machine": dict(order.machine)} if order.machine else {}),
    }


def _read_order(document: dict[str, Any]) -> HostOrder:
    return HostOrder(
        times=dict(document["times"]),
        steps=document["steps"],
        cuts={name: Cuts(**one) for name, one in document.get("cuts", {}).items()},
        machine=dict(document.get("machine", {})),
    )


def _cells_document(cells: HostCells, params: Values[str, int], known: int) -> dict[str, Any]:
    return {
        "mapping": _mapping_document(cells.mapping, params),
        "lattice": None if cells.lattice is None else _bound_document(cells.lattice, known=known),
        "cell_bytes": cells.cell_bytes,
        "at": cells.at,
        "shape": cells.shape,
    }


def _conflicts_document(conflicts: ConflictText | None) -> dict[str, Any] | None:
    if conflicts is None:
        return None
    return {
        "differences": conflicts.differences,
        "pairs": conflicts.pairs,
        "elements": conflicts.elements,
    }


def _bound_document(bound: Bound, *, is_swept: bool = True, known: int = 1) -> dict[str, Any]:
    """A bound, where another one is `known` to be as much.

    Of a long run a reader proves how many are alive, and not that no more ever are.
    """
    return {
        "kind": bound.kind if is_swept or bound.kind != "max-live" else "live-at",
        "cells": bound.cells,
        "expr": _proved_formula(bound),
        "witness": _witness_document(bound, known),
    }


def _proved_formula(bound: Bound) -> str | list[dict[str, str]] | None:
    """The formula of a bound, where a witness proves it; with the condition that is for it."""
    is_proved = isinstance(bound.proof, Alive) and bound.status.startswith("proved")
    if bound.expr is None or not is_proved:
        return None
    if bound.when is None:
        return bound.expr
    return [{"when": bound.when, "expr": bound.expr}]


def _witness_document(bound: Bound, known: int) -> dict[str, Any] | None:
    """What a reader needs to prove a bound again."""
    if bound.witness:
        return {"points": [list(element) for element in bound.witness]}
    match bound.proof:
        case Alive(moment=moment):
            return {"moment": moment}
        case Apart(elements=elements):
            return {"elements": elements}
    if bound.kind == "exhaustive":  # lattices below another bound need no look
        return {"from": min(known, bound.cells)}
    return None


def _read_bound(document: dict[str, Any] | None, told: BoundNote) -> Bound | None:
    if document is None:
        return None
    expr, when = document["expr"], None
    if isinstance(expr, list):
        ((when, expr),) = ((one["when"], one["expr"]) for one in expr)
    return Bound(
        kind="max-live" if document["kind"] == "live-at" else document["kind"],
        cells=document["cells"],
        expr=told.expr if expr is None else expr,
        status=told.status or ("counted" if expr is None else "proved"),
        when=when,
        **_read_witness(document["witness"]),
    )


def _read_witness(witness: dict[str, Any] | None) -> dict[str, Any]:
    match witness:
        case {"points": points}:
            return {"witness": tuple(tuple(element) for element in points)}
        case {"moment": moment}:
            return {"proof": Alive(moment=moment)}
        case {"elements": elements}:
            return {"proof": Apart(elements=elements)}
    return {}


def _class_document(orders: ClassFacts) -> dict[str, Any]:
    return {
        "schedules": orders.schedules,
        "bands": [
            {"kind": kind, "rows": list(rows), "maps": dict(maps)}
            for (kind, rows), maps in zip(orders.bands, orders.maps, strict=True)
        ],
        "before": None if orders.before is None else list(orders.before),
        "symbolic": orders.is_symbolic,
        "relation": "exact" if orders.is_exact else "superset",
        "fixed": orders.is_fixed,
        "outside": bool(orders.outside),
    }


def _read_class(document: dict[str, Any] | None, notes: Notes, name: str) -> ClassFacts | None:
    if document is None:
        return None
    told = notes.array(name).text("outside") or "the design's own schedule"
    return ClassFacts(
        schedules=document["schedules"],
        bands=tuple((band["kind"], tuple(band["rows"])) for band in document["bands"]),
        maps=tuple(dict(band["maps"]) for band in document["bands"]),
        before=None if document["before"] is None else tuple(document["before"]),
        is_symbolic=document["symbolic"],
        is_exact=document["relation"] == "exact",
        is_fixed=document["fixed"],
        remark=notes.array(name).text("relation"),
        outside=told if document["outside"] else "",
    )


def _mapping_document(mapping: Mapping, params: Values[str, int]) -> dict[str, Any]:
    certificate = mapping.certificate
    return {
        "method": mapping.method,
        "cells": mapping.cells,
        "certificate": _certificate_document(certificate),
        "pieces": [
            {
                "domain": piece.domain,
                "matrix": [[str(entry) for entry in row] for row in piece.matrix],
                "matrix_value": [list(row) for row in piece.matrix_at(params)],
                "modulus": [str(entry) for entry in piece.modulus],
                "modulus_value": list(piece.modulus_at(params)),
                "offset": [str(entry) for entry in piece.offset],
                "offset_value": list(piece.offset_at(params)),
            }
            for piece in mapping.pieces
        ],
    }


def _certificate_document(certificate: Certificate) -> dict[str, Any]:
    document: dict[str, Any] = {
        "scope": certificate.scope,
        "by": certificate.by,
        "at": dict(certificate.at),
    }
    if certificate.kernel:
        document["kernel"] = [[str(entry) for entry in row] for row in certificate.kernel]
    return document


def _banks_document(banks: BankPlace | None) -> dict[str, Any]:
    if banks is None:
        return dict.fromkeys(("bank_basis", "bank_block", "storage_basis", "boxes"))
    boxes = banks.boxes
    return {
        "bank_basis": _rows(banks.basis),
        "bank_block": banks.block,
        "storage_basis": _rows(banks.storage),
        "boxes": None if boxes is None else {k: list(v) for k, v in asdict(boxes).items()},
    }


def _rows(basis: tuple[tuple[int, ...], ...] | None) -> list[list[int]] | None:
    return None if basis is None else [list(row) for row in basis]


def _read_plan(document: dict[str, Any], notes: Notes) -> Plan:
    orders = document["orders"]
    return Plan(
        tool=document["tool"],
        design=document["design"],
        inputs=dict(document["inputs"]),
        overrides=tuple(document["overrides"]),
        params={name: int(value) for name, value in document["params"].items()},
        context=document["context"],
        program=_read_program(document["program"]),
        memories={name: _read_memory(memory) for name, memory in document["memories"].items()},
        arrays={
            name: _read_array(name, array, notes) for name, array in document["arrays"].items()
        },
        datapath=tuple(
            Kept(name=one["name"], element=one["type"], statements=tuple(one["statements"]))
            for one in document["datapath"]
        ),
        outside={name: Outside(**one) for name, one in document["outside"].items()},
        ram=HostRam(**document["host"]["ram"]) if document["host"] else None,
        streams=tuple(_read_stream(stream) for stream in document["streams"]),
        elastic=tuple(Elastic(**one) for one in document["elastic"]),
        paths=_read_paths(document["paths"]),
        remarks=notes.remarks,
        found_order=_read_found(orders["hardware"]),
        host_order=_read_order(orders["host"]) if orders["host"] else None,
        timing=_read_timing(document["timing"], notes),
        target=Target(**document["target"]) if document["target"] else None,
    )


def _read_found(document: dict[str, Any] | None) -> FoundOrder | None:
    return None if document is None else FoundOrder(what=document["what"], **document["text"])


def _read_paths(document: list[list[str]] | None) -> tuple[tuple[str, str], ...] | None:
    return None if document is None else tuple((source, target) for source, target in document)


def _read_stream(document: dict[str, Any]) -> Stream:
    operands = (Lane(**one | {"bits": tuple(one["bits"])}) for one in document["operands"])
    return Stream(**document | {"operands": tuple(operands)})


def _read_timing(document: dict[str, Any] | None, notes: Notes) -> Timing | None:
    if not document:
        return None
    cycles, runs = document["cycles"], None
    if cycles is not None and cycles["kind"] == "by-run":
        runs = tuple((one["seed"], one["value"]) for one in cycles["runs"])
        cycles = {"value": cycles["bound"]}
    read = {
        "cycles": None if cycles is None else cycles["value"],
        "runs": runs,
        "interval": interval_value(document["interval"]),
    }
    return Timing(**document | read, reason=notes.timing or None)


def _read_memory(document: dict[str, Any]) -> Memory:
    primitive, resources = document["primitive"], document["resources"]
    return Memory(
        **document
        | {
            "primitive": Primitive(**primitive) if primitive else None,
            "resources": Cost(**resources) if resources else None,
        }
    )


def _read_array(name: str, document: dict[str, Any], notes: Notes) -> ArrayPlan:
    declared, extents = document["declared"], document["extents"]
    hardware, host = document["holdings"]["hardware"], document["holdings"]["host"]
    told = notes.array(name)
    return ArrayPlan(
        name=name,
        element=document["element"]["type"],
        bits=document["element"]["bits"],
        index=tuple(document["index"]),
        declared=parse_quantity(declared["expr"]) if declared else None,
        declared_cells=declared["cells"] if declared else None,
        extents=None if extents is None else tuple(parse_quantity(one) for one in extents),
        conflicts=ConflictText(**document["conflicts"]) if document["conflicts"] else None,
        state=document.get("state", False),
        orders=_read_class(document.get("class"), notes, name),
        hardware=HardwareHolding(
            parts=tuple(
                _read_part(part, told.bound("hardware", "parts", k))
                for k, part in enumerate(hardware["parts"])
            ),
            **_read_holding(hardware, told.bound("hardware")),
        ),
        host=None if host is None else _read_host(host, told),
        notes=told.read(),
    )


def _read_holding(document: dict[str, Any], told: BoundNote) -> dict[str, Any]:
    return {
        "words": document["words"],
        "bits": document["bits"],
        "bound": _read_bound(document["bound"], told),
        "certificate": _read_certificate(document["certificate"]),
    }


def _read_host(document: dict[str, Any], told: ArrayNote) -> HostHolding:
    (part,) = document["parts"]
    cells = HostCells(
        mapping=_read_mapping(part["mapping"]),
        lattice=_read_bound(part["lattice"], told.bound("host", "parts", 0)),
        cell_bytes=part["cell_bytes"],
        at=part["at"],
        shape=part["shape"],
    )
    return HostHolding(cells=cells, **_read_holding(document, told.bound("host")))


def _read_part(document: dict[str, Any], told: BoundNote) -> Part:
    mapping, taps, expr = document["mapping"], document["taps"], document["taps_expr"]
    return Part(
        memory=document["memory"],
        operands=tuple((stream, int(k)) for stream, k in document["operands"]),
        takes=document["takes"],
        mapping=None if mapping is None else _read_mapping(mapping),
        lattice=_read_bound(document["lattice"], told),
        base=document["base"],
        banks=_read_banks(document),
        taps=None if taps is None else tuple(taps),
        taps_expr=None if expr is None else tuple(expr),
    )


def _read_banks(place: dict[str, Any]) -> BankPlace | None:
    basis = _read_rows(place["bank_basis"])
    if basis is None:
        return None
    boxes = place["boxes"]
    return BankPlace(
        basis=basis,
        block=place["bank_block"],
        storage=_read_rows(place["storage_basis"]),
        boxes=BankBoxes(**{k: tuple(v) for k, v in boxes.items()}) if boxes else None,
    )


def _read_rows(rows: list[list[int]] | None) -> tuple[tuple[int, ...], ...] | None:
    return None if rows is None else tuple(tuple(row) for row in rows)


def _read_mapping(document: dict[str, Any]) -> Mapping:
    return Mapping(
        method=document["method"],
        cells=document["cells"],
        certificate=_read_certificate(document["certificate"]),
        pieces=tuple(
            Piece(
                domain=piece["domain"],
                matrix=tuple(tuple(parse_quantity(e) for e in row) for row in piece["matrix"]),
                modulus=tuple(parse_quantity(entry) for entry in piece["modulus"]),
                offset=tuple(parse_quantity(entry) for entry in piece["offset"]),
            )
            for piece in document["pieces"]
        ),
    )


def _read_certificate(document: dict[str, Any]) -> Certificate:
    return Certificate(
        scope=document["scope"],
        by=document["by"],
        at=tuple(document["at"].items()),
        kernel=tuple(
            tuple(parse_quantity(entry) for entry in row) for row in document.get("kernel", [])
        ),
    )
