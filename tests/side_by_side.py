"""The checks `exact` and `proof` beside each other: what one finds and the other does not.

    python -m tests.side_by_side [--faults] [PART_OF_A_NAME ..]

Plans are those of all designs and kernels of the repository, as the planner makes them; with
`--faults` those with each planted fault too. A line a difference, and a last one with the sums.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hlsmem.emit.folder import write_folder
from hlsmem.errors import InputError
from hlsmem.options import Design
from hlsmem.pipeline.answers import plan_design
from hlsmem.pipeline.checks import run_checks
from hlsmem.pipeline.output import output_files
from hlsmem.read.design import load
from hlsmem.verdict import Status
from tests.faults.plans import BRANCH_FAULTS, PART_FAULTS, PLAN_FAULTS
from tests.mutants.campaign import SUBJECTS
from tests.mutants.plans import PlanFault, drawn, survivors, told
from tests.mutants.storage import stored
from tests.read.c import test_constructs, test_idioms

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    "examples",
    "tests/designs",
    "tests/gates/designs",
    "tests/network/designs",
    "tests/orders/kernels",
    "tests/storage/designs",
    "tests/verification/designs",
    "tests/verification/formal/designs",
)
KINDS = (*PLAN_FAULTS, *PART_FAULTS, *BRANCH_FAULTS)


def designs() -> Iterator[tuple[str, Callable[[], Design]]]:
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.yaml")):
            yield str(file.relative_to(ROOT)), lambda file=file: load(file)
    for file in sorted((ROOT / "tests/read/c/idioms").glob("*.c")):
        yield f"idioms/{file.name}", lambda file=file: test_idioms.loaded(file)
    for name in test_constructs.NAMES:
        yield f"constructs/{name}", lambda name=name: test_constructs.loaded(name)


def faults(subject: str, text: str) -> Iterator[tuple[str, str]]:
    """(name, plan.json) of each fault that fits a plan."""
    own: list[PlanFault] = [*drawn(subject, text), *stored(subject, text), *told(subject, text)]
    own += survivors() if subject == "blur" else []
    for one in own:
        yield one.name, one.planted(text)
    for kind in KINDS:
        for where, faulty in kind.plant(json.loads(text)):
            yield f"{kind.name} {where}", json.dumps(faulty)


def said(out: Path, check: str) -> tuple[str, str]:
    """(pass, fail or what else the worst verdict is, its detail)."""
    try:
        found = run_checks(out, (check,)).verdicts
    except InputError as error:
        return "refused", error.problems[0].what
    worst = next((one for one in found if one.status is Status.FAIL), None)
    worst = worst or next((one for one in found if not one.fine), found[0])
    return worst.status.value, f"{worst.subject}: {worst.detail}"


def compared(name: str, out: Path, sums: Counter[str], outside: str = "") -> None:
    """Print where the two differ. What `outside` names is judged by neither of them alone."""
    exact, proof = said(out, "exact"), said(out, "proof")
    both = (exact[0] == "pass", proof[0] == "pass")
    found = {(True, True): "both pass", (False, False): "both fail"}
    kind = found.get(both, "proof alone" if both[0] else "exact alone")
    sums[f"{outside}{kind}"] += 1
    if both[0] != both[1] and not (outside and both[0]):
        print(f"{name}: exact {exact[0]} ({exact[1]}), proof {proof[0]} ({proof[1]})", flush=True)


def main(arguments: list[str]) -> int:
    wanted = [one for one in arguments if one != "--faults"]
    sums: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        if "--faults" in arguments:
            for name, (file, *settings) in SUBJECTS.items():
                if not wanted or any(one in name for one in wanted):
                    design = load(ROOT / "examples" / file, settings=settings)
                    planted(name, design, Path(folder) / "faults", sums)
        else:
            for name, make in designs():
                if not wanted or any(one in name for one in wanted):
                    honest(name, make, Path(folder) / "plans", sums)
    print(", ".join(f"{kind} {many}" for kind, many in sorted(sums.items())))
    return 0


def honest(name: str, make: Callable[[], Design], out: Path, sums: Counter[str]) -> None:
    try:
        files: dict[str, Any] = output_files(plan_design(make()))
    except InputError:
        sums["no plan"] += 1
        return
    write_folder(out, files)
    compared(name, out, sums)


def planted(name: str, design: Design, out: Path, sums: Counter[str]) -> None:
    write_folder(out, output_files(plan_design(design)))
    text = (out / "plan.json").read_text()
    for fault, faulty in faults(name, text):
        (out / "plan.json").write_text(faulty)
        compared(f"{name}, {fault}", out, sums, "faults: ")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
