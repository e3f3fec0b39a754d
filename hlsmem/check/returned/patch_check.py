"""The check `patch`: OUT/source is what its patches make of the design, and does what that does.

Both texts are compiled with the headers for HLS and run on drawn inputs, at the plan's sizes and,
where the plan holds for all, at small ones; the result under sanitizers too.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from hlsmem.check.c_runs.c_building import FLAGS, NoOriginal, first_message
from hlsmem.check.c_runs.c_harness import harness
from hlsmem.check.c_runs.c_interface import NotCallable
from hlsmem.check.host_runs.array_comparison import columns, difference
from hlsmem.check.host_runs.host_bench import SANITIZERS, Bench, Pair, ending_of, values_text
from hlsmem.check.returned.applied_patch import NotApplicable, applied
from hlsmem.check.returned.counted_accesses import (
    counted_in,
    counting,
    distances_of,
    faults_of,
    lines_of,
)
from hlsmem.check.returned.threaded_tasks import STUCK, depths_of, has_tasks, threaded
from hlsmem.core.data_files import resource_folder
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.watchdog import scratch
from hlsmem.core.wording import counted
from hlsmem.plan import Plan
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.tools.find import C_COMPILER, find, supports
from hlsmem.tools.run import Finished

SEEDS = tuple(range(1, 21))
_SECTION = "README.md"


class _Different(Exception):
    """A witness that the source that comes back is wrong."""


def check_patch(out: Path, design: Design, plan: Plan) -> tuple[Verdict, ...]:
    """Verdicts on OUT/source against OUT/design, as both stand on disk.

    Raises MissingToolError without a C compiler, LimitError where a run takes too long.
    """
    program = design.input
    files = sorted(_returned(out / "source"))
    if not files or not isinstance(program, Program) or program.kernel is None:
        return (_verdict(plan, Status.SKIPPED, "nothing of the source changes"),)
    try:
        texts = {name: _as_patched(out, name) for name in files}
        compiler = find(C_COMPILER)
        with scratch("hlsmem-patch-") as folder:
            bench = Bench(
                compiler=compiler,
                out=out.resolve(),
                work=folder.resolve(),
                program=program.in_c,
                plan=plan,
                inputs=design.host.inputs,
            )
            return tuple(_judged(bench, texts))
    except _Different as error:
        return (_verdict(plan, Status.FAIL, str(error)),)
    except (NoOriginal, NotCallable) as error:
        return (_verdict(plan, Status.NOT_JUDGED, str(error)),)


def _verdict(plan: Plan, status: Status, detail: str) -> Verdict:
    return Verdict(check="patch", subject=plan.design, status=status, detail=detail)


def _returned(folder: Path) -> Iterator[str]:
    """The files of the user that come back."""
    for file in folder.rglob("*"):
        name = file.relative_to(folder).as_posix()
        if file.is_file() and file.suffix != ".patch" and name != _SECTION:
            yield name


def _as_patched(out: Path, name: str) -> str:
    """The text of a file that comes back, which its patch makes of the user's."""
    try:
        before, after, patch = (
            (out / file).read_bytes().decode()
            for file in (f"design/{name}", f"source/{name}", f"source/{name}.patch")
        )
    except (OSError, UnicodeDecodeError) as error:
        raise _Different(f"source/{name} cannot be held against its patch: {error}") from None
    try:
        made = applied(before, patch)
    except NotApplicable as error:
        raise _Different(f"source/{name}.patch does not apply: {error}") from None
    if made != after:
        raise _Different(f"source/{name} is not what its patch makes of design/{name}")
    return after


def _judged(bench: Bench, texts: Mapping[str, str]) -> Iterator[Verdict]:
    """Both texts run at each size; raises _Different with a witness, NoOriginal."""
    returned = _with_texts(bench, texts, "returned")
    sizes = bench.sizes()
    for number, values in enumerate(sizes):
        pair = _pair(bench, returned, values)
        _compare(bench, pair)
        if number == 0 and supports(bench.compiler, SANITIZERS):
            _compare_sanitized(returned, pair)
        if number == 0:
            said = _counted(bench, texts, pair) + _threaded(bench, texts, pair)
    at = "; ".join(filter(None, map(values_text, sizes)))
    where = f" at {at}" if at else ""
    what = f"{counted(len(texts), 'file')}: equal bits{where}, {counted(len(SEEDS), 'input')} each"
    yield _verdict(bench.plan, Status.PASS, what + said)


def _with_texts(bench: Bench, texts: Mapping[str, str], name: str) -> Bench:
    """A bench for a copy of the design with other texts of its files."""
    copy = bench.work / name
    shutil.copytree(bench.out / "design", copy / "design")
    for file, text in texts.items():
        (copy / "design" / file).write_bytes(text.encode())
    return replace(bench, out=copy)


