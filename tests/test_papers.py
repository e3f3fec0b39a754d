"""The designs of examples/papers: the printed rows by their variants, planned and checked."""

from __future__ import annotations

from collections.abc import Mapping as Values
from functools import cache
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.emit.output_folder import write_folder
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.planner.array_folding import analyse
from hlsmem.read.design import load
from tests.conftest import EXAMPLES
from tests.plans import files_of

PAPERS = EXAMPLES / "papers"
BUDGET = 1_000_000

# What variants give at the design's own size: cells, as a formula where they have one.
ROWS: dict[tuple[str, str], dict[str, str]] = {
    ("reverse_l/design.yaml", "A"): {
        "lattice:max-sum": "4*N - 2",
        "reuse:parametric": "4*N - 2",
        "width:narrowest": "N^2",
        "hyperplane:parametric-disjoint": "5*N - 4",
        "hyperplane:parametric-lexicographic": "N^2",
    },
    ("blur_interleaved/design.yaml", "A"): {
        "lattice:max-sum": "2*N + 1",
        "lattice:max": "2*N + 4",
        "hyperplane:parametric-disjoint": "2*N + 1",
    },
    ("blur_tiled/design.yaml", "A"): {
        "lattice:max-sum": "3*B - 2",
        "lattice:max": "4*B - 2",
        "width:lefebvre-feautrier": "B^2",
        "hyperplane:parametric-disjoint": "3*B - 2",
    },
    ("harris_tiled/design.yaml", "A"): {"hyperplane:parametric-disjoint": "3*B - 2"},
    ("unsharp_tiled/design.yaml", "A"): {"hyperplane:parametric-disjoint": "5*B - 4"},
    ("produce_consume/design.yaml", "A"): {"hyperplane:parametric-disjoint": "2*N - 1"},
    ("lbm_d2q9/design.yaml", "A"): {
        "lattice:max-sum": "N^2 + 2*N + 1",
        "lattice:auov": "2*N^2",
        "width:lefebvre-feautrier": "2*N^2",
        "hyperplane:parametric-disjoint": "N^2 + 2*N",
        "hyperplane:fixed-disjoint": "31",
    },
    ("lbm_d3q19/design.yaml", "A"): {
        "lattice:max-sum": "N^3 + 2*N^2 + N",
        "width:lefebvre-feautrier": "2*N^3",
    },
    ("lbm_d3q27/design.yaml", "A"): {"lattice:max-sum": "N^3 + 3*N^2 + 3*N + 1"},
    ("diamond_tile/design.yaml", "A"): {
        "lattice:max-sum": "4*B - 2",
        "width:narrowest": "2*B^2 - B",
        "hyperplane:parametric-signs": "6*B - 5",
    },
    ("parallelogram_tile/design.yaml", "A"): {"hyperplane:parametric-disjoint": "3*B - 2"},
    ("hex_tile/design.yaml", "A"): {"hyperplane:parametric-signs": "9*B - 8"},
    ("heat_2d_tiled/design.yaml", "A"): {
        "lattice:max-sum": "6*B^2 - 7*B + 2",
        "lattice:sum-max": "8*B^2 - 8*B + 2",
        "width:narrowest": "B^3",
    },
    ("star/design.yaml", "A"): {"width:lefebvre-feautrier": "4*N + 4", "width:every-order": "4"},
    ("durbin/design.yaml", "y"): {
        "minima:rogers": "256",
        "minima:1.a": "2*N",
        "gauge:3-unit": "2*N",
        "exhaustive:opt": "197",
    },
    ("reg_detect/design.yaml", "mean"): {
        "minima:rogers": "64",
        "minima:1.a": "N^2",
        "exhaustive:opt": "27",
    },
    ("reg_detect/design.yaml", "diff"): {
        "minima:rogers": "4096",
        "minima:1.a": "N^2*P",
        "exhaustive:opt": "1728",
    },
    ("gauss/design.yaml", "g_tmp"): {
        "minima:rogers": "4096",
        "minima:1.a": "M*N - 2*M",
        "exhaustive:opt": "2400",
    },
    ("mot_detect/design.yaml", "Delta"): {"minima:rogers": "1", "exhaustive:opt": "1"},
    ("dynprog/memory.yaml", "c"): {
        "minima:rogers": "256",
        "minima:1.a": "N^2 - 2*N + 1",
        "exhaustive:opt": "61",
    },
    ("dynprog/design.yaml", "c"): {
        "minima:rogers": "256",
        "gauge:3-unit": "N^2 - 3*N + 2",
        "exhaustive:opt": "61",
    },
    ("dynprog/temporary.yaml", "c"): {"exhaustive:opt": "9"},
}

