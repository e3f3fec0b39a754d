"""The check `formal`: generated buffers proved by k-induction, for every pattern of stalls."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hlsmem.check.folding import read_folding
from hlsmem.check.formal.beats import BeatTable, beat_tables
from hlsmem.check.formal.control import (
    Piece,
    Task,
    port_claims,
    stream_piece,
    task_sources,
    tasks,
    walkers_of,
)
from hlsmem.check.formal.ghost import NoGhost
from hlsmem.check.formal.prove import Answer, Proof, prove
from hlsmem.check.formal.trial import run_trial
from hlsmem.check.rtl.beats import StreamBeats, element_text, traffic
from hlsmem.check.rtl.description import no_verilog
from hlsmem.check.rtl.device import Device, DeviceMemory, DeviceStream, read_device
from hlsmem.errors import InputError, LimitError, Problem
from hlsmem.plan import Plan
from hlsmem.program import Program
from hlsmem.tools.provers import Prover, find_prover
from hlsmem.verdict import Status, Verdict
from hlsmem.wording import counted

CHECK = "formal"
_DEPTH = 2
_SECONDS = 60.0
_WORKERS = 2
_MOST_BEATS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What the proofs of one generated design are made from."""

    name: str
    device: Device
    rtl: Mapping[str, str]
    tables: Mapping[str, BeatTable]
    streams: Mapping[str, StreamBeats]
    hints: Mapping[str, Any]
    document: Mapping[str, Any]


def check_formal(
    out: Path, program: Program | None, plan: Plan, document: Mapping[str, Any]
) -> tuple[Verdict, ...]:
    """The verdicts on the buffers in `out`, one an array.

    Raises ToolError where Yosys or a solver is missing, InputError where `out` lacks what it
    needs, LimitError where there are too many beats to list.
    """
    prover = find_prover()
    if program is None:
        detail = "a conflict set has no streams; the check `rtl` compares its steppers"
        return (_verdict(plan.design, Status.SKIPPED, detail, expected=True),)
    description = f"sim/{plan.design}.json"
    nothing = no_verilog(out, document, description)
    if nothing is not None:
        return (_verdict(plan.design, nothing.status, nothing.detail, expected=nothing.expected),)
    rtl = {f.name: f.read_text(encoding="utf-8") for f in sorted((out / "rtl").glob("*.v"))}
    return prove_design(
        program, read_device(out / description), rtl, read_hints(out), document, prover
    )


def prove_design(
    program: Program,
    device: Device,
    rtl: Mapping[str, str],
    hints: Mapping[str, Any],
    document: Mapping[str, Any],
    prover: Prover,
) -> tuple[Verdict, ...]:
    """The verdicts on Verilog given as texts by file name; `document` is plan.json."""
    beats = sum(stream.beats for stream in device.streams)
    if beats > _MOST_BEATS:
        what = f"a proof would list {beats} beats, more than {_MOST_BEATS}"
        remedy = "check the plan at smaller parameters: `hlsmem plan --param NAME=VALUE`"
        raise LimitError(Problem(what, remedy))
    expected = traffic(program, None)
    design = Design(
        name=device.top.removesuffix("_mem"),
        device=device,
        rtl=rtl,
        tables=beat_tables(program, expected),
        streams=expected.streams,
        hints=hints,
        document=document,
    )
    arrays = dict.fromkeys(stream.array for stream in device.streams)
    return tuple(_judge_array(design, array, prover) for array in arrays)


def read_hints(out: Path) -> Mapping[str, Any]:
    """What rtl/invariants.json says of the registers of each stream's walker."""
    file = out / "rtl" / "invariants.json"
    try:
        streams: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))["streams"]
        return streams
    except (OSError, ValueError, KeyError, TypeError):
        problem = Problem(f"{file} is missing or no such file", "run `hlsmem plan` again")
        raise InputError(problem) from None


def _judge_array(design: Design, array: str, prover: Prover) -> Verdict:
    memory = design.device.memory_of(array)
    if memory is None:
        return _verdict(array, Status.SKIPPED, "chains are not proved yet")
    if memory.banked:
        return _verdict(array, Status.SKIPPED, "addresses in banks are not proved yet")
    streams = [s for s in design.device.streams if s.array == array]
    buffer = design.rtl.get(f"{design.name}_{array}_buffer.v", "")
    modules = dict(walkers_of(buffer))
    pieces: dict[str, Piece] = {}
    reasons: list[str] = []
    for number, stream in enumerate(streams):
        if stream.beats == 0:
            continue
        try:
            pieces[stream.name] = stream_piece(
                stream,
                number,
                design.tables[stream.name],
                design.hints[stream.name],
                design.rtl[f"{modules[stream.name]}.v"],
                read_folding(array, design.document["arrays"][array]),
                memory,
            )
        except NoGhost as reason:
            reasons.append(f"{stream.name}: {reason}")
        except (KeyError, TypeError, ValueError) as error:
            what = f"{stream.name}: the Verilog and its description do not fit together ({error})"
            return _verdict(array, Status.FAIL, what)
    library = {
        name: text
        for name, text in design.rtl.items()
        if name.startswith("hlsmem_") or name.removesuffix(".v") in modules.values()
    }
    chosen = [*tasks([*pieces.values()], port_claims(memory, streams))]
    top = f"{design.name}_{array}_buffer"
    jobs = [task_sources(buffer, task, library) for task in chosen]
    one = partial(prove, prover, top=top, depth=_DEPTH, seconds=_SECONDS)
    with ThreadPoolExecutor(_WORKERS) as pool:
        proofs = [*pool.map(one, jobs)]
    for task, proof in zip(chosen, proofs, strict=True):
        if proof.answer in (Answer.REFUTED, Answer.NOT_INDUCTIVE):
            texts = (buffer, top, library)
            return _refusal(design, memory, streams, texts, task, proof)
    unfinished = sum(proof.answer is Answer.UNFINISHED for proof in proofs)
    if unfinished:
        what = f"{counted(unfinished, 'proof')} of {len(proofs)} did not finish in {_SECONDS:g} s"
        return _verdict(array, Status.SKIPPED, what)
    if reasons:
        return _verdict(array, Status.SKIPPED, f"not proved: {reasons[0]}")
    return _verdict(array, Status.PASS, _proved(memory, pieces, chosen, prover))


