"""State in host C: begun by a function, kept from call to call, told where it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status
from hlsmem.emit.output_folder import write_folder
from tests.plans import plan_storage, whole_files
from tests.steps import load

RING = Path("tests/read/c/idioms/ring_state.c")


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("ring") / "out"
    write_folder(out, whole_files(plan_storage(load(RING))))
    return out


FAULTS = {
    "another first value": ("{1, 2, 3}", "{1, 2, 4}"),
    "begun at every call": ("if (!begun)", "if (begun || 1)"),
    "never begun": ("f_ws_init(&workspace);", ""),
    "a variable that is not kept": ("at[hlsmem_at_cell()] = hlsmem_at_first;", "(void)at;"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_state_is_found(ring: Path, fault: str) -> None:
    file = ring / "host" / "ring_state.c"
    text = file.read_text()
    old, new = FAULTS[fault]
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))
    try:
        verdicts = run_checks(ring, only=("host",)).verdicts
    finally:
        file.write_text(text)
    assert verdicts[0].status is Status.FAIL


@pytest.mark.parametrize("check", ["source", "proof"])
def test_state_that_is_not_kept_is_found(ring: Path, check: str) -> None:
    file = ring / "plan.json"
    text = file.read_text()
    assert '"state": true' in text
    file.write_text(text.replace('"state": true', '"state": false'))
    try:
        verdicts = run_checks(ring, only=(check,)).verdicts
    finally:
        file.write_text(text)
    assert any(one.status is Status.FAIL for one in verdicts)


def messages(tmp_path: Path, text: str, *settings: str, **parameters: int) -> str:
    file = tmp_path / "s.c"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        whole_files(plan_storage(load(file, settings=list(settings), parameters=parameters)))
    return str(caught.value)


def test_a_workspace_that_ends_with_the_call_keeps_nothing(tmp_path: Path) -> None:
    text = RING.read_text()
    assert messages(tmp_path, text, "host.storage=stack") == (
        "s.c:5:18: host.storage: stack keeps nothing from call to call, as state is; use "
        "host.storage: auto, or leave the array outside: arrays.ring.storage: external"
    )


def test_arguments_do_not_decide_what_is_kept(tmp_path: Path) -> None:
    text = (
        "void f(int n, int a[n]) {\n    static int z[64];\n"
        "    for (int i = 0; i < n; i++) { a[i] += z[i]; z[i] = a[i]; }\n}\n"
    )
    assert messages(tmp_path, text, n=16) == (
        "s.c:2:16: which elements of 'z' are kept depends on 'n', given at every call; make it "
        "a macro, or leave the array outside: arrays.z.storage: external"
    )


def test_state_is_asked_for_where_there_is_some(tmp_path: Path) -> None:
    found = messages(tmp_path, RING.read_text(), "arrays.t.storage=state")
    assert found == (
        "--set arrays.t.storage=state: 't' keeps nothing between calls that a later one may "
        "read; state is for static variables that are read before they are written"
    )
