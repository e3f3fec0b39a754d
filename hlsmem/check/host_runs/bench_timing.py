"""Time of the generated C beside the original: `hlsmem bench`, the only place that measures.

Every program is a process of its own, pinned to one processor. They take turns: in a round each
makes a number of calls and says how much processor time one took. A start is a fresh set of
processes, as where pages happen to lie in memory can change the time by a factor.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import ClassVar

from hlsmem.check import load_subject
from hlsmem.check.c_runs.c_building import TIMED, WRAPPING, FoundDifferent, NoOriginal
from hlsmem.check.c_runs.c_harness import timer
from hlsmem.check.c_runs.c_interface import NotCallable
from hlsmem.check.host_runs.host_bench import Bench, Pair
from hlsmem.core.errors import HlsmemError, InputError, LimitError, Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program
from hlsmem.read.design_names import nearest
from hlsmem.tools.find import C_COMPILER, Tool, find
from hlsmem.tools.run import run

_SEED = 1
_ROUND_SECONDS = 0.02
"""A round has as many calls as take so long, at least one."""
_SLOW_SECONDS = 0.5
_STEADY = 1.1
"""The greatest ratio over the least, above which the ratios of starts are unsteady."""
_SECONDS = 600.0


class Different(HlsmemError):
    """The programs do not leave the same finite numbers, so their times mean nothing."""

    exit_code: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """One program: seconds of a call, and its time over the original's.

    `ratio` is the median over starts, each of the fastest round of either; `least` and `greatest`
    are the extremes over starts.
    """

    name: str
    seconds: float
    ratio: float
    least: float
    greatest: float

    @property
    def is_steady(self) -> bool:
        """True where the ratios of all starts are within 10 % of each other."""
        return self.greatest <= _STEADY * self.least


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The times of the original and of the generated C of each OUT, at the same parameters.

    `compiler` ends with all flags of what was timed. `wraps` says that values rest on -fwrapv, as
    signed integers overflow; it is one of the flags then. `folded` has those of OUT whose folded
    code ran; in the others the original body did.
    """

    params: Mapping[str, int]
    compiler: str
    wraps: bool
    machine: str
    starts: int
    rounds: int
    original: float
    outs: tuple[Timed, ...]
    folded: frozenset[str]


def measure(
    outs: Sequence[Path],
    params: Mapping[str, int],
    *,
    starts: int,
    rounds: int,
    slow_rounds: int | None = None,
    compiler: Tool | None = None,
) -> Measured:
    """Time the original of the first OUT and the generated C of all of them, alternating.

    Where a call of the original takes more than half a second there are `slow_rounds`, if given.
    The `compiler` is the first that is found, if none is given.
    Raises InputError for OUTs that cannot be compared, Different where results do, ToolError
    without a compiler.
    """
    with scratch("hlsmem-bench-") as folder:
        compiler = compiler or find(C_COMPILER)
        benches = [bench_of(out, folder.resolve(), compiler) for out in outs]
        _same_kernel(outs, benches)
        values = _values(benches[0], params)
        pairs, folded = _compared(outs, benches, values)
        wraps = _wraps(benches[0], pairs[0], generated=False) or any(
            _wraps(*one, generated=True) for one in zip(benches, pairs, strict=True)
        )
        flags = (*TIMED, WRAPPING) if wraps else TIMED
        programs = [
            _program(benches[0], pairs[0], flags, generated=False),
            *(_program(*one, flags, generated=True) for one in zip(benches, pairs, strict=True)),
        ]
        turns = _turns(benches[0])
        if slow_rounds is not None:
            ((once,),) = _start(benches[0], turns, programs[:1], 1)
            rounds = rounds if once < _SLOW_SECONDS else slow_rounds
        times = [_start(benches[0], turns, programs, rounds) for _ in range(starts)]
        # What comes between makes a round longer, never shorter.
        least = [[min(of_program) for of_program in one] for one in times]
        return Measured(
            params=values,
            compiler=f"{Path(compiler.command[0]).name} {compiler.version_text} {' '.join(flags)}",
            wraps=wraps,
            machine=machine(),
            starts=starts,
            rounds=rounds,
            original=median(one[0] for one in least),
            outs=tuple(_timed(out, number, least) for number, out in enumerate(outs, 1)),
            folded=folded,
        )


def _timed(out: Path, number: int, least: Sequence[Sequence[float]]) -> Timed:
    """The times of the program of this number, from the least of each start; 0 is the original."""
    ratios = [one[number] / one[0] for one in least]
    return Timed(
        name=str(out),
        seconds=median(one[number] for one in least),
        ratio=median(ratios),
        least=min(ratios),
        greatest=max(ratios),
    )


def bench_of(out: Path, work: Path, compiler: Tool) -> Bench:
    """The bench of an OUT, which fills the folder `work`. Raises InputError without two programs
    to compare."""
    subject = load_subject(out)
    program = subject.design.input
    if not isinstance(program, Program) or program.kernel is None:
        what = f"{out} was not planned from C, so there is no original to compare with"
        raise InputError(Problem(what, "bench the plan of a kernel"))
    if not (out / "host" / f"{program.name}.c").is_file():
        raise InputError(Problem(f"{out} has no host C", "plan the whole of the kernel"))
    return Bench(
        compiler=compiler,
        out=out.resolve(),
        work=work,
        program=program.in_c,
        plan=subject.plan,
        inputs=subject.design.host.inputs,
    )


def _same_kernel(outs: Sequence[Path], benches: Sequence[Bench]) -> None:
    first = benches[0].kernel
    assert first is not None
    for out, bench in zip(outs, benches, strict=True):
        kernel = bench.kernel
        assert kernel is not None
        if kernel.name != first.name or kernel.sources != first.sources:
            what = f"{out} and {outs[0]} are plans of different kernels"
            raise InputError(Problem(what, "give --against a plan of the same files"))


