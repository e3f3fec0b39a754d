"""The check `formal`: generated buffers proved by k-induction, for every pattern of stalls."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hlsmem.check.banked import read_banked
from hlsmem.check.folding import read_folding
from hlsmem.check.formal.beats import BeatTable, beat_tables
from hlsmem.check.formal.chain import chain_task, own_coordinates
from hlsmem.check.formal.control import (
    Piece,
    Task,
    port_claims,
    stream_piece,
    task_sources,
    tasks,
    visited,
    walkers_of,
)
from hlsmem.check.formal.fifo import fifo_fault, fifo_task, has_fifo
from hlsmem.check.formal.forms import Form
from hlsmem.check.formal.ghost import NoGhost
from hlsmem.check.formal.lanes import word_claims
from hlsmem.check.formal.library import library_sources, uses
from hlsmem.check.formal.order import Bound
from hlsmem.check.formal.ordering import Ordering, ordering_of
from hlsmem.check.formal.prove import Answer, Proof, prove
from hlsmem.check.formal.stalls import first_early, moves_of
from hlsmem.check.formal.trial import run_trial
from hlsmem.check.rtl.beats import StreamBeats, element_text, traffic
from hlsmem.check.rtl.description import no_verilog
from hlsmem.check.rtl.device import WRITE, Device, DeviceStream, read_device
from hlsmem.errors import InputError, LimitError, Problem
from hlsmem.plan import Plan
from hlsmem.program import Program
from hlsmem.tools.provers import Prover, find_prover
from hlsmem.verdict import Status, Verdict
from hlsmem.wording import counted

CHECK = "formal"
_DEPTH = 1
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
    design = design_of(program, device, rtl, hints, document)
    arrays = dict.fromkeys(stream.array for stream in device.streams)
    return tuple(_judge_array(design, array, prover) for array in arrays)


def design_of(
    program: Program,
    device: Device,
    rtl: Mapping[str, str],
    hints: Mapping[str, Any],
    document: Mapping[str, Any],
) -> Design:
    """All that the proofs are made from, with the beats of every stream listed."""
    expected = traffic(program, None)
    return Design(
        name=device.top.removesuffix("_mem"),
        device=device,
        rtl=rtl,
        tables=beat_tables(program, expected),
        streams=expected.streams,
        hints=hints,
        document=document,
    )


def read_hints(out: Path) -> Mapping[str, Any]:
    """What rtl/invariants.json says of the registers of each stream's walker."""
    file = out / "rtl" / "invariants.json"
    try:
        streams: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))["streams"]
        return streams
    except (OSError, ValueError, KeyError, TypeError):
        problem = Problem(f"{file} is missing or no such file", "run `hlsmem plan` again")
        raise InputError(problem) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """The proofs of a buffer's own module, and what of it is not understood.

    Of the operands in `unshown` nothing is claimed: they come by wires beside the memory.
    """

    buffer: str
    top: str
    library: Mapping[str, str]
    streams: tuple[DeviceStream, ...]
    tasks: tuple[Task, ...]
    reasons: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()
    ordering: Ordering | None = None


def _judge_array(design: Design, array: str, prover: Prover) -> Verdict:
    try:
        trouble = _fifo_fault(design, array)
        if trouble is not None:
            return _verdict(array, Status.FAIL, trouble)
        control = control_of(design, array)
    except NoGhost as reason:
        return _verdict(array, Status.SKIPPED, f"not proved: {reason}")
    except (KeyError, TypeError, ValueError) as error:
        what = f"the Verilog and its description do not fit together ({error!r})"
        return _verdict(array, Status.FAIL, what)
    disorder = _disorder(design, array, control)
    if disorder is not None:
        return disorder
    jobs = [
        (task_sources(control.buffer, task, control.library), control.top) for task in control.tasks
    ]
    parts = [*uses(control.buffer)]
    jobs += [library_sources(use, control.library) for use in parts]

    def proof_of(job: tuple[Mapping[str, str], str]) -> Proof:
        return prove(prover, job[0], job[1], depth=_DEPTH, seconds=_SECONDS)

    with ThreadPoolExecutor(_WORKERS) as pool:
        proofs = [*pool.map(proof_of, jobs)]
    for task, proof in zip(control.tasks, proofs, strict=False):
        if proof.answer in (Answer.REFUTED, Answer.NOT_INDUCTIVE):
            return _refusal(design, array, control, task, proof)
    for use, proof in zip(parts, proofs[len(control.tasks) :], strict=True):
        if proof.answer in (Answer.REFUTED, Answer.NOT_INDUCTIVE):
            what = f"not proved: {use.text()} does not keep its data ({proof.claim})"
            return _verdict(array, Status.SKIPPED, what)
    unfinished = sum(proof.answer is Answer.UNFINISHED for proof in proofs)
    if unfinished:
        what = f"{counted(unfinished, 'proof')} of {len(proofs)} did not finish in {_SECONDS:g} s"
        return _verdict(array, Status.SKIPPED, what)
    if control.reasons:
        return _verdict(array, Status.SKIPPED, f"not proved: {control.reasons[0]}")
    return _verdict(array, Status.PASS, _proved(design, array, control, len(jobs), prover))


