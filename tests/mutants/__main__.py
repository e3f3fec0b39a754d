"""`make mutants`: every mutant in a copy of the package, against the tests chosen for it.

    python -m tests.mutants [WORD]...

Prints which test caught which mutant and in how many seconds; exit status 1 where one was not
caught. With words: only mutants whose names contain one of them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.mutants import MUTANTS, Mutant

ROOT = Path(__file__).resolve().parents[2]
_PARTS = ("hlsmem", "tests", "templates", "rtl", "sim", "examples", "benchmarks", "reports")
_PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-p", "no:cacheprovider")
_SECONDS = 240
_WIDTH = max(len(mutant.name) for mutant in MUTANTS)


def main(words: Sequence[str]) -> int:
    """Run the mutants whose names contain one of `words`, or all of them; the exit status."""
    chosen = [m for m in MUTANTS if not words or any(word in m.name for word in words)]
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="hlsmem-mutants-") as name:
        copy = Path(name)
        for part in _PARTS:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, copy / part, ignore=ignored)
        for file in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / file, copy / file)
        survivors = [mutant for mutant in chosen if not _is_caught(mutant, copy)]
    caught = len(chosen) - len(survivors)
    print(f"{caught} of {len(chosen)} mutants caught in {time.monotonic() - start:.0f} s")
    return 1 if survivors else 0


def _is_caught(mutant: Mutant, copy: Path) -> bool:
    file = copy / "hlsmem" / mutant.file
    whole = file.read_bytes()
    mutant.apply(copy / "hlsmem")
    start = time.monotonic()
    try:
        catcher = _catcher(mutant, copy)
    finally:
        file.write_bytes(whole)
    seconds = time.monotonic() - start
    print(f"{mutant.name:{_WIDTH}}  {seconds:5.1f} s  {catcher or 'NOT CAUGHT'}", flush=True)
    return catcher is not None


def _catcher(mutant: Mutant, copy: Path) -> str | None:
    """The first test that fails; RuntimeError where tests could not be run."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    for test in mutant.tests:
        try:
            done = subprocess.run(
                (*_PYTEST, test),
                cwd=copy,
                env=environment,
                capture_output=True,
                text=True,
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return f"{test} (no end)"
        if done.returncode == 1:
            found = re.search(r"^FAILED (\S+)", done.stdout, re.MULTILINE)
            return found[1] if found else test
        if done.returncode:
            raise RuntimeError(f"{mutant.name}: {test}: {done.stdout}{done.stderr}")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
