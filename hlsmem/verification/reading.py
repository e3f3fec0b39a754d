"""The check `reading`: the user's files and their normal form load and store alike.

Both are compiled by clang, which calls a recorder at every load and store through an array or a
pointer (kernel address sanitizer), and run on the same inputs. No parser takes part. What is
compared: the stores in their order, byte by byte, where those to arguments go, and for each
the stores, or initial contents, that the loads since the store before it have seen.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from hlsmem.errors import ToolError
from hlsmem.options import Design
from hlsmem.planfile import Plan
from hlsmem.program import Kernel, Program
from hlsmem.tools.find import CLANG, find
from hlsmem.tools.run import run
from hlsmem.verdict import Status, Verdict
from hlsmem.verification.bench import SEEDS, Bench, values_text
from hlsmem.verification.building import NoOriginal, with_macros
from hlsmem.verification.harness import harness
from hlsmem.verification.inputs import inputs_of
from hlsmem.verification.interface import NotCallable, kernel_interface, with_inputs
from hlsmem.verification.recorder import ASIDE, RECORD, RECORDER, WRAPPED
from hlsmem.verification.stops import ending
from hlsmem.watchdog import scratch

_SECONDS = 60.0
_RECORD = ("-std=gnu99", *RECORD)


class _Refused(Exception):
    """The two programs cannot be compared; says why."""


def check_reading(out: Path, design: Design, plan: Plan) -> tuple[Verdict, ...]:
    """A verdict where something of the kernel was rewritten; else none: what is followed by the
    other checks is then the user's file itself.

    Skipped without clang. Raises LimitError where a run takes too long.
    """
    program = design.input
    if (
        not isinstance(program, Program)
        or program.kernel is None
        or not (program.kernel.stages or program.kernel.others)
    ):
        return ()
    kernel = program.kernel
    try:
        compiler = find(CLANG)
    except ToolError:
        return (_verdict(plan, Status.SKIPPED, "needs clang", expected=True),)
    if _on_disk(out) != kernel.normal:
        detail = "design/normal.c is not the normal form of the design"
        return (_verdict(plan, Status.FAIL, detail),)
    with scratch("hlsmem-reading-") as folder:
        bench = Bench(
            compiler=compiler,
            out=out.resolve(),
            work=folder.resolve(),
            program=program,
            plan=plan,
        )
        try:
            return (_compared(bench, kernel),)
        except (NoOriginal, NotCallable, _Refused) as error:
            return (_verdict(plan, Status.SKIPPED, str(error)),)


def _verdict(plan: Plan, status: Status, detail: str, *, expected: bool = False) -> Verdict:
    return Verdict(
        check="reading", subject=plan.design, status=status, detail=detail, expected=expected
    )


def _on_disk(out: Path) -> str:
    try:
        return (out / "design" / "normal.c").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


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
    made = [*_RECORD, "-DHLSMEM_NATIVE", "-c", "-o", str(folder / "user.o")]
    finished = bench.compile_original(values, made)
    if not finished.succeeded:
        raise _Refused(f"clang refuses the original: {finished.last_lines()}")
    made = ["normal.c", "-c", "-o", "normal.o"]
    box = bench.sandbox()
    command = [*bench.compiler.command, *_RECORD, *made]
    finished = run(command, folder=folder, seconds=_SECONDS, sandbox=box)
    if not finished.succeeded:
        return _verdict(
            bench.plan, Status.FAIL, f"normal.c does not compile: {finished.last_lines()}"
        )
    command = [*bench.compiler.command, *ASIDE, "-c", "harness.c", "recorder.c"]
    finished = run(command, folder=folder, seconds=_SECONDS, sandbox=box)
    if not finished.succeeded:
        raise _Refused(f"the harness does not compile: {finished.last_lines()}")
    stores, loads = 0, "from loads alike"
    for seed in SEEDS:
        user, own = (_record(bench, name, seed) for name in ("user", "normal"))
        objection = _different(user, own)
        if objection and _tests_again(bench.program, kernel):
            loads = "loads aside, since each assignment tests what is tested once there"
            objection = _different(user[:, :1], own[:, :1])
        if objection:
            return _verdict(bench.plan, Status.FAIL, objection)
        stores = len(user)
    sizes = values_text(values) or "its fixed sizes"
    detail = f"{stores} bytes stored alike by your files and normal.c, {loads}, at {sizes}"
    return _verdict(bench.plan, Status.PASS, f"{detail}, {len(SEEDS)} inputs")


def _tests_again(program: Program, kernel: Kernel) -> bool:
    """Whether several assignments, or turns of a loop, look at elements that C looked at once."""
    looked = {one.array for statement in program.statements for one in statement.looked}
    return not looked <= set(kernel.conditions)


def _record(bench: Bench, name: str, seed: object) -> np.ndarray:
    """The record of a run: a row for every byte stored, its place and what was loaded ahead."""
    folder = bench.work
    program = folder / f"{name}_run"
    if not program.exists():
        link = [*WRAPPED, "harness.o", "recorder.o"]
        command = [*bench.compiler.command, *link, f"{name}.o", "-o", str(program), "-lm"]
        command += ["-lstdc++"] * bench.has_cxx
        linked = run(command, folder=folder, seconds=_SECONDS, sandbox=bench.sandbox())
        if not linked.succeeded:
            raise _Refused(f"the original does not link alone: {linked.last_lines()}")
    record = folder / f"{name}.record"
    finished = run(
        [str(program), str(folder / "contents"), str(seed)],
        folder=folder,
        seconds=_SECONDS,
        environment={"HLSMEM_RECORD": str(record)},
        large_stack=True,
        sandbox=bench.sandbox(),
    )
    if not finished.succeeded:
        raise _Refused(f"running {name} ended with {ending(finished)}")
    return np.fromfile(record, dtype=np.uint64).reshape(-1, 2)


def _different(user: np.ndarray, own: np.ndarray) -> str:
    """The first byte stored in another way; empty where there is none."""
    shared = min(len(user), len(own))
    unequal = np.flatnonzero((user[:shared] != own[:shared]).any(axis=1))
    if len(unequal):
        at = int(unequal[0])
        what = "goes elsewhere" if user[at, 0] != own[at, 0] else "comes from other loads"
        return f"normal.c differs from your files: byte {at + 1} that they store {what} there"
    if len(user) != len(own):
        return (
            f"normal.c differs from your files: they store {len(user)} bytes, it stores {len(own)}"
        )
    return ""
