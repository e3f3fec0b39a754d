"""`make fuzz`: random programs and broken texts until the time is over.

    python -m tests.fuzz [MINUTES] [SEED]

Prints the seed of everything that fails and keeps its input in build/fuzz/. Exit status 1 where
anything failed. With a seed, it starts there; programs of seeds below that of `make test` are
the same there.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.fuzz.compare import compare, random_case
from tests.fuzz.texts import arguments_text, outcome, prepare

KEPT = Path("build") / "fuzz"
MINUTES = 10.0
LIMIT = 60
"""Seconds of processor time that one input may take."""


def main(arguments: Sequence[str]) -> int:
    """Fuzz for so many minutes, from a seed on; the exit status."""
    minutes = float(arguments[0]) if arguments else MINUTES
    seed = int(arguments[1]) if len(arguments) > 1 else int(time.time())
    print(f"from seed {seed}, for {minutes:g} minutes", flush=True)
    end = time.monotonic() + 60 * minutes
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="hlsmem-fuzz-") as name:
        while time.monotonic() < end:
            for kind, attempt in (("program", _program), ("text", _text)):
                folder = Path(name) / f"{kind}{seed}"
                folder.mkdir()
                trouble = attempt(seed, folder)
                counts[kind] += 1
                if trouble:
                    counts[f"failed {kind}"] += 1
                    _keep(kind, seed, folder, trouble)
                shutil.rmtree(folder)
            seed += 1
    print(", ".join(f"{count} {kind}s" for kind, count in sorted(counts.items())))
    return 1 if any(kind.startswith("failed") for kind in counts) else 0


def _program(seed: int, folder: Path) -> str:
    """Compare the program of a seed, a larger one every other time."""

    def work() -> None:
        compare(random_case(seed, large=seed % 2 == 1), folder)

    return _in_a_copy(work, folder)


def _text(seed: int, folder: Path) -> str:
    attempt = prepare(seed, folder)
    (folder / "command").write_text(arguments_text(attempt.arguments) + "\n")
    return outcome(attempt, seconds=LIMIT)


def _in_a_copy(work: Callable[[], None], folder: Path) -> str:
    """What went wrong in a copy of this process; empty where nothing did."""
    log = folder / "error"
    child = os.fork()
    if child == 0:
        import resource
        import traceback

        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))
            work()
            code = 0
        except BaseException:
            log.write_text(traceback.format_exc())
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return ""  # large programs may take isl for ever: the command has limits, this has not
    return "" if code == 0 else log.read_text()


def _keep(kind: str, seed: int, folder: Path, trouble: str) -> None:
    """Keep the input of a failure where people find it."""
    kept = KEPT / f"{kind}{seed}"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(folder, kept)
    (kept / "trouble").write_text(trouble)
    print(f"{kind} {seed}: {trouble.strip().splitlines()[-1][:200]}\n  kept in {kept}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
