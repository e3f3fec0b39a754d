"""The campaign: every fault in OUT, and the check that catches it.

Four kinds of faults: in plan.json, in the normal form of the source, in the Verilog, in the C of
OUT; those in the sources of hlsmem are in `tests.mutants.sources`. They are judged by the checks
that a user runs, those first that share least with what made OUT, and `generated`, which plans
again, behind them. What nothing catches has to be equivalent, by a proof that is run here.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hlsmem.core import verilog_library as library
from hlsmem.core.errors import HlsmemError, LimitError
from hlsmem.core.verdict import CHECKS, Status
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.questions.planned_checks import run_checks
from tests.mutants.hosts import host_faults
from tests.mutants.normal import normal_faults
from tests.mutants.plans import PlanFault, drawn, survivors, told
from tests.mutants.storage import stored
from tests.mutants.verilog import rtl_faults
from tests.plans import whole_files
from tests.steps import load

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

# Designs that faults are planted in, at sizes at which a check takes a second.
SUBJECTS: dict[str, tuple[str, ...]] = {
    "blur": ("blur/design.yaml", "params.N=8"),
    "durbin": ("durbin/design.yaml", "params.N=7"),
    "bicubic": ("bicubic/design.yaml", "params.N=6", "params.M=8"),
    "window3": ("window3/design.yaml", "params.W=12", "params.H=6"),
    "fifo": ("fifo/design.yaml", "params.N=1030"),
    "e1": ("e1/design.yaml",),
    "sobel": ("sobel/design.yaml", "params.N=8"),
    # A workspace of more than 64 bytes, to which the stack aligns it.
    "blur at 20": ("blur/design.yaml", "params.N=20"),
    "sobel at 40": ("sobel/design.yaml", "params.N=40"),
    "triangle": ("triangle/design.yaml", "params.N=8"),
    "threshold": ("threshold/design.yaml", "params.W=6", "params.H=5"),
    "two_readers": ("two_readers/design.yaml", "params.W=72", "params.H=8"),
    "half": ("half/design.yaml", "params.N=8"),
    "transpose": ("transpose/design.yaml", "params.N=8"),
    "matmul_relu": ("matmul_relu/design.yaml", "params.N=4", "params.M=3", "params.P=2"),
    "unsharp": ("unsharp/design.yaml", "params.W=12", "params.H=6"),
    # Parameters of the kernel that stay outside, and why.
    "outside": (
        "matmul_relu/design.yaml",
        "params.N=4",
        "params.M=3",
        "params.P=2",
        "kernel.parameters=auto",
    ),
}
IN_PLANS = ("blur", "durbin", "bicubic", "window3", "e1")
IN_VERILOG = ("blur", "durbin", "fifo")
# Each kind of memory, and C of several arrays.
STORED = ("blur", "durbin", "transpose", "triangle", "threshold", "two_readers", "fifo", "half")
STORED = (*STORED, "matmul_relu", "unsharp", "outside")
IN_NORMAL = ("blur", "durbin", "sobel", "triangle")
IN_C = ("blur at 20", "durbin", "sobel at 40")

NORMAL = "design/normal.c"
# What judges C is `host`, and checks that do not look at it are dear.
_NOT_OF_C = ("source", "proof", "reading", "replay", "rtl")

# What a check says that gave up: no verdict, and judged again by the next run.
LIMIT = "a limit was hit"
CAUGHT, EQUIVALENT, RIGHT, MISSED = "caught", "equivalent", "another right plan", "NOT CAUGHT"


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a fault: a verdict, who gave it, and the commit that was judged."""

    verdict: str
    by: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A fault: its kind, where it is planted, its name, and how it is judged in a folder."""

    kind: str
    subject: str
    name: str
    judge: Callable[[Path], Row]

    @property
    def key(self) -> str:
        return f"{self.kind} | {self.subject} | {self.name}"


@cache
def fingerprint() -> str:
    """A hash of all that a verdict depends on."""
    found = hashlib.sha256()
    files: Iterable[Path] = []
    for part in ("hlsmem", "hlsmem_verify", "tests", "rtl", "templates", "examples"):
        files = [*files, *sorted((ROOT / part).rglob("*"))]
    for file in files:
        if file.is_file() and file.suffix != ".pyc":
            found.update(str(file.relative_to(ROOT)).encode())
            found.update(file.read_bytes())
    return found.hexdigest()


@cache
def files_of(subject: str) -> dict[str, str | bytes]:
    """The files of OUT of a subject; planned once for the sources as they are."""
    kept = ROOT / "build" / "trust" / f"{fingerprint()[:16]}.{subject}.pickle"
    if not kept.exists():
        made = made_of(subject)
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(made))
        part.replace(kept)
    found: dict[str, str | bytes] = pickle.loads(kept.read_bytes())
    return found


def made_of(subject: str) -> dict[str, str | bytes]:
    """The files of OUT of a subject, planned now."""
    file, *settings = SUBJECTS[subject]
    return dict(whole_files(plan_design(load(EXAMPLES / file, settings=settings))))


def out_of(subject: str, folder: Path) -> Path:
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    write_folder(out, files_of(subject))
    return out


def text(subject: str, name: str) -> str:
    found = files_of(subject)[name]
    return found.decode() if isinstance(found, bytes) else found


def checked(out: Path, first: Sequence[str], never: Collection[str] = ()) -> str:
    """The first check that fails, and what it says; "" where none does.

    All that a user has run, those of `first` ahead of the others and without those of `never`.
    """
    limit = ""
    for name in dict.fromkeys((*first, *CHECKS.names())):
        if name in never or (name == "formal" and name not in first):
            continue
        try:
            found = run_checks(out, (name,))
        except LimitError as error:
            limit = limit or f"{LIMIT}: {name}: {error}"
            continue
        except HlsmemError as error:
            return f"refused: {error}".replace(f"{out}/", "")
        for one in found.verdicts:
            if one.status is Status.FAIL:
                return f"{one.check}: {one.detail}"
    return limit


# plan.json.


def plan_tasks() -> list[Task]:
    faults = survivors()
    for subject in IN_PLANS:
        faults += drawn(subject, text(subject, "plan.json"))
    for subject in STORED:
        own = text(subject, "plan.json")
        faults += [*stored(subject, own), *told(subject, own)]

    def judge_of(fault: PlanFault) -> Callable[[Path], Row]:
        return lambda folder: judge_plan(fault, folder)

    return [Task("plan.json", one.subject, one.name, judge_of(one)) for one in faults]


def judge_plan(fault: PlanFault, folder: Path) -> Row:
    out = out_of(fault.subject, folder)
    planted = fault.planted(text(fault.subject, "plan.json"))
    (out / "plan.json").write_text(planted, encoding="utf-8")
    # What a run or a tool measures is judged by one, before the design is planned again.
    runs = ("rtl",) if fault.is_measured else ()
    said = checked(out, ("source", "proof", *runs, "generated"))
    return Row(CAUGHT, said) if said else Row(MISSED, "")


# The normal form of the source.


def normal_tasks() -> list[Task]:
    found = []
    for subject in IN_NORMAL:
        for fault in normal_faults(text(subject, NORMAL)):

            def judge(folder: Path, subject: str = subject, planted: str = fault.text) -> Row:
                out = out_of(subject, folder)
                (out / NORMAL).write_text(planted, encoding="utf-8")
                said = checked(out, ("reading", "source", "proof", "generated"))
                return Row(CAUGHT, said) if said else Row(MISSED, "")

            found.append(Task("normal.c", subject, f"{fault.name}, line {fault.where}", judge))
    return found


# Verilog.


def rtl_tasks() -> list[Task]:
    found = []
    for subject in IN_VERILOG:
        names = [name for name in files_of(subject) if re.fullmatch(r"rtl/[^/]+\.v", name)]
        files = {name.removeprefix("rtl/"): text(subject, name) for name in names}
        for fault in rtl_faults(files, library=subject != "durbin"):
            changed = {name: own for name, own in fault.files.items() if own != files[name]}

            def judge(
                folder: Path, subject: str = subject, changed: dict[str, str] = changed
            ) -> Row:
                out = out_of(subject, folder)
                for name, own in changed.items():
                    (out / "rtl" / name).write_text(own, encoding="utf-8")
                said = checked(out, ("rtl", "formal"))
                if said:
                    return Row(CAUGHT, said)
                if all(library.plain(name) != name for name in changed):
                    # `rtl` takes another text of the library after this proof alone.
                    return Row(EQUIVALENT, "Yosys: the same circuit at the parameters used here")
                return Row(MISSED, "")

            if changed:
                found.append(Task("Verilog", subject, f"{fault.kind}, {fault.where}", judge))
    return found


# Host C.


def host_tasks() -> list[Task]:
    found = []
    for subject in IN_C:
        names = [name for name in files_of(subject) if re.fullmatch(r"host/[^/]+\.[ch]", name)]
        files = {name: text(subject, name) for name in names}
        for fault in host_faults(files):

            def judge(folder: Path, subject: str = subject, fault: Any = fault) -> Row:
                out = out_of(subject, folder)
                (out / fault.file).write_text(fault.text, encoding="utf-8")
                said = checked(out, ("host",), _NOT_OF_C)
                return Row(CAUGHT, said) if said else Row(MISSED, "")

            found.append(Task("host C", subject, f"{fault.name}, line {fault.where}", judge))
    return found