def _counted(bench: Bench, texts: Mapping[str, str], pair: Pair) -> str:
    """What a run that counts accesses of lines says; raises _Different where one has more than its
    ports, or is read sooner than a pragma says."""
    made, distances = dict(texts), dict[str, int]()
    lines = dict[str, tuple[str, ...]]()
    for name, text in texts.items():
        before = (bench.out / "design" / name).read_bytes().decode()
        lines[name] = lines_of(before, text)
        distances |= distances_of(text)
        if lines[name]:
            made[name] = counting(text, lines[name])
    if not any(lines.values()):
        return ""
    target = pair.folder / "counted"
    flags = [pair.standard, *FLAGS, "-w", str(pair.folder / "harness.c"), "-o", str(target), "-lm"]
    built = _with_texts(bench, made, "counting").compile_original(pair.values, flags)
    if not built.succeeded:
        return f"; accesses of lines are not counted: {first_message(built)}"
    finished = bench.call(target, [str(pair.folder / "found"), str(SEEDS[0])])
    found = counted_in(finished.errors)
    wrong = next(faults_of(found, distances), None)
    if wrong is not None:
        raise _Different(wrong)
    if not found:
        return ""
    most = max(one.accesses for one in found.values())
    far = [f"{name} {found[name].distance}" for name in distances if name in found]
    said = f"; at most {counted(most, 'access')} of a line in an iteration"
    return said + (f", from write to read {', '.join(far)} iterations" if far else "")


def _pair(bench: Bench, returned: Bench, values: Mapping[str, int]) -> Pair:
    """Both texts with what calls them, compiled alike."""
    interface = bench.interface(values)
    folder = bench.work / f"at{len(list(bench.work.iterdir()))}"
    folder.mkdir()
    (folder / "harness.c").write_text(harness(interface), encoding="utf-8")
    standard = bench.build_original(folder, interface, values, folder / "original")
    try:
        returned.build_original(folder, interface, values, folder / "returned")
    except NoOriginal as error:
        raise _Different(f"the source that comes back does not compile: {error}") from None
    return Pair(
        values=values,
        folder=folder,
        interface=interface,
        original=folder / "original",
        generated=folder / "returned",
        standard=standard,
        masks={
            column.name: bench.compared(column, values)
            for array in interface.arrays
            for column in columns(array)
        },
        warning=None,
    )


def _compare(bench: Bench, pair: Pair) -> None:
    """Hold the results of both programs against each other."""
    for seed in SEEDS:
        expected = bench.expected(pair, seed)
        found = pair.folder / "found"
        where = ", ".join(filter(None, [values_text(pair.values), f"input {seed}"]))
        finished = bench.call(pair.generated, [str(found), str(seed)])
        if not finished.succeeded:
            raise _Different(f"the source that comes back stops at {where}: {ending_of(finished)}")
        other = difference(pair.interface, pair.masks, expected, found)
        if other:
            raise _Different(f"at {where}: {other}")


def _compare_sanitized(returned: Bench, pair: Pair) -> None:
    """Run the source that comes back under sanitizers; raises _Different, or NoOriginal where the
    user's is not defined either."""
    target = pair.folder / "sanitized"
    flags = [pair.standard, *FLAGS, *SANITIZERS, "-w", str(pair.folder / "harness.c")]
    built = returned.compile_original(pair.values, [*flags, "-o", str(target), "-lm"])
    if not built.succeeded:
        raise _Different(f"with sanitizers it does not compile: {first_message(built)}")
    finished = returned.call(target, [str(pair.folder / "found"), str(SEEDS[0])])
    if not finished.succeeded:
        raise _Different(f"under sanitizers it stops: {ending_of(finished)}")


def _threaded(bench: Bench, texts: Mapping[str, str], pair: Pair) -> str:
    """What a run says whose tasks are threads; raises _Different where it stops, or has other
    results than calls one after the other."""
    own = {name: text for name, text in texts.items() if has_tasks(text)}
    deeper = [
        name
        for file, text in own.items()
        for name, words in depths_of(text).items()
        if depths_of((bench.out / "design" / file).read_bytes().decode()).get(name) != words
    ]
    if not deeper:
        return ""
    said = []
    for less in ("", *deeper):
        made = {**texts, **{name: threaded(text, less) for name, text in own.items()}}
        target = pair.folder / f"threads{less}"
        finished = _run_threads(_with_texts(bench, made, target.name), pair, target)
        if finished is None:
            return "; tasks do not compile as threads"
        if less:
            stops = finished.status == STUCK
            said.append(f"{less} with a word less {'stops' if stops else 'ends too'}")
        elif finished.status == STUCK:
            raise _Different("its tasks stop as threads over streams of these depths")
        elif not finished.succeeded:
            raise _Different(f"its tasks as threads stop: {ending_of(finished)}")
        else:
            other = difference(
                pair.interface, pair.masks, bench.expected(pair, SEEDS[0]), pair.folder / "found"
            )
            if other:
                raise _Different(f"its tasks as threads: {other}")
    return f"; its tasks end as threads, {', '.join(said)}"


def _run_threads(bench: Bench, pair: Pair, target: Path) -> Finished | None:
    """A run of a text with threads; None where it does not compile."""
    headers = target.with_suffix(".include")
    shutil.copytree(resource_folder("hls") / "include", headers)
    shutil.copy(resource_folder("hls") / "threads" / "hlsmem_fifo.h", headers)
    flags = [pair.standard, *FLAGS, "-w", "-pthread", "-I", str(headers)]
    flags += [str(pair.folder / "harness.c"), "-o", str(target), "-lm"]
    if not bench.compile_original(pair.values, flags).succeeded:
        return None
    return bench.call(target, [str(pair.folder / "found"), str(SEEDS[0])])
