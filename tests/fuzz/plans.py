"""The plan of a random program: its checks pass, and its run is the one enumerated here."""

from __future__ import annotations

import json
from pathlib import Path

from hlsmem.check.replayed.replay_check import check_replay, run_of
from hlsmem.check.replayed.run_events import Accesses
from hlsmem.core.verdict import Status
from hlsmem.plan import to_json
from tests.check.subjects import proof
from tests.fuzz.compare import Case, described
from tests.plans import plan_storage
from tests.steps import load

Access = tuple[int, bool, tuple[int, ...]]


def check_plan(case: Case, folder: Path, *settings: str) -> None:
    """Plan a case that is sound in `folder`; AssertionError where a check of its plan fails.

    `settings` are KEY=VALUE, changes of its design.
    """
    (folder / f"{case.program.name}.c").write_text(case.program.text())
    (folder / "design.yaml").write_text(case.design())
    planning = plan_storage(load(folder / "design.yaml", settings=settings))
    program = planning.program
    assert program is not None
    planned = [program.arrays[name] for name in planning.plan.arrays]
    found, _ = run_of(program.source, planned)
    for array in planned:
        own = found.accesses[array.name]
        assert _listed(own) == _made(case, array.name), described(case)
    document = json.loads(to_json(planning.plan))
    replayed = check_replay(planning.design, program, planning.plan, document)
    verdicts = [*proof(document).values(), *replayed]
    assert [one for one in verdicts if one.status is not Status.PASS] == [], described(case)


def _listed(accesses: Accesses) -> list[Access]:
    """The accesses that the compiled program made: instance, whether it writes, element."""
    elements = map(tuple, accesses.element.tolist())
    return list(zip(accesses.instance.tolist(), accesses.write.tolist(), elements, strict=True))


def _made(case: Case, array: str) -> list[Access]:
    """Those that the interpreter here makes."""
    return [
        (number, write, element)
        for number, one in enumerate(case.kept[case.program.n])
        for write, name, element in [*((False, *read) for read in one.reads), (True, *one.write)]
        if name == array
    ]
