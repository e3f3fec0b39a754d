"""PolyBench-like kernels, written with its macros: read, and compared with their runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlsmem.read.c.kernel import KernelReading, read_kernel
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.design_folder import Folder
from tests.read.c.tracked import Case, agree, build, predicted, recorded

FOLDER = Path(__file__).parents[3] / "benchmarks" / "polybench"
KERNELS = sorted(file.stem for file in FOLDER.glob("*.c"))


def sizes(name: str) -> tuple[str, ...]:
    """The int parameters of the kernel, in their order."""
    head = (FOLDER / f"{name}.c").read_text().partition("\n{")[0]
    return tuple(re.findall(r"\bint (\w+)[,)]", head))


def reading(name: str) -> KernelReading:
    return read_kernel(
        KernelRequest(
            folder=Folder(FOLDER), file=f"{name}.c", function=None, parameters=sizes(name)
        )
    )


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [_case(name) for name in KERNELS]


def _case(name: str) -> Case:
    text = (FOLDER / f"{name}.c").read_text()
    body = text.partition("#pragma scop")[2].partition("#pragma endscop")[0]
    macros = "\n".join(re.findall(r"^#define .*$", text, re.MULTILINE))
    tracked = tuple(array.name for array in reading(name).arrays)
    return Case(name, f"{macros}\n{body}", sizes(name), tracked)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, cases: list[Case]) -> Path:
    header = f'#include "{FOLDER / "polybench.h"}"'
    return build(tmp_path_factory.mktemp("polybench"), cases, header)


def test_there_are_all_thirty() -> None:
    assert len(KERNELS) == 30


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_read_as_it_runs(program: Path, cases: list[Case], name: str) -> None:
    number = KERNELS.index(name)
    case, found = cases[number], reading(name)
    for start in (3, 4):
        values = [start + position % 3 for position in range(len(case.parameters))]
        at = dict(zip(case.parameters, values, strict=True))
        expected = recorded(program, number, values)
        assert expected
        assert agree(predicted(found, case.tracked, at), expected), at