def jobs_of(control: Control) -> list[tuple[Mapping[str, str], str]]:
    """(sources, top) of every proof: of the buffer, then of the library modules it uses."""
    own = (task_sources(control.buffer, task, control.library) for task in control.tasks)
    parts = (library_sources(use, control.library) for use in uses(control.buffer))
    return [*((sources, control.top) for sources in own), *parts]


def control_of(design: Design, array: str) -> Control:
    """Raises NoGhost where a chain is not understood; of a memory, the streams that are not."""
    streams = [s for s in design.device.streams if s.array == array]
    memory = design.device.memory_of(array)
    top = f"{design.name}_{array}_buffer"
    buffer = design.rtl[f"{top}.v"]
    modules = dict(walkers_of(buffer))
    reasons: list[str] = []
    unshown: list[str] = []
    ordering: Ordering | None = None
    if memory is None:
        chosen = [_chain(design, array, streams, buffer, modules)]
    else:
        pieces: dict[str, Piece] = {}
        for number, stream in enumerate(streams):
            if stream.beats == 0:
                continue
            try:
                table, banks = design.tables[stream.name], list[Form]()
                piece = stream_piece(
                    stream,
                    number,
                    table,
                    design.hints[stream.name],
                    design.rtl[f"{modules[stream.name]}.v"],
                    read_folding(array, design.document["arrays"][array]),
                    read_banked(array, design.document["arrays"][array]),
                    memory,
                    banks,
                )
                table = visited(table, design.hints[stream.name])
                wired = word_claims(piece, stream, table, memory, banks, buffer)
                unshown += [f"operand {operand} of {stream.name}" for operand in wired]
                pieces[stream.name] = piece
            except NoGhost as reason:
                reasons.append(f"{stream.name}: {reason}")
        reasons += [note for piece in pieces.values() for note in piece.notes]
        ordering = ordering_of(
            array, streams, design.tables, design.hints, design.document, buffer, pieces
        )
        chosen = [*tasks([*pieces.values()], port_claims(memory, streams)), *ordering.tasks]
    return Control(
        buffer=buffer,
        top=top,
        library={
            name: text
            for name, text in design.rtl.items()
            if name.startswith("hlsmem_") or name.removesuffix(".v") in modules.values()
        },
        streams=tuple(streams),
        tasks=tuple(chosen),
        reasons=tuple(reasons),
        unshown=tuple(unshown),
        ordering=ordering,
    )


def _fifo_fault(design: Design, array: str) -> str | None:
    """What is wrong with a FIFO before anything is proved; None for what is none."""
    buffer = design.rtl[f"{design.name}_{array}_buffer.v"]
    if not has_fifo(buffer):
        return None
    tables = [design.tables[s.name] for s in design.device.streams if s.array == array]
    read, written = sorted(tables, key=lambda table: table.is_write)
    return fifo_fault(buffer, read, written)


def _chain(
    design: Design,
    array: str,
    streams: Sequence[DeviceStream],
    buffer: str,
    modules: Mapping[str, str],
) -> Task:
    (writer,) = (stream for stream in streams if stream.direction == WRITE)
    readers = [stream for stream in streams if stream is not writer]
    if has_fifo(buffer):
        bits = design.document["arrays"][array]["element"]["bits"]
        return fifo_task(writer, readers[0], design.tables[writer.name], buffer, bits)
    return chain_task(
        writer,
        readers,
        design.tables,
        design.hints[writer.name],
        buffer,
        design.rtl[f"{modules[writer.name]}.v"],
        design.document["arrays"][array]["element"]["bits"],
    )