# Smaller sizes at which all checks run.
SMALL: dict[str, Values[str, int]] = {
    "reverse_l/design.yaml": {"N": 6},
    "blur_interleaved/design.yaml": {"N": 6},
    "blur_tiled/design.yaml": {"B": 5},
    "harris_tiled/design.yaml": {"B": 6},
    "unsharp_tiled/design.yaml": {"B": 6},
    "produce_consume/design.yaml": {"N": 5},
    "lbm_d2q9/design.yaml": {"N": 3, "T": 2},
    "lbm_d3q19/design.yaml": {"N": 2, "T": 2},
    "lbm_d3q27/design.yaml": {"N": 2, "T": 2},
    "diamond_tile/design.yaml": {"B": 4},
    "parallelogram_tile/design.yaml": {"B": 5},
    "hex_tile/design.yaml": {"B": 3},
    "heat_2d_tiled/design.yaml": {"B": 3},
    "star/design.yaml": {"N": 3},
    "durbin/design.yaml": {"N": 6},
    "reg_detect/design.yaml": {"N": 3, "P": 3},
    "gauss/design.yaml": {"N": 4, "M": 4},
    "mot_detect/design.yaml": {},
    "dynprog/memory.yaml": {"N": 5},
    "dynprog/design.yaml": {"N": 5},
    "dynprog/temporary.yaml": {"N": 5},
}

# Sizes that are macros of the kernel's text, as products of them are no affine subscripts.
MACROS = {"mot_detect/design.yaml": ['kernel.cflags=["-DM=6", "-DN=6"]']}

# The rest of the checked designs take minutes together.
QUICK = ("reverse_l/design.yaml", "star/design.yaml")


@cache
def problems_of(design: str) -> dict[str, StorageProblem]:
    _, problems = analyse(load(PAPERS / design))
    return {problem.array.name: problem for problem in problems}


def test_every_design_has_its_row() -> None:
    found = {file.relative_to(PAPERS).as_posix() for file in PAPERS.glob("*/*.yaml")}
    assert {design for design, _ in ROWS} == found == set(SMALL)


@pytest.mark.few("reverse_l", "blur", "harris", "lbm_d2q9", "hex", "star")
@pytest.mark.parametrize(("design", "array"), ROWS, ids=lambda name: Path(name).parent.name or name)
def test_rows_of_the_papers(design: str, array: str) -> None:
    problem = problems_of(design)[array]
    cells = {}
    for variant in ROWS[design, array]:
        answer = method_named(variant).run(problem, BUDGET)
        assert isinstance(answer, StorageMapping), f"{variant}: {answer.reason}"
        cells[variant] = str(answer.pieces[0].cells())
    assert cells == ROWS[design, array]


@pytest.mark.few("star")
@pytest.mark.parametrize(
    "design",
    [
        pytest.param(name, id=name, marks=() if name in QUICK else pytest.mark.long)
        for name in SMALL
    ],
)
def test_a_design_is_planned_and_checked(design: str, tmp_path: Path) -> None:
    settings = MACROS.get(design, [])
    write_folder(tmp_path / "out", files_of(PAPERS / design, SMALL[design], settings))
    wrong = [str(one) for one in run_checks(tmp_path / "out").verdicts if not one.fine]
    assert not wrong


@pytest.mark.dear
@pytest.mark.parametrize("design", sorted(one.parent.name for one in PAPERS.glob("*/design.yaml")))
def test_the_c_of_a_design_is_right(design: str, tmp_path: Path) -> None:
    """Those of networks have processes that write nothing, of which C has none."""
    write_folder(tmp_path / "out", files_of(PAPERS / design / "design.yaml"))
    found = run_checks(tmp_path / "out", ("host",)).verdicts
    assert [f"{one}: {one.detail}" for one in found if not one.fine] == []