def _proved(
    memory: DeviceMemory, pieces: Mapping[str, Piece], chosen: Sequence[Task], prover: Prover
) -> str:
    claims = {name for task in chosen for name in task.claims}
    addresses = sum("_address" in name for name in claims)
    what = f"{addresses} addresses of {counted(len(pieces), 'stream')} are the plan's"
    if not memory.address_bits:
        what = f"{counted(len(pieces), 'stream')} move on their beats"
    notes = [note for piece in pieces.values() for note in piece.notes]
    left = f"; not proved: {', '.join(notes)}" if notes else ""
    return (
        f"{what} and no port has two accesses a cycle, under all stalls: "
        f"{counted(len(claims), 'claim')} by induction ({prover.title}){left}"
    )


def _refusal(
    design: Design,
    memory: DeviceMemory,
    streams: Sequence[DeviceStream],
    texts: tuple[str, str, Mapping[str, str]],
    task: Task,
    proof: Proof,
) -> Verdict:
    """Fail with a trace from reset, or the claim that could not be proved."""
    buffer, top, library = texts
    found = proof if proof.answer is Answer.REFUTED and not _is_hint(proof.claim) else None
    if found is None:
        claims = {name: text for name, text in task.claims.items() if not _is_hint(name)}
        cycles = 4 + 2 * sum(stream.beats + stream.idle for stream in streams)
        found = run_trial(buffer, top, library, Task(task.pieces, claims), cycles)
    if found is None:
        what = f"not proved: {proof.claim} is not inductive, and no run breaks a claim"
        return _verdict(memory.array, Status.SKIPPED, what)
    witness = _witness(design, memory, streams, found)
    return _verdict(memory.array, Status.FAIL, witness)


def _is_hint(name: str) -> bool:
    return re.match(r"g\d+_(register|state|flag|quotient|domain)", name) is not None


def _witness(
    design: Design, memory: DeviceMemory, streams: Sequence[DeviceStream], found: Proof
) -> str:
    """The cycle, the stream, the element, and what was expected and presented."""
    numbered = re.match(r"g(\d+)_(.*)", found.claim)
    if numbered is None:
        return f"cycle {found.cycle}: {_PORTS.sub(r'two accesses at once: ', found.claim)}"
    stream = streams[int(numbered[1])]
    table = design.tables[stream.name]
    loops = [one["entry"] for one in design.hints[stream.name]["loops"]]
    point = [
        _signed(found.values.get(f"g{numbered[1]}_{k}", 0), table.times[:, entry])
        for k, entry in enumerate(loops)
    ]
    beats = (table.times[:, loops] == point).all(axis=1).nonzero()[0]
    beat = int(beats[0]) if len(beats) else -1
    place = f"cycle {found.cycle}: {stream.name} {design.streams[stream.name].place_of(beat)}"
    access = re.match(r"(reads|writes)_(\d+)_(\d+)_(address|there)", numbered[2])
    if access is None:
        words = {"over": "the walk ends elsewhere", "last": "tlast is wrong"}
        words["fires_on_a_beat"] = "it moves after its last beat"
        return f"{place}: {words.get(numbered[2], numbered[2])}"
    operand, copy = int(access[2]), int(access[3])
    element = element_text(memory.array, tuple(table.elements[operand][beat].tolist()))
    if access[4] == "there":
        verb = "read" if access[1] == "reads" else "written"
        return f"{place}: {element} is not {verb} in copy {copy}"
    kind = "w" if access[1] == "writes" else "r"
    wanted = found.values.get(f"g{numbered[1]}_{access[1]}_{operand}_{copy}_cell")
    presented = found.values.get(f"{memory.array}_{copy}_{kind}_addr")
    return f"{place}: {element} is in cell {wanted} by the plan, cell {presented} is addressed"


_PORTS = re.compile(r"^(one_(write|read)_(\d+_)?|port_)")


def _signed(value: int, column: Any) -> int:
    """A ghost register's bits as the number they stand for."""
    from hlsmem.check.formal.forms import bits_of

    bits = bits_of(column)
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def _verdict(subject: str, status: Status, detail: str, *, expected: bool = False) -> Verdict:
    return Verdict(check=CHECK, subject=subject, status=status, detail=detail, expected=expected)
