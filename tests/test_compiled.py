"""What is compiled once a session is what would be compiled: any change of a text is seen."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import Sandbox
from tests.compiled import Compilers, Simulations

MAIN = '#include "said.h"\nint main(void) { return SAID; }\n'


@dataclass
class Counting:
    """`run`, and how often it was asked."""

    times: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(
        self, arguments: Sequence[str], *, folder: Path, seconds: float, sandbox: Sandbox
    ) -> Finished:
        self.times.append(tuple(arguments))
        return run(arguments, folder=folder, seconds=seconds, sandbox=sandbox)


def status(compilers: Compilers, folder: Path, *, main: str = MAIN, said: str = "3") -> int:
    """What the program of a folder of its own says; -1 where it does not compile."""
    (folder / "headers").mkdir(parents=True)
    made = Path(tempfile.mkdtemp(dir=folder))  # as checks do
    (made / "main.c").write_text(main)
    (folder / "headers/said.h").write_text(f"#define SAID {said}\n")
    command = ["cc", "-Iheaders", str(made / "main.c"), "-o", "program"]
    found = compilers(command, folder=folder, seconds=60, sandbox=Sandbox(writable=folder))
    if not found.succeeded:
        assert str(folder) in found.errors
        return -1
    return run([str(folder / "program")], folder=folder, seconds=60).status


@pytest.fixture
def compilers(tmp_path: Path) -> Compilers:
    (tmp_path / "kept").mkdir()
    return Compilers(run=Counting(), kept=tmp_path / "kept")


def asked(compilers: Compilers) -> int:
    assert isinstance(compilers.run, Counting)
    return len(compilers.run.times)


def test_the_same_texts_are_compiled_once(compilers: Compilers, tmp_path: Path) -> None:
    assert [status(compilers, tmp_path / name) for name in "ab"] == [3, 3]
    assert asked(compilers) == 1


@pytest.mark.parametrize(
    ("change", "then"),
    [({"said": "4"}, 4), ({"main": MAIN.replace("SAID;", "SAID + 2;")}, 5)],
    ids=["header", "source"],
)
def test_a_changed_text_is_compiled(
    compilers: Compilers, tmp_path: Path, change: dict[str, str], then: int
) -> None:
    assert status(compilers, tmp_path / "a") == 3
    assert status(compilers, tmp_path / "b", **change) == then
    assert asked(compilers) == 2


def test_what_does_not_compile_is_told_with_the_own_folder(
    compilers: Compilers, tmp_path: Path
) -> None:
    wrong = MAIN.replace("SAID", "WRITTEN")
    assert [status(compilers, tmp_path / name, main=wrong) for name in "ab"] == [-1, -1]
    assert asked(compilers) == 1


def test_what_a_macro_includes_is_not_kept(compilers: Compilers, tmp_path: Path) -> None:
    hidden = MAIN.replace('#include "said.h"', '#define H "said.h"\n#include H')
    assert status(compilers, tmp_path / "a", main=hidden) == 3
    assert status(compilers, tmp_path / "b", main=hidden, said="4") == 4


def test_a_text_that_names_its_folder_is_not_kept(compilers: Compilers, tmp_path: Path) -> None:
    """Its program would read the files of the test that was compiled first."""
    for name in "ab":
        named = f'{MAIN}const char *from = "{tmp_path / name}";\n'
        assert status(compilers, tmp_path / name, main=named) == 3
    assert asked(compilers) == 2


def test_what_is_said_of_frames_is_kept_too(compilers: Compilers, tmp_path: Path) -> None:
    for name in "ab":
        folder = tmp_path / name
        folder.mkdir()
        (folder / "main.c").write_text("int main(void) { return 0; }\n")
        command = ["cc", "-S", "-fstack-usage", "main.c", "-o", "main.s"]
        compilers(command, folder=folder, seconds=60, sandbox=Sandbox(writable=folder))
        assert "main" in (folder / "main.su").read_text()
    assert asked(compilers) == 1


def test_the_headers_of_verilator_are_compiled_by_the_first_simulation(tmp_path: Path) -> None:
    flags: list[list[str]] = []
    headers: list[str] = []

    def make(arguments: Sequence[str], **_: object) -> Finished:
        if arguments[-1].endswith(".h.gch"):
            headers.append(arguments[-1].removesuffix(".gch"))
        else:
            flags.append([one for one in arguments if one.startswith("OPT_")])
        return Finished(arguments=tuple(arguments), status=0, output="", errors="")

    (tmp_path / "kept").mkdir()
    run = Simulations(run=make, kept=tmp_path / "kept")
    making = ["make", "-C", "build", "-f", "Vtop.mk", "OPT_FAST=-O0", "OPT_GLOBAL=-O0"]
    for arguments in (making, making, ["iverilog"]):
        run(arguments, folder=tmp_path)
    (header,) = headers
    quick = [f"OPT_FAST=-O0 -include {header}", f"OPT_GLOBAL=-O0 -include {header}"]
    assert flags == [quick, quick, []]
    assert '#include "verilated.h"' in Path(header).read_text()