def _values(bench: Bench, params: Mapping[str, int]) -> dict[str, int]:
    """The plan's parameters with those given in their place."""
    known = dict(bench.plan.params)
    wrong = [name for name in params if name not in known]
    if wrong:
        remedy = nearest(wrong[0], list(known), f"parameters: {', '.join(known) or 'none'}")
        raise InputError(Problem(f"--param {wrong[0]}: the plan has no such parameter", remedy))
    values = {**known, **params}
    if values and fix_parameters(bench.program.context, values).is_empty():
        text = ", ".join(f"{name}={value}" for name, value in values.items())
        remedy = f"keep to its context: {bench.program.context}"
        raise InputError(Problem(f"the plan does not hold at {text}", remedy))
    return values


def _compared(
    outs: Sequence[Path], benches: Sequence[Bench], values: Mapping[str, int]
) -> tuple[list[Pair], frozenset[str]]:
    """The original and the generated C of each OUT, their values compared, and the OUTs whose
    folded code runs."""
    pairs: list[Pair] = []
    folded = []
    for out, bench in zip(outs, benches, strict=True):
        try:
            pairs.append(bench.build(values, TIMED, like=pairs[0] if pairs else None))
            if bench.compare(pairs[-1], (_SEED,)):
                folded.append(str(out))
        except FoundDifferent as error:
            raise Different(Problem(f"{out}: {error}", "see `hlsmem check --only host`")) from None
        except (NoOriginal, NotCallable) as error:
            raise InputError(Problem(str(error), "nothing can be compared")) from None
    return pairs, frozenset(folded)


def _wraps(bench: Bench, pair: Pair, *, generated: bool) -> bool:
    """True where a program leaves other values if signed integers need not wrap around."""
    target = pair.folder / "unwrapped"
    main = pair.folder / "harness.c"
    built = bench.with_main(pair, main, TIMED, target, generated=generated)
    if not built.succeeded:
        raise InputError(Problem(f"it does not compile: {built.last_lines()}", "correct it"))
    return not bench.leaves_the_same(pair, target, _SEED)


def _program(bench: Bench, pair: Pair, flags: Sequence[str], *, generated: bool) -> Path:
    """The original or the generated C with a main that times calls."""
    file = pair.folder / "timer.c"
    file.write_text(timer(pair.interface, _ROUND_SECONDS), encoding="utf-8")
    target = pair.folder / ("timed_generated" if generated else "timed_original")
    built = bench.with_main(pair, file, flags, target, generated=generated)
    if not built.succeeded:
        raise InputError(Problem(f"it does not compile: {built.last_lines()}", "correct it"))
    return target


def _start(bench: Bench, turns: Path, programs: Sequence[Path], rounds: int) -> list[list[float]]:
    """Seconds of a call by program and round, of processes started afresh."""
    finished = run(
        [str(turns), str(rounds), *map(str, programs)],
        folder=turns.parent,
        seconds=_SECONDS,
        large_stack=True,  # arrays of the original may be there
        sandbox=bench.sandbox(),
    )
    times = [float(word) for word in finished.output.split()]
    if not finished.succeeded or len(times) != rounds * len(programs):
        what = f"a program ended before its rounds did: {finished.ending()}"
        raise LimitError(Problem(what, "try smaller parameters"))
    return [times[number :: len(programs)] for number in range(len(programs))]


def _turns(bench: Bench) -> Path:
    """The program that lets others take turns."""
    source, target = bench.work / "turns.c", bench.work / "turns"
    source.write_text(_TURNS, encoding="utf-8")
    command = [*bench.compiler.command, "-O1", str(source), "-o", str(target)]
    built = run(command, folder=bench.work, seconds=_SECONDS)
    if not built.succeeded:
        raise ToolError(Problem(f"it cannot time programs here: {built.last_lines()}", "see there"))
    return target


_TURNS = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* turns ROUNDS PROGRAM..: starts all programs on one processor, then lets each make a round in
 * turn, and prints what it answers. */
int main(int argc, char **argv)
{
    const int rounds = atoi(argv[1]), programs = argc - 2;
    FILE *ask[64], *answer[64];
    char line[256];

    if (programs > 64)
        return 2;
#ifdef __linux__
    cpu_set_t allowed, last;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        for (int k = CPU_SETSIZE - 1; k >= 0; k--) {
            if (CPU_ISSET(k, &allowed)) {
                CPU_ZERO(&last);
                CPU_SET(k, &last);
                sched_setaffinity(0, sizeof last, &last);
                break;
            }
        }
    }
#endif
    for (int k = 0; k < programs; k++) {
        int in[2], out[2];
        if (pipe(in) || pipe(out))
            return 3;
        const pid_t child = fork();
        if (child < 0)
            return 3;
        if (child == 0) {
            dup2(in[0], 0);
            dup2(out[1], 1);
            close(in[1]);
            close(out[0]);
            execl(argv[2 + k], argv[2 + k], (char *)NULL);
            _exit(4);
        }
        close(in[0]);
        close(out[1]);
        ask[k] = fdopen(in[1], "w");
        answer[k] = fdopen(out[0], "r");
    }
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < programs; k++) {
            fputc('\n', ask[k]);
            fflush(ask[k]);
            if (fgets(line, sizeof line, answer[k]) == NULL)
                return 5;
            fputs(line, stdout);
        }
    }
    /* Those that still listen hear that nothing more comes. */
    for (int k = 0; k < programs; k++)
        fclose(ask[k]);
    return 0;
}
"""


def machine() -> str:
    """The processor's name as the system has it, and how many there are."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} processors"