def _proved(design: Design, array: str, control: Control, proofs: int, prover: Prover) -> str:
    claims = {name for task in control.tasks for name in task.claims}
    memory = design.device.memory_of(array)
    addresses = sum("_address" in name for name in claims)
    streams = counted(len(control.streams), "stream")
    what = f"{streams} move on their beats, no port has two accesses a cycle"
    if memory is None:
        lanes = sum("_lane_" in name for name in claims)
        what = f"{counted(lanes, 'operand')} come out as they went in"
        what = what if lanes else "all beats come out as they went in, and in their order"
    elif memory.address_bits:
        what = (
            f"{addresses} addresses of {streams} are the plan's, no port has two accesses a cycle"
        )
    if memory is not None:
        words = {name for name in claims if re.search("_(word|data|asked)_", name)}
        if words:
            what += ", each word is that of its RAM"
        if control.unshown:
            what += f" (not shown here, as wires bring it: {', '.join(control.unshown)})"
        what += ", each beat goes after what it needs and waits for nothing later"
    return (
        f"{what}, under all stalls: {counted(len(claims), 'claim')} in "
        f"{counted(proofs, 'proof')} by induction ({prover.title})"
    )


def _refusal(design: Design, array: str, control: Control, task: Task, proof: Proof) -> Verdict:
    """Fail with a trace from reset, or the claim that could not be proved."""
    if _doubt(control.streams, proof.claim):
        early = _early_witness(design, array, control)
        if early is not None:
            return early
    found = proof if proof.answer is Answer.REFUTED and not _is_hint(proof.claim) else None
    if found is None:
        claims = {
            name: text
            for name, text in task.claims.items()
            if not _is_hint(name) and not re.match(r"g\d+_(counter|after|opens)", name)
        }
        cycles = 8 + 4 * sum(stream.beats + stream.idle for stream in control.streams)
        buffer, top, library = control.buffer, control.top, control.library
        stubs = design.device.memory_of(array) is not None
        task = replace(task, claims=claims)
        found = run_trial(buffer, top, library, task, cycles, stubs=stubs)
    if found is None:
        claim = _doubt(control.streams, proof.claim) or f"{proof.claim} is not inductive"
        what = f"not proved: {claim}, and no run breaks a claim"
        if control.reasons:
            what = f"not proved: {control.reasons[0]}"
        return _verdict(array, Status.SKIPPED, what)
    return _verdict(array, Status.FAIL, _witness(design, array, control.streams, found))


def _disorder(design: Design, array: str, control: Control) -> Verdict | None:
    """The verdict where what gates promise is not what beats need."""
    ordering = control.ordering
    if ordering is None or control.reasons or not (ordering.early or ordering.late):
        return None
    witness = _early_witness(design, array, control)
    if witness is not None:
        return witness
    if ordering.early is not None:
        what = f"nothing keeps {_pair_text(design, *ordering.early, verb='from going before')}"
    elif ordering.late is not None:
        what = f"a gate makes {_pair_text(design, *ordering.late, verb='wait for')}"
    return _verdict(array, Status.SKIPPED, f"not proved: {what}")


def _early_witness(design: Design, array: str, control: Control) -> Verdict | None:
    """A failure from a run with stalls, where a beat goes before what it needs has gone."""
    # Which writes are stored, and so what is needed, is known of streams that are understood.
    if control.ordering is None or control.reasons:
        return None
    names = [stream.name for stream in control.streams if stream.beats]
    cycles = 64 + 8 * sum(stream.beats + stream.idle for stream in control.streams)
    for moves in moves_of(control.buffer, control.top, control.library, names, cycles):
        found = first_early(control.ordering.needed, names, moves)
        if found is not None:
            need, beat, cycle = found
            text = _pair_text(design, need, beat, verb="goes before")
            return _verdict(array, Status.FAIL, f"cycle {cycle} of a run: {text}")
    return None


def _pair_text(design: Design, bound: Bound, beat: int, *, verb: str) -> str:
    """A beat and the last one it is to wait for, for people."""
    first = design.streams[bound.waiting].place_of(beat)
    # A word may be read after the last beat has gone.
    last = min(int(bound.least[beat]), len(design.tables[bound.other].ranks)) - 1
    second = design.streams[bound.other].place_of(last)
    return f"{bound.waiting} {first} {verb} {bound.other} {second}"


