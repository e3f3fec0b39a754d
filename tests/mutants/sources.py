"""Faults in the sources of hlsmem, and the test that catches each.

What no test named for it catches has to be another right plan: OUT of a design is another, and all
checks pass on it.
"""

from __future__ import annotations

import compileall
import os
import pickle
import py_compile
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from hlsmem.emit.output_folder import write_folder
from tests.mutants.campaign import (
    CAUGHT,
    MISSED,
    RIGHT,
    ROOT,
    SUBJECTS,
    Row,
    Task,
    checked,
    files_of,
)
from tests.mutants.mutants import MUTANTS, Mutant
from tests.mutants.planner import PLANNER

PARTS = (
    "hlsmem",
    "hlsmem_verify",
    "tests",
    "templates",
    "rtl",
    "hls",
    "sim",
    "examples",
    "benchmarks",
    "reports",
    "docs",
)
FILES = ("pyproject.toml", "README.md", "Makefile", "CONTRIBUTING.md")
PYTEST = ("-m", "pytest", "-q", "-x", "--tb=no", "-p", "no:cacheprovider")
PYTEST = (*PYTEST, "-p", "tests.mutants.unshrunk")
# Exit codes of pytest: no such test, none that is not left out.
_NONE_RAN = (4, 5)
# Seconds of processor time, so that other load makes no test fail.
SECONDS = 240
# Run in a copy: the files of OUT of each subject.
_PLANS = """
import pickle, sys
from tests.mutants.campaign import made_of
sys.stdout.buffer.write(pickle.dumps({name: made_of(name) for name in sys.argv[1:]}))
"""


def source_tasks() -> list[Task]:
    def judge_of(mutant: Mutant) -> Callable[[Path], Row]:
        return lambda folder: judge_mutant(mutant, folder)

    return [Task("sources", one.file, one.name, judge_of(one)) for one in (*PLANNER, *MUTANTS)]


def judge_mutant(mutant: Mutant, folder: Path) -> Row:
    copy = folder / "copy"
    if not copy.exists():
        copied(copy)
    file = copy / "hlsmem" / mutant.file
    whole = file.read_bytes()
    mutant.apply(copy / "hlsmem")
    try:
        for test in dict.fromkeys((*caught_last(mutant), *mutant.tests)):
            caught = failing(copy, (test,), may_be_gone=test not in mutant.tests)
            if caught:
                return Row(CAUGHT, caught)
        return _other_plan(copy, folder)
    finally:
        file.write_bytes(whole)


def caught_last(mutant: Mutant) -> tuple[str, ...]:
    """The test that caught it when reports/trust.md was made, which saves those ahead of it."""
    row = rf"^\| {re.escape(f'{mutant.file} | {mutant.name}')} \| {CAUGHT} \| (tests/[^ |]+)"
    found = re.search(row, (ROOT / "reports" / "trust.md").read_text("utf-8"), re.MULTILINE)
    if found is None:
        return ()
    test, bracket, _ = found[1].partition("[")
    return (found[1] if found[1].endswith("]") or not bracket else test,)


def copied(copy: Path) -> None:
    """A copy of all that tests need, compiled once: a file is compiled again where it changes."""
    for part in PARTS:
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    # By hash: a mutant may have the size of what it stands for, and be as old.
    by_hash = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(copy / "hlsmem", quiet=1, invalidation_mode=by_hash)


def _of_copy(copy: Path) -> dict[str, str]:
    """The environment of programs that run the copy, and keep what they compile of it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(copy)}


def failing(copy: Path, tests: Sequence[str], *, may_be_gone: bool = False) -> str:
    """The first of some tests of a copy that fails; "" where none does, or none is there."""
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    # A case that is named runs, whether it is among those by default or not.
    marks = ("-m", "") if all("[" in test for test in tests) else ()
    try:
        done = subprocess.run(
            ("prlimit", f"--cpu={SECONDS}", sys.executable, *PYTEST, *marks, *tests),
            cwd=copy,
            env=_of_copy(copy),
            capture_output=True,
            text=True,
            timeout=10 * SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"{tests[0]} (no end)"
    if done.returncode == -signal.SIGKILL:
        return f"{tests[0]} (no end in {SECONDS} s of processor time)"
    if done.returncode == 1:
        found = re.search(r"^FAILED (\S+)", done.stdout, re.MULTILINE)
        return found[1] if found else tests[0]
    if done.returncode and not (may_be_gone and done.returncode in _NONE_RAN):
        raise RuntimeError(f"{tests}: {done.stdout}{done.stderr}")
    return ""


def _other_plan(copy: Path, folder: Path) -> Row:
    """What the checks of this package say of plans of the subjects by the copy, where these are
    others; whether any file of an example changes where none is."""
    words = (sys.executable, "-c", _PLANS, *SUBJECTS)
    found = subprocess.run(words, env=_of_copy(copy), cwd=copy, capture_output=True)
    if found.returncode:
        last = found.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        return Row(CAUGHT, f"plans of the designs: {last}")
    made = pickle.loads(found.stdout)
    others = [subject for subject in SUBJECTS if made[subject] != files_of(subject)]
    for subject in others:
        out = folder / "other"
        shutil.rmtree(out, ignore_errors=True)
        write_folder(out, made[subject])
        said = checked(out, ("source", "proof"), ("generated",))
        if said:
            return Row(CAUGHT, f"{subject}, {said}")
    if others:
        return Row(RIGHT, f"checks pass on OUT of {', '.join(others)}, which is another")
    if failing(copy, ("tests/test_record.py",)):
        return Row(MISSED, "tests/test_record.py alone: no OUT that is checked is another")
    return Row(MISSED, "no file of any example changes")
