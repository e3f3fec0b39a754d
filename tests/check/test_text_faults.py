"""Faults planted in generated C: the host check catches each one that does harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check.host_runs.host_check import check_host
from hlsmem.core.verdict import Status
from hlsmem.planner.plan_assembly import Planning
from tests.faults.hosts import C_FAULTS, TextFault
from tests.plans import planning_of, put, whole_files

EXAMPLES = Path(__file__).parents[2] / "examples"

TEXT = """\
size_t cell(int x) { return (size_t)(x) % (size_t)(2 * N + 1); }
    for (int i = 0; i < N; i++)
        for (j = 1; j <= n - 1; j += 3) {
            a[cell(i)] = b[i % 7]
                    + 1;
            out[i][j] += x == 3;
        }
    y = 3;
"""


def edits(name: str) -> list[str]:
    """The lines each fault changes to, stripped."""
    (fault,) = [fault for fault in C_FAULTS if fault.name == name]
    found = []
    for where, faulty in fault.plant(TEXT):
        new = [one for one in faulty.splitlines() if one not in TEXT.splitlines()]
        assert TEXT.splitlines()[int(where) - 1] not in faulty.splitlines()
        found.append(" ".join(one.strip() for one in new))
    return found


def test_each_fault_is_one_edit_of_one_place() -> None:
    assert edits("modulus minus one") == [
        "size_t cell(int x) { return (size_t)(x) % ((size_t)(2 * N + 1) - 1); }",
        "a[cell(i)] = b[i % (7 - 1)]",
    ]
    assert edits("dropped write") == [";", ";"]
    assert edits("loop ends early") == [
        "for (int i = 0; i < N - 1; i++)",
        "for (j = 1; j <= n - 1 - 1; j += 3) {",
    ]
    assert edits("loop starts late") == [
        "for (int i = 0 + 1; i < N; i++)",
        "for (j = 1 + 1; j <= n - 1; j += 3) {",
    ]
    assert edits("step too long") == [
        "for (int i = 0; i < N; i += 2)",
        "for (j = 1; j <= n - 1; j += 4) {",
    ]


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Planning]:
    """The OUT of a small blur in steps, as C runs it: there every cell is needed."""
    out = tmp_path_factory.mktemp("out")
    settings = ["params.N=6", "order=iteration"]
    planning = planning_of(EXAMPLES / "blur" / "design.yaml", settings=settings)
    put(out, whole_files(planning))
    return out, planning


@pytest.mark.few(1)
@pytest.mark.parametrize("fault", C_FAULTS, ids=lambda fault: fault.name)
def test_the_host_check_catches_it(fault: TextFault, planned: tuple[Path, Planning]) -> None:
    out, planning = planned
    file = out / "host" / "blur.c"
    text = file.read_text()
    places = list(fault.plant(text))
    assert places
    try:
        for where, faulty in places[:2]:
            file.write_text(faulty)
            verdicts = check_host(out, planning.design, planning.program, planning.plan)
            assert Status.FAIL in {verdict.status for verdict in verdicts}, where
    finally:
        file.write_text(text)
