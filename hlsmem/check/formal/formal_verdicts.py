"""The check `formal`: generated buffers proved by k-induction, for every pattern of stalls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from hlsmem.check.formal.bounded_trial import run_trial
from hlsmem.check.formal.circuits.buffer_proof import (
    generators_of,
    port_claims,
    stream_piece,
    visited,
)
from hlsmem.check.formal.circuits.chain_proof import chain_task
from hlsmem.check.formal.circuits.fifo_proof import fifo_fault, fifo_task, has_fifo
from hlsmem.check.formal.circuits.junction_proof import junction_proof
from hlsmem.check.formal.circuits.library_proof import library_sources, uses
from hlsmem.check.formal.circuits.ram_wires import word_claims
from hlsmem.check.formal.circuits.wire_proof import wire_task
from hlsmem.check.formal.formal_witness import doubt, is_hint, pair_text, witness
from hlsmem.check.formal.model.access_order import Ordering, ordering_of
from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.check.formal.model.ghost_forms import Form
from hlsmem.check.formal.model.squash_claims import passing_claims
from hlsmem.check.formal.model.stream_claims import Piece
from hlsmem.check.formal.proof_design import Design, design_of, read_hints
from hlsmem.check.formal.proof_tasks import Task, task_sources, tasks
from hlsmem.check.formal.random_stalls import first_early, moves_of
from hlsmem.check.formal.smt_proof import Answer, Proof, prove
from hlsmem.check.formal.start_and_reset import is_of_skids, with_running, with_setting
from hlsmem.check.formal.top_verdict import NotProvedError, whole_fault
from hlsmem.check.plans.branch_depths import branch_faults, made_branches
from hlsmem.check.plans.plan_banks import read_banked
from hlsmem.check.plans.plan_holdings import is_window, is_wire
from hlsmem.check.plans.plan_mapping import read_folding
from hlsmem.check.plans.time_rules import rules_of
from hlsmem.check.rtl.simulated_device import WRITE, Device, DeviceMemory, DeviceStream, read_device
from hlsmem.check.verilog_text.described_files import no_verilog
from hlsmem.check.verilog_text.library_equivalence import equality_of
from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.verilog_library import plain
from hlsmem.core.wording import counted
from hlsmem.plan import Plan
from hlsmem.program.model import Program
from hlsmem.program.predicate_reads import with_predicate_reads
from hlsmem.tools.foreign_verilog import foreign
from hlsmem.tools.provers import Prover, find_prover

CHECK = "formal"


_DEPTH = 1
# A run of a few beats shows what is wrong with a fork, a join or a branch FIFO.
_JUNCTION_DEPTH = 8


_SECONDS = 60.0


_WORKERS = 2


_MOST_BEATS = 1_000_000


def check_formal(
    out: Path,
    program: Program,
    plan: Plan,
    document: Mapping[str, Any],
    description: Path,
) -> tuple[Verdict, ...]:
    """The verdicts on the buffers in `out`, one an array, and on its branch FIFOs.

    The file `description` says what the Verilog is.

    Raises ToolError where Yosys or a solver is missing, InputError where `out` lacks what it
    needs, LimitError where there are too many beats to list.
    """
    prover = find_prover()
    nothing = no_verilog(out, document, description)
    if nothing is not None:
        return (_verdict(plan.design, nothing.status, nothing.detail),)
    equality = equality_of(f"{plan.design}_mem", prover.yosys.command[0])
    for trouble in foreign(out / "rtl", equality):
        return (_verdict(plan.design, Status.FAIL, trouble),)
    rtl = {f.name: f.read_text(encoding="utf-8") for f in sorted((out / "rtl").glob("*.v"))}
    program = with_predicate_reads(program)
    known = (
        program,
        read_device(description),
        rtl,
        read_hints(description.parent),
        document,
        prover,
    )
    return (*prove_design(*known), *prove_top(*known), *family_leaves(out / "rtl"))


def family_leaves(rtl: Path) -> Iterator[Verdict]:
    """Report vendor-specific modules as not proved.

    They are made of blocks of the vendor, whose text nobody has here; theirs is the installed one,
    as `foreign` compares. So they are named.
    """
    for file in sorted(rtl.glob("*/*.v")):
        what = (
            f"{file.parent.name}/{file.name}, which synthesis for {file.parent.name} takes instead"
            f" of {file.name}, is made of the vendor's block RAM and not proved; its text is this"
            " version's"
        )
        yield _verdict(plain(file.stem), Status.SKIPPED, what)


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
    beats += sum(walk["idle"] for walk in hints.values())
    if beats > _MOST_BEATS:
        what = f"a proof would list {beats} beats and places without one, more than {_MOST_BEATS}"
        remedy = "check the plan at smaller parameters: `hlsmem plan --param NAME=VALUE`"
        raise LimitError(Problem(what, remedy))
    rtl = {plain(name): plain(text) for name, text in rtl.items()}
    try:
        design = design_of(program, device, rtl, hints, document)
    except NoGhost as reason:
        return (_verdict(device.top, Status.FAIL, str(reason)),)
    arrays = dict.fromkeys(stream.array for stream in device.traced)
    return (
        *(
            judge_junctions(design, array, prover)
            if design.divided.is_divided(array)
            else with_limits(_judge_array(design, array, prover), device, hints)
            for array in arrays
        ),
        *judge_branches(design, prover),
    )


def prove_top(
    program: Program,
    device: Device,
    rtl: Mapping[str, str],
    hints: Mapping[str, Any],
    document: Mapping[str, Any],
    prover: Prover,
) -> tuple[Verdict, ...]:
    """The verdict on the top of Verilog given as texts, and on the memories below it.

    No verdict where `prove_design` says why there is nothing to prove.
    """
    rtl = {plain(name): plain(text) for name, text in rtl.items()}
    try:
        design = design_of(program, device, rtl, hints, document)
    except NoGhost:
        return ()
    return (_judge_whole(design, prover),)


def _judge_whole(design: Design, prover: Prover) -> Verdict:
    """The verdict on the top and on the memories below it."""
    top = design.device.top
    try:
        fault, proved = whole_fault(design, prover, _SECONDS)
    except NotProvedError as reason:
        return _verdict(top, Status.NOT_JUDGED, f"not proved: {reason}")
    except KeyError as error:
        return _verdict(top, Status.FAIL, f"there is no Verilog of {error.args[0]}")
    return _verdict(top, Status.FAIL if fault else Status.PASS, fault or proved)


def judge_branches(design: Design, prover: Prover) -> Iterator[Verdict]:
    """The verdict on every branch FIFO of plan.json, and of the Verilog."""
    elastic = design.document["elastic"]
    top = design.rtl[f"{design.device.top}.v"]
    users = {stream.name: stream.user_bits for stream in design.device.traced}
    trouble = next(branch_faults(top, elastic, users), None)
    if trouble is not None:
        yield _verdict(design.device.top, Status.FAIL, trouble)
        return
    for one, use in zip(made_branches(top), uses(top), strict=True):
        proof = prove(
            prover, *library_sources(use, design.rtl), depth=_JUNCTION_DEPTH, seconds=_SECONDS
        )
        match proof.answer:
            case Answer.PROVED:
                what = (
                    "beats go on in their order, none lost, none twice, none held back but by "
                    f"its consumer, under all stalls, by induction ({prover.title})"
                )
                yield _verdict(one.stream, Status.PASS, what)
            case Answer.REFUTED:
                what = f"{use.text()}, cycle {proof.cycle}: {proof.claim.replace('_', ' ')}"
                yield _verdict(one.stream, Status.FAIL, what)
            case Answer.NOT_INDUCTIVE | Answer.UNFINISHED:
                claim = proof.claim or use.text()
                what = f"not proved: {claim} is {proof.answer.value}"
                yield _verdict(one.stream, Status.NOT_JUDGED, what)


def judge_junctions(design: Design, array: str, prover: Prover) -> Verdict:
    """The verdict on the forks and joins of an array in several parts."""
    claims = 0
    ports = [port for port in design.device.streams if port.array == array and port.beats]
    for port in ports:
        try:
            job = junction_proof(
                port,
                design.streams,
                design.ports[port.name],
                design.divided,
                design.device,
                design.name,
                design.rtl,
            )
        except NoGhost as reason:
            return _verdict(array, Status.NOT_JUDGED, f"not proved: {reason}")
        except (KeyError, TypeError, ValueError) as error:
            what = f"the Verilog and its description do not fit together ({error!r})"
            return _verdict(array, Status.FAIL, what)
        if job.fault:
            return _verdict(array, Status.FAIL, job.fault)
        proof = prove(prover, job.sources, job.top, depth=_JUNCTION_DEPTH, seconds=_SECONDS)
        if proof.answer is Answer.REFUTED:
            what = f"{port.name}, cycle {proof.cycle}: {proof.claim.replace('_', ' ')}"
            return _verdict(array, Status.FAIL, what)
        if proof.answer is not Answer.PROVED:
            what = f"not proved: {proof.claim or port.name} is {proof.answer.value}"
            return _verdict(array, Status.NOT_JUDGED, what)
        claims += job.claims
    what = (
        f"every beat of {counted(len(ports), 'stream')} goes to the parts that take it, once, and "
        f"comes joined from those that have it, under all stalls: {counted(claims, 'claim')} by "
        f"induction ({prover.title})"
    )
    return _verdict(array, Status.PASS, what)


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
        return _verdict(array, Status.NOT_JUDGED, f"not proved: {reason}")
    except (KeyError, TypeError, ValueError) as error:
        what = f"the Verilog and its description do not fit together ({error!r})"
        return _verdict(array, Status.FAIL, what)
    disorder = _disorder(design, array, control)
    if disorder is not None:
        return disorder
    jobs = jobs_of(control)
    parts = [*uses(control.buffer)]

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
            return _verdict(array, Status.NOT_JUDGED, what)
    unfinished = sum(proof.answer is Answer.UNFINISHED for proof in proofs)
    if unfinished:
        what = f"{counted(unfinished, 'proof')} of {len(proofs)} did not finish in {_SECONDS:g} s"
        return _verdict(array, Status.NOT_JUDGED, what)
    if control.reasons:
        return _verdict(array, Status.NOT_JUDGED, f"not proved: {control.reasons[0]}")
    return _verdict(array, Status.PASS, _proved(design, array, control, len(jobs), prover))


def with_limits(verdict: Verdict, device: Device, hints: Mapping[str, Any]) -> Verdict:
    """A verdict on an array; where it could not be judged, with what the hints leave out of it."""
    names = (one.name for one in device.traced if one.array == verdict.subject)
    limits = [f"{one}: {hints[one]['limit']}" for one in names if "limit" in hints.get(one, {})]
    if verdict.status is not Status.NOT_JUDGED or not limits:
        return verdict
    return replace(verdict, detail="; ".join([verdict.detail, *limits]))


def jobs_of(control: Control) -> list[tuple[Mapping[str, str], str]]:
    """(sources, top) of every proof: of the buffer, then of the library modules it uses."""
    own = (task_sources(control.buffer, task, control.library) for task in control.tasks)
    parts = (library_sources(use, control.library) for use in uses(control.buffer))
    return [*((sources, control.top) for sources in own), *parts]


def control_of(design: Design, array: str) -> Control:
    """Raises NoGhost where a chain is not understood; of a memory, the streams that are not."""
    streams = [s for s in design.device.traced if s.array == array]
    memory = design.device.memory_of(array)
    top = f"{design.name}_{array}_buffer"
    buffer = design.rtl[f"{top}.v"]
    modules = dict(generators_of(buffer))
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
                text = design.rtl[f"{modules[stream.name]}.v"]
                piece, wired = _stream_piece(design, stream, number, memory, text, buffer)
                unshown += [f"operand {operand} of {stream.name}" for operand in wired]
                pieces[stream.name] = piece
            except NoGhost as reason:
                reasons.append(f"{stream.name}: {reason}")
        reasons += [note for piece in pieces.values() for note in piece.notes]
        ordering = ordering_of(
            array,
            streams,
            design.tables,
            design.hints,
            design.document,
            buffer,
            pieces,
            is_state=design.divided.program.is_state(array),
        )
        chosen = [*tasks([*pieces.values()], port_claims(memory, streams)), *ordering.tasks]
    chosen[0] = with_running(chosen[0], buffer, streams)
    if design.divided.program.is_state(array):
        chosen = [with_setting(task) for task in chosen]
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
    """The fault of a FIFO that needs no proof; None for other buffers."""
    buffer = design.rtl[f"{design.name}_{array}_buffer.v"]
    if not has_fifo(buffer):
        return None
    tables = [design.tables[s.name] for s in design.device.traced if s.array == array]
    read, written = sorted(tables, key=lambda table: table.is_write)
    return fifo_fault(buffer, read, written, limited=not rules_of(design.document).is_selftimed)


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
    if is_wire(design.document["arrays"][array]):
        return wire_task(
            writer,
            readers[0],
            design.tables,
            design.hints[writer.name],
            design.rtl[f"{modules[writer.name]}.v"],
            design.document["arrays"][array]["element"]["bits"],
        )
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
        verb, pronoun = ("comes", "it") if lanes == 1 else ("come", "they")
        what = f"{counted(lanes, 'operand')} {verb} out as {pronoun} went in"
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
        what += ", each beat goes after what it needs"
        if not is_window(design.document["arrays"][array]):
            what += " and waits for nothing later"
        if design.divided.program.is_state(array):
            what += "; what a reset sets it to is for `rtl`"
    return (
        f"{what}, under all stalls: {counted(len(claims), 'claim')} in "
        f"{counted(proofs, 'proof')} by induction ({prover.title})"
    )


def _refusal(design: Design, array: str, control: Control, task: Task, proof: Proof) -> Verdict:
    """Fail with a trace from reset, or the claim that could not be proved."""
    if doubt(control.streams, proof.claim):
        early = _early_witness(design, array, control)
        if early is not None:
            return early
    found = proof if proof.answer is Answer.REFUTED and not is_hint(proof.claim) else None
    if found is None:
        stubs = design.device.memory_of(array) is not None
        claims = {
            name: text
            for name, text in task.claims.items()
            if not is_hint(name)
            and not re.match(r"g\d+_(counter|after|opens)", name)
            and not (stubs and is_of_skids(name))
        }
        cycles = 8 + 4 * sum(stream.beats + stream.idle for stream in control.streams)
        buffer, top, library = control.buffer, control.top, control.library
        task = replace(task, claims=claims)
        found = run_trial(buffer, top, library, task, cycles, stubs=stubs)
    if found is None:
        claim = doubt(control.streams, proof.claim) or f"{proof.claim} is not inductive"
        what = f"not proved: {claim}, and no run breaks a claim"
        if control.reasons:
            what = f"not proved: {control.reasons[0]}"
        return _verdict(array, Status.NOT_JUDGED, what)
    return _verdict(array, Status.FAIL, witness(design, array, control.streams, found))


def _disorder(design: Design, array: str, control: Control) -> Verdict | None:
    """The verdict where what gates promise is not what beats need."""
    ordering = control.ordering
    if ordering is None or control.reasons or not (ordering.early or ordering.late):
        return None
    witness = _early_witness(design, array, control)
    if witness is not None:
        return witness
    if ordering.early is not None:
        what = f"nothing keeps {pair_text(design, *ordering.early, verb='from going before')}"
    elif ordering.late is not None:
        what = f"a gate makes {pair_text(design, *ordering.late, verb='wait for')}"
    return _verdict(array, Status.NOT_JUDGED, f"not proved: {what}")


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
            text = pair_text(design, need, beat, verb="goes before")
            return _verdict(array, Status.FAIL, f"cycle {cycle} of a run: {text}")
    return None


def _verdict(subject: str, status: Status, detail: str) -> Verdict:
    return Verdict(check=CHECK, subject=subject, status=status, detail=detail)


def _stream_piece(
    design: Design,
    stream: DeviceStream,
    number: int,
    memory: DeviceMemory,
    generator: str,
    buffer: str,
) -> tuple[Piece, tuple[int, ...]]:
    """The proof of a stream of a memory, and the operands whose words it does not show."""
    entry, hints = design.document["arrays"][stream.array], design.hints[stream.name]
    table, banks = design.tables[stream.name], list[Form]()
    folding, banked = read_folding(stream.array, entry), read_banked(stream.array, entry)
    piece = stream_piece(stream, number, table, hints, generator, folding, banked, memory, banks)
    table = visited(table, hints)
    if stream.squashes:
        passing_claims(piece, stream, design.divided.program, table)
    return piece, word_claims(piece, stream, table, memory, banks, buffer)
