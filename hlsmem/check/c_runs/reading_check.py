"""The check `reading`: the user's files and their normal form load and store alike.

Both are compiled by clang, which calls a recorder at every load and store through an array or a
pointer (kernel address sanitizer), and run on the same inputs. No parser takes part. What is
compared: the stores in their order, byte by byte, where those to arguments go, and for each
the stores, or initial contents, that the loads since the store before it have seen.

In C++ numbers of ap_int.h are plain integers then, which hold more where their width is none of
C's. Where that made a difference, the file is run with the numbers as they are, and what is in
arguments is compared: of all else it is not seen which numbers lie in memory. The same is done
where compilers copy objects that the normal form has not: structs, as one number where they are
small, or on the way into a function; initial values.

Windows and line buffers that are shifted by hand are no objects of the normal form, which reads
their values where they come from; functions of it compute what an iteration has in variables of
its own, and load there. In both cases the bytes that are stored to arguments are compared, in
their order, by place and value. Where sums are collected in variables, that is what is stored to
each byte last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from hlsmem.check.c_runs.access_recorder import ASIDE, RECORD, RECORDER, WRAPPED
from hlsmem.check.c_runs.c_building import NoOriginal, with_macros
from hlsmem.check.c_runs.c_harness import harness
from hlsmem.check.c_runs.c_interface import NotCallable, kernel_interface, with_inputs
from hlsmem.check.c_runs.c_programs import ending
from hlsmem.check.c_runs.run_inputs import inputs_of
from hlsmem.check.compared_texts import other_line, text_on_disk
from hlsmem.check.host_runs.host_bench import SEEDS, Bench, values_text
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.watchdog import scratch
from hlsmem.core.wording import listed
from hlsmem.plan import Plan
from hlsmem.program.model import Kernel, Program
from hlsmem.program.options import Design
from hlsmem.tools.find import CLANG, find
from hlsmem.tools.run import run

_SECONDS = 60.0
_RECORD = ("-std=gnu99", *RECORD)


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to record the two: the suffix of file names, and options."""

    suffix: str
    original: tuple[str, ...]
    recorder: tuple[str, ...]


_EVERYTHING = _Way("", ("-DHLSMEM_NATIVE",), ())
_ARGUMENTS = _Way("_arguments", ("-DHLSMEM_CUTS",), ("-DHLSMEM_ARGUMENTS",))
_VALUES = _Way("_values", ("-DHLSMEM_NATIVE",), ("-DHLSMEM_VALUES",))
# In C++ values are those of numbers as they are, cut to their widths.
_CUT_VALUES = _Way("_values", ("-DHLSMEM_CUTS",), ("-DHLSMEM_VALUES",))


class _Refused(Exception):
    """The two programs cannot be compared; says why."""


class _Ended(_Refused):
    """The user's files did not end well, or normal.c where these did."""


class _NormalEnded(_Ended):
    """Normal.c did not end well, though the user's files did."""


def check_reading(out: Path, design: Design, plan: Plan) -> tuple[Verdict, ...]:
    """One verdict: design/normal.c is what the user's files give, and both do the same.

    Where nothing was rewritten the other checks follow the user's file itself, and there is
    nothing to run. Else raises MissingToolError without clang, LimitError where a run takes too
    long.
    """
    program = design.input
    assert isinstance(program, Program)
    assert program.kernel is not None
    kernel = program.kernel
    fault = other_line("design/normal.c", text_on_disk(out / "design" / "normal.c"), kernel.normal)
    if fault:
        return (_verdict(plan, Status.FAIL, f"{fault}, which is the normal form of the design"),)
    if not (kernel.stages or kernel.others):
        return (_verdict(plan, Status.PASS, "the kernel is read as written"),)
    compiler = find(CLANG)
    with scratch("hlsmem-reading-") as folder:
        bench = Bench(
            compiler=compiler,
            out=out.resolve(),
            work=folder.resolve(),
            program=program.in_c,
            plan=plan,
        )
        try:
            return (_compared(bench, kernel),)
        except _NormalEnded as error:
            detail = f"normal.c differs from your files: {error}"
            return (_verdict(plan, Status.FAIL, detail),)
        except (NoOriginal, NotCallable, _Refused) as error:
            return (_verdict(plan, Status.NOT_JUDGED, str(error)),)


def _verdict(plan: Plan, status: Status, detail: str) -> Verdict:
    return Verdict(check="reading", subject=plan.design, status=status, detail=detail)