def _doubt(streams: Sequence[DeviceStream], claim: str) -> str:
    """What could not be shown of gates and words, for people; empty for other claims."""
    words = {
        "counter": "a counter of its gates may be off",
        "after": "it may go while a gate of its is shut",
        "opens": "it may wait while its gates are open",
        "word": "an operand may be the word of another RAM",
        "kept": "an operand may be the word of another RAM",
        "asked": "a RAM may be read elsewhere than it was asked",
        "data": "what a RAM takes may not be what is written",
    }
    found = re.match(r"g(\d+)_(counter|after|opens|word|kept|asked|data)_?", claim)
    return f"{streams[int(found[1])].name}: {words[found[2]]}" if found else ""


def _is_hint(name: str) -> bool:
    return (
        re.match(
            r"(g\d+_(register|state|flag|quotient|domain|behind|waits|past|begins|kept)|position|fed)_",
            f"{name}_",
        )
        is not None
    )


def _witness(design: Design, array: str, streams: Sequence[DeviceStream], found: Proof) -> str:
    """The cycle, the stream, the element, and what was expected and presented."""
    numbered = re.match(r"g(\d+)_(.*)", found.claim)
    if numbered is None:
        what = _PORTS.sub(r"two accesses at once: ", found.claim).replace("_", " ")
        return f"cycle {found.cycle}: {what}"
    stream = streams[int(numbered[1])]
    table = design.tables[stream.name]
    columns = own_coordinates(table.times)
    if stream.name in design.hints:
        columns = table.times[:, [one["entry"] for one in design.hints[stream.name]["loops"]]]
    point = [
        _signed(found.values.get(f"g{numbered[1]}_{k}", 0), column)
        for k, column in enumerate(columns.T)
    ]
    beats = (columns == point).all(axis=1).nonzero()[0]
    beat = int(beats[0]) if len(beats) else -1
    where = design.streams[stream.name].place_of(beat) if len(beats) else "between two beats"
    place = f"cycle {found.cycle}: {stream.name} {where}"
    word = re.match(r"word_(\d+)", numbered[2])
    if word is not None:
        # Words come after their issue: which beat it was is not at hand any more.
        return f"cycle {found.cycle}: {stream.name}: operand {word[1]} is the word of another RAM"
    lane = re.match(r"lane_(\d+)", numbered[2])
    if lane is not None:
        element = element_text(array, tuple(table.elements[int(lane[1])][beat].tolist()))
        return f"{place}: operand {lane[1]} is not what was written to {element}"
    access = re.match(r"(reads|writes)_(\d+)_(\d+)(_bank_\d+)?_(address|there)", numbered[2])
    if access is None:
        words = {
            "reserves": "it is issued without a slot",
            "over": "the walk ends elsewhere",
            "beat": "its walker says of a place that it is a beat or none, and it is not",
            "last": "tlast is wrong",
            "tlast": "tlast is wrong",
            "user": "tuser is wrong",
            "out": "it goes out after another write beat than the program's",
            "all_go_out": "it never goes out",
            "fires_on_a_beat": "it moves where it has no beat",
            "after": "it goes while a gate of its is shut",
            "opens": "it waits while its gates are open",
            "asked": "a RAM is read elsewhere than it was asked",
            "data": "what a RAM takes is not what is written",
        }
        kind = re.sub(r"_.*\d.*$", "", numbered[2])
        return f"{place}: {words.get(kind, numbered[2])}"
    operand, copy = int(access[2]), int(access[3])
    element = element_text(array, tuple(table.elements[operand][beat].tolist()))
    if access[5] == "there":
        verb = "read" if access[1] == "reads" else "written"
        return f"{place}: {element} is not {verb} in copy {copy}"
    kind = "w" if access[1] == "writes" else "r"
    bank = access[4] or ""
    wanted = found.values.get(f"g{numbered[1]}_{access[1]}_{operand}_{copy}{bank}_cell")
    port = f"{array}_{copy}{bank.replace('_bank_', '_b')}"
    presented = found.values.get(f"{port}_{kind}_addr")
    return f"{place}: {element} is in cell {wanted} by the plan, cell {presented} is addressed"


_PORTS = re.compile(r"^(one_(write|read)_(\d+_)?|port_)")


def _signed(value: int, column: Any) -> int:
    """A ghost register's bits as the number they stand for."""
    from hlsmem.check.formal.forms import bits_of

    bits = bits_of(column)
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def _verdict(subject: str, status: Status, detail: str, *, expected: bool = False) -> Verdict:
    return Verdict(check=CHECK, subject=subject, status=status, detail=detail, expected=expected)
