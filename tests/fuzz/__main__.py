"""`make fuzz`: random programs, their plans, and broken texts until the time is over.

    python -m tests.fuzz [MINUTES] [SEED] [KIND..]

Programs without conditions and with them; of those with, a hundred for each other input, the
sources of reads in simulated runs; kernels in C and C++ as people write them, filters
that shift windows by hand, the text of kernels as it comes back, and the host C of random
programs, ten as one. Kernels in which nothing
runs, or very much, pipes and devices for files, folders that cannot be written, long texts, and
names that differ in case.
Prints how many programs were tried, also where it is interrupted, and the seed of everything that
fails; its input is kept in build/fuzz/.
Exit status 1 where anything failed. With a seed, it starts there; programs of even seeds below
those of `make test` are the same there.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hlsmem.core.errors import LimitError
from tests.fuzz.compare import Case, compare, expected, random_case
from tests.fuzz.extremes import empty, large
from tests.fuzz.files import cases, files, long
from tests.fuzz.hls import wrong_in_hls
from tests.fuzz.idioms import wrong_in_idioms
from tests.fuzz.pipelined import wrong_in_pipelined
from tests.fuzz.plans import check_plan
from tests.fuzz.returned import wrong_in_returned
from tests.fuzz.texts import Attempt, Outcome, outcomes, prepare
from tests.fuzz.windows import wrong_in_windows
from tests.host_loops.test_random import MANY
from tests.host_loops.test_random import wrong as wrong_shapes
from tests.studies.dataflow.judging import wrong_in_program
from tests.studies.dataflow.programs import design_of, random_program

KEPT = Path("build") / "fuzz"
MINUTES = 10.0
LIMIT = 60
"""Seconds of processor time that one input may take."""
CONDITIONS = 100
"""Programs with conditions in place of one without: they are small."""
_TOGETHER = 10
"""Programs that are one kernel where they are read as people write them."""


def main(arguments: Sequence[str]) -> int:
    """Fuzz for so many minutes, from a seed on; the exit status."""
    minutes = float(arguments[0]) if arguments else MINUTES
    seed = int(arguments[1]) if len(arguments) > 1 else int(time.time())
    kinds = [one for one in KINDS if one[0] in arguments[2:] or len(arguments) < 3]
    first = seed
    print(f"from seed {seed}, for {minutes:g} minutes", flush=True)
    end = time.monotonic() + 60 * minutes
    counts: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory(prefix="hlsmem-fuzz-") as name,
        contextlib.suppress(KeyboardInterrupt),
    ):
        while time.monotonic() < end:
            for kind, attempt, together in kinds:
                folder = Path(name) / f"{kind}{seed}"
                folder.mkdir()
                found = attempt(seed, folder)
                counts[f"{kind} {found.result}"] += together
                if found.trouble:
                    _keep(kind, seed, folder, found.trouble)
                shutil.rmtree(folder)
            seed += 1
    print(f"programs and texts of seeds {first} to {seed - 1}:")
    for kind, count in sorted(counts.items()):
        print(f"{count:6}  {kind}")
    return 1 if any(kind.endswith("FAILED") for kind in counts) else 0


def _case(seed: int) -> Case:
    """The case of a seed, a larger one every other time."""
    return random_case(seed, large=seed % 2 == 1)


def _program(seed: int, folder: Path) -> Outcome:
    """Compare the analysis of a program with enumeration."""

    def work() -> int:
        return _REFUSED if compare(_case(seed), folder).refused else 0

    return _in_a_copy(work, folder)


def _conditions(seed: int, folder: Path) -> Outcome:
    """Compare the sources of reads under conditions with simulated runs, in many programs."""

    def work() -> int:
        for own in range(seed * CONDITIONS, (seed + 1) * CONDITIONS):
            wrong = list(wrong_in_program(own))
            if wrong:
                (folder / "design.yaml").write_text(design_of(random_program(own)))
                raise AssertionError(f"program {own}: {wrong[0]}")
        return 0

    return _in_a_copy(work, folder)


def _plan(seed: int, folder: Path) -> Outcome:
    """Plan a program and check the plan."""

    def work() -> int:
        case = _case(seed)
        if expected(case).refused:
            return _REFUSED
        try:
            check_plan(case, folder)
        except LimitError as error:
            # The command ends so: with the array and the step at which there was too much work.
            if " is too complicated: " not in str(error):
                raise
            return error.exit_code
        return 0

    return _in_a_copy(work, folder)


def _kernels(
    wrong_in: Callable[[Sequence[int], Path], tuple[bool, str]],
) -> Callable[[int, Path], Outcome]:
    """Read kernels as people write them, and hold them against what they did.

    Those of several seeds are one; where that is wrong, each is tried by itself.
    """

    def attempt(seed: int, folder: Path) -> Outcome:
        def work() -> int:
            seeds = range(_TOGETHER * seed, _TOGETHER * (seed + 1))
            is_read, wrong = wrong_in(seeds, folder)
            if not wrong:
                return 0 if is_read else _REFUSED
            alone = (f"{one}: {wrong_in([one], folder)[1]}" for one in seeds)
            raise AssertionError("; ".join(one for one in alone if not one.endswith(": ")) or wrong)

        return _in_a_copy(work, folder)

    return attempt


def _returned(seed: int, folder: Path) -> Outcome:
    """Run a kernel beside its text as it comes back."""

    def work() -> int:
        wrong = next(wrong_in_returned(seed, folder), "")
        if wrong:
            raise AssertionError(wrong)
        return 0

    return _in_a_copy(work, folder)


def _shapes(seed: int, folder: Path) -> Outcome:
    """Run the host C of programs beside their originals; seeds have programs of their own."""

    def work() -> int:
        wrong = wrong_shapes(folder, range(MANY * seed, MANY * (seed + 1)))
        if wrong:
            raise AssertionError(wrong[0])
        return 0

    return _in_a_copy(work, folder)


def _commands(
    prepared: Callable[[int, Path], Iterable[Attempt]],
) -> Callable[[int, Path], Outcome]:
    """Give the command what it may not like, and some more commands on what came of it."""
    return lambda seed, folder: outcomes(prepared(seed, folder), seconds=LIMIT)


KINDS = (
    ("program", _program, 1),
    ("conditions", _conditions, CONDITIONS),
    ("plan", _plan, 1),
    ("idioms", _kernels(wrong_in_idioms), _TOGETHER),
    ("hls", _kernels(wrong_in_hls), _TOGETHER),
    ("pipelined", _kernels(wrong_in_pipelined), _TOGETHER),
    ("windows", _kernels(wrong_in_windows), _TOGETHER),
    ("returned", _returned, 1),
    ("shapes", _shapes, MANY),
    ("text", _commands(lambda seed, folder: [prepare(seed, folder)]), 1),
    ("empty", _commands(empty), 1),
    ("large", _commands(large), 1),
    ("files", _commands(files), 1),
    ("long", _commands(long), 1),
    ("cases", _commands(cases), 1),
)
"""What is tried of each seed, and how many programs that is."""
_REFUSED = 2
_RESULTS = {0: "as expected", _REFUSED: "rightly refused", LimitError.exit_code: "hit a limit"}


def _in_a_copy(work: Callable[[], int], folder: Path) -> Outcome:
    """What came out of some work in a copy of this process, with a limit on its time."""
    log = folder / "error"
    child = os.fork()
    if child == 0:
        import resource
        import traceback

        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))
            code = work()
        except BaseException:
            log.write_text(traceback.format_exc())
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        # The command limits isl's work, these functions below it do not.
        return Outcome(f"given up after {LIMIT} s")
    if code in _RESULTS:
        return Outcome(_RESULTS[code])
    trouble = log.read_text() if log.exists() else f"exit code {code}"
    return Outcome("FAILED", trouble)


def _keep(kind: str, seed: int, folder: Path, trouble: str) -> None:
    """Keep the input of a failure where people find it."""
    kept = KEPT / f"{kind}{seed}"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(folder, kept, symlinks=True, ignore=_pipes)
    (kept / "trouble").write_text(trouble)
    print(f"{kind} {seed}: {trouble.strip().splitlines()[-1][:200]}\n  kept in {kept}", flush=True)


def _pipes(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if (Path(folder) / name).is_fifo()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