def _compared(bench: Bench, kernel: Kernel) -> Verdict:
    values = dict(bench.plan.params)
    folder = bench.work
    interface = kernel_interface(bench.program, kernel, values)
    drawn = inputs_of(replace(bench.program.source, values=values))
    text = harness(with_inputs(interface, drawn))
    (folder / "harness.c").write_text(text, encoding="utf-8")
    (folder / "recorder.c").write_text(RECORDER, encoding="utf-8")
    normal, _ = with_macros(kernel.normal, {n: values[n] for n in kernel.macros if n in values})
    (folder / "normal.c").write_text(normal, encoding="utf-8")
    by_values = bool(kernel.propagated or kernel.outlined or kernel.collected)
    has_slices = _compile_first(bench, _by_value(bench) if by_values else _EVERYTHING)
    made = ["normal.c", "-c", "-o", "normal.o"]
    box = bench.sandbox()
    command = [*bench.compiler.command, *_RECORD, *made]
    finished = run(command, folder=folder, seconds=_SECONDS, sandbox=box)
    if not finished.succeeded:
        return _verdict(
            bench.plan, Status.FAIL, f"normal.c does not compile: {finished.last_lines()}"
        )
    _compile_aside(bench, "harness.c", "-o", "harness.o")
    if by_values:
        only_last = bool(kernel.collected)
        runs = [_run_by_values(bench, seed, only_last=only_last) for seed in SEEDS]
    elif has_slices:
        runs = [_run_of_objects(bench, seed) for seed in SEEDS]
    else:
        again = _tests_again(bench.program, kernel)
        copies = _COPIED if kernel.copies else ""
        if kernel.pointees and not bench.has_cxx:
            copies = copies or _POINTED
        runs = [_run(bench, seed, again=again, copies=copies) for seed in SEEDS]
    objection = next((one.objection for one in runs if one.objection), "")
    if objection:
        return _verdict(bench.plan, Status.FAIL, objection)
    if not any(one.stores for one in runs):
        detail = "nothing is stored, by your files or by normal.c; host compares what is returned"
        return _verdict(bench.plan, Status.SKIPPED, detail)
    of, loads = "", "from loads alike"
    why = next((one.of_arguments for one in runs if one.of_arguments), "")
    if why:
        of = f" of arguments, since {why},"
    if any(one.loads_aside for one in runs):
        loads = "loads aside, since each assignment tests what is tested once there"
    if by_values:
        of, loads = " to arguments", f"by value, as normal.c {' and '.join(_elsewhere(kernel))}"
    sizes = values_text(values) or "its fixed sizes"
    detail = f"{runs[-1].stores} bytes{of} stored alike by your files and normal.c, {loads}"
    return _verdict(bench.plan, Status.PASS, f"{detail}, at {sizes}, {len(SEEDS)} inputs")


def _elsewhere(kernel: Kernel) -> Iterator[str]:
    """Loads of the normal form at other places than in the user's files, in words."""
    if kernel.propagated:
        gone = listed([f"'{name}'" for name in kernel.propagated])
        yield f"reads what {gone} hold where it comes from"
    if kernel.outlined:
        gone = listed([f"'{name}'" for name in kernel.outlined])
        yield f"computes {gone} where they are used"
    if kernel.collected:
        sums = listed([f"'{name}'" for name in kernel.collected])
        yield f"collects the sums in {sums}"


@dataclass(frozen=True, slots=True)
class _Run:
    """The comparison of the two on one input: number of bytes stored, and where that differed."""

    stores: int
    objection: str
    loads_aside: bool = False
    of_arguments: str = ""  # why no more than what is in arguments is compared


_CUT = "numbers are cut to widths that C does not have"
_OBJECTS = "objects of classes are loaded and stored in other ways than their members"
_COPIED = "compilers copy structs, and initial values, in their own ways"
_POINTED = "numbers behind pointers are variables in normal.c"


def _run(bench: Bench, seed: object, *, again: bool, copies: str) -> _Run:
    """Both on one input; of arguments alone where C has other objects besides (see above).

    `copies` says why it may have such, and is empty where it has none.
    """
    ended: _Ended | None = None
    found: _Run | None = None
    try:
        found = _judged(*_records(bench, seed, _EVERYTHING), again=again)
    except _Ended as error:
        ended = error
    if (bench.has_cxx or (copies and found is not None)) and (found is None or found.objection):
        user, own = _records(bench, seed, _ARGUMENTS)
        is_cut = len(user) and user[-1, 1]
        why = _CUT if is_cut else copies if found is not None else ""
        if why:
            return replace(_judged(user[:-1], own[:-1], again=again), of_arguments=why)
        if bench.has_cxx and (found is None or found.objection):
            return _run_of_objects(bench, seed)
    if ended is not None:
        raise ended
    assert found is not None
    return found


def _by_value(bench: Bench) -> _Way:
    return _CUT_VALUES if bench.has_cxx else _VALUES


def _run_by_values(bench: Bench, seed: object, *, only_last: bool) -> _Run:
    """Both on one input, by the bytes that they store to arguments, and their values."""
    user, own = _records(bench, seed, _by_value(bench))
    if only_last:
        user, own = _last_stores(user), _last_stores(own)
    return _judged(user, own, again=False)


