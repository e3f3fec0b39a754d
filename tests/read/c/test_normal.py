"""The text of the normal form under compilers: no warning, and no bit, that its source has not."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.check.c_runs.c_harness import harness
from hlsmem.check.c_runs.c_interface import NotCallable, kernel_interface
from hlsmem.core.data_files import resource_folder
from hlsmem.program.model import Program
from tests.families import by_default
from tests.read.c.corpus import Case, cases

CASES = cases()
PIPELINED = [replace(one, words=(*one.words, "--set", "kernel.loops=pipelined")) for one in CASES]
STUBS = resource_folder("hls") / "include"
_WARNINGS = (
    "-O2",
    "-Wall",
    "-Wextra",
    "-Wno-unknown-pragmas",
    "-Wno-unused-label",
    "-Wmaybe-uninitialized",
)
_WATCHED = ("-g0", "-w", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")
# Where `break` on data leaves flags, and one that is an assertion.
_FLAGS = ("break_flag", "broken_off_rows", "up_to_width", "flag_not_used")

# Where gcc does not see that a remainder of a loop variable is 0 first, and a counter is.
_REMAINDERS = {"idioms-wrapping_counters.c": {"-Wmaybe-uninitialized"}}


def compiler(file: Path) -> list[str]:
    if file.suffix == ".c":
        return ["gcc", "-std=gnu99"]
    return ["g++", "-std=gnu++17", "-I", str(STUBS)]


def flags_of(case: Case) -> list[str]:
    """The cflags of a kernel, from any folder."""
    here = case.file.parent
    return [f"-I{here / one[2:]}" if one[:2] == "-I" else one for one in case.kernel().cflags]


def warned(folder: Path, command: Sequence[str], files: Sequence[Path]) -> dict[str, set[str]]:
    """The kinds of warnings about each of some files, by name."""
    made = [*command, *_WARNINGS, "-c", *map(str, files)]
    done = subprocess.run(made, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, set[str]] = {file.name: set() for file in files}
    for name, kind in re.findall(r"(\S+):\d+:\d+: warning: .*\[(-W\S+)\]", done.stderr):
        found[Path(name).name].add(kind)
    return found


def test_a_normal_form_has_no_warning_that_its_source_has_not(tmp_path: Path) -> None:
    """One call of the compiler for all; the sources of those with warnings are looked at then."""
    chosen = {f"{one.name}.c": one for one in CASES[:: by_default(60, 1)]}
    chosen |= {f"{one.name}.c": one for one in CASES if one.file.stem in _FLAGS}
    files = [tmp_path / name for name in chosen]
    for file in files:
        file.write_text(chosen[file.name].kernel().normal)
    for name, kinds in warned(tmp_path, compiler(files[0]), files).items():
        if kinds - _REMAINDERS.get(name, set()):
            originals = chosen[name].originals()
            command = [*compiler(originals[-1]), *flags_of(chosen[name])]
            kinds -= _REMAINDERS.get(name, set())
            assert kinds <= set().union(*warned(tmp_path, command, originals).values()), name


def run(folder: Path, name: str, *words: str) -> list[bytes] | None:
    """What a program leaves of some inputs; None where a sanitizer or a signal ends it."""
    done = subprocess.run([*words, "-o", name], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found = []
    for seed in "12345678":
        done = subprocess.run(
            [folder / name, "left", seed],
            cwd=folder,
            capture_output=True,
            check=False,
            env={"ASAN_OPTIONS": "detect_leaks=0"},
        )
        if done.returncode:
            return None
        found.append((folder / "left").read_bytes())
    return found


@pytest.mark.few("break_flag", "ring_state", "struct_copies", "up_to_width", "median_filter")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_normal_form_runs_as_its_source(case: Case, tmp_path: Path) -> None:
    runs_as_its_source(case, tmp_path)


@pytest.mark.few("matmul_relu", "histogram", "median_filter")
@pytest.mark.parametrize("case", PIPELINED, ids=lambda case: case.name)
def test_so_does_one_whose_loops_are_pipelined(case: Case, tmp_path: Path) -> None:
    runs_as_its_source(case, tmp_path)


def runs_as_its_source(case: Case, tmp_path: Path) -> None:
    """Bit by bit under sanitizers, and as gcc makes it as fast as it can."""
    design, kernel = case.design().input, case.kernel()
    assert isinstance(design, Program)
    if kernel.entry is not None:
        pytest.skip("C++, and several functions in turn, have no C of the user's own")
    try:
        text = harness(kernel_interface(design, kernel, design.values))
    except NotCallable as error:
        pytest.skip(str(error))
    (tmp_path / "main.c").write_text(text)
    (tmp_path / "normal.c").write_text(kernel.normal)
    sources = [str(one) for one in case.originals()]
    common = [*flags_of(case), "-Dmain=main_of_the_source", "-fwrapv", "-ffp-contract=off", "-lm"]
    for name, more in (("watched", [*_WATCHED, "-O1"]), ("fast", ["-w", "-O2"])):
        command = ["gcc", "-std=gnu99", "main.c", *more]
        expected = run(tmp_path, "source", *command, *sources, *common)
        if expected is None:
            pytest.skip("the source itself does not run clean")
        assert run(tmp_path, name, *command, "normal.c", *common) == expected