def _run_of_objects(bench: Bench, seed: object) -> _Run:
    """Both on one input, by values, as objects of classes have no loads and stores of members."""
    return replace(_run_by_values(bench, seed, only_last=False), of_arguments=_OBJECTS)


def _last_stores(record: np.ndarray) -> np.ndarray:
    """Of all that is stored to a byte the last, in the order of these."""
    _, behind = np.unique(record[::-1, 0], return_index=True)
    return record[np.sort(len(record) - 1 - behind)]


def _judged(user: np.ndarray, own: np.ndarray, *, again: bool) -> _Run:
    objection = _different(user, own)
    if objection and again:
        return _Run(len(user), _different(user[:, :1], own[:, :1]), loads_aside=True)
    return _Run(len(user), objection)


def _compile_first(bench: Bench, way: _Way) -> bool:
    """Compile the original; True where its numbers have to be objects, as integers of C have no
    bits to take. Raises _Refused where it compiles in neither way."""
    try:
        _compile_original(bench, way)
    except _Refused:
        if way != _EVERYTHING or not bench.has_cxx:
            raise
        _compile_original(bench, _CUT_VALUES)
        return True
    return False


def _compile_original(bench: Bench, way: _Way) -> None:
    made = [*_RECORD, *way.original, "-c", "-o", str(bench.work / f"user{way.suffix}.o")]
    finished = bench.compile_original(dict(bench.plan.params), made)
    if not finished.succeeded:
        raise _Refused(f"clang refuses the original: {finished.last_lines()}")
    undefined = ["-DHLSMEM_UNDEFINED"] * (bench.program.source.with_undefined is not None)
    _compile_aside(bench, *way.recorder, *undefined, "recorder.c", "-o", f"recorder{way.suffix}.o")


def _compile_aside(bench: Bench, *arguments: str) -> None:
    """Compile what is not recorded."""
    command = [*bench.compiler.command, *ASIDE, "-c", *arguments]
    box = bench.sandbox()
    finished = run(command, folder=bench.work, seconds=_SECONDS, sandbox=box)
    if not finished.succeeded:
        raise _Refused(f"the harness does not compile: {finished.last_lines()}")


def _tests_again(program: Program, kernel: Kernel) -> bool:
    """True if several assignments, or iterations, read elements that C read once."""
    looked = {one.array for statement in program.statements for one in statement.looked}
    return "choices" in kernel.stages or not looked <= set(kernel.conditions)


def _records(bench: Bench, seed: object, way: _Way) -> tuple[np.ndarray, np.ndarray]:
    """The records of the user's files and of normal.c, which has to end where they do."""
    user = _record(bench, "user", seed, way)
    try:
        return user, _record(bench, "normal", seed, way)
    except _Ended as error:
        raise _NormalEnded(str(error)) from None


def _record(bench: Bench, name: str, seed: object, way: _Way) -> np.ndarray:
    """The record of a run: a row for every byte stored, its place and what was loaded ahead."""
    folder = bench.work
    program = folder / f"{name}{way.suffix}_run"
    if not program.exists():
        if not (folder / f"user{way.suffix}.o").exists():
            _compile_original(bench, way)
        own = f"user{way.suffix}.o" if name == "user" else f"{name}.o"
        link = [*WRAPPED, "harness.o", f"recorder{way.suffix}.o", own]
        command = [*bench.compiler.command, *link, "-o", str(program), "-lm"]
        command += ["-lstdc++"] * bench.has_cxx
        linked = run(command, folder=folder, seconds=_SECONDS, sandbox=bench.sandbox())
        if not linked.succeeded:
            raise _Refused(f"the original does not link alone: {linked.last_lines()}")
    record = folder / f"{name}.record"
    record.unlink(missing_ok=True)
    finished = run(
        [str(program), str(folder / "contents"), str(seed)],
        folder=folder,
        seconds=_SECONDS,
        environment={"HLSMEM_RECORD": str(record)},
        large_stack=True,
        sandbox=bench.sandbox(),
    )
    if not finished.succeeded:
        raise _Ended(f"running {name} ended with {ending(finished)}")
    if not record.exists():  # nothing was stored
        return np.empty((0, 2), dtype=np.uint64)
    return np.fromfile(record, dtype=np.uint64).reshape(-1, 2)


def _different(user: np.ndarray, own: np.ndarray) -> str:
    """The first byte stored in another way; empty where there is none."""
    shared = min(len(user), len(own))
    unequal = np.flatnonzero((user[:shared] != own[:shared]).any(axis=1))
    if len(unequal):
        at = int(unequal[0])
        what = "goes elsewhere" if user[at, 0] != own[at, 0] else "has another origin or value"
        return f"normal.c differs from your files: byte {at + 1} that they store {what} there"
    if len(user) != len(own):
        return (
            f"normal.c differs from your files: they store {len(user)} bytes, it stores {len(own)}"
        )
    return ""
