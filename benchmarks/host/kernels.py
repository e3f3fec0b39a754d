"""The kernels of `make bench-host`: their sources stand in this folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A source, the parameters that its plan holds for, its plan's values, and the ranges of its
    inputs. The source is its `text`, or else stands in this folder."""

    name: str
    context: str
    values: Mapping[str, int] = field(compare=False)
    inputs: str = ""
    text: str = ""

    @property
    def source(self) -> str:
        return self.text or (FOLDER / f"{self.name}.c").read_text(encoding="utf-8")

    def design_in(self, folder: Path) -> Path:
        """The design of the kernel, written with its source into a folder.

        Arrays of the original lie where they lay in the call before; so do those of C.
        """
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.c").write_text(self.source, encoding="utf-8")
        values = ", ".join(f"{key}: {value}" for key, value in self.values.items())
        file = folder / "design.yaml"
        file.write_text(
            f"hlsmem: 1\nname: {self.name}\nparams: {{{values}}}\n"
            f'context: "[{", ".join(self.values)}] -> {{ : {self.context} }}"\n'
            f"kernel: {{file: {self.name}.c}}\n"
            f"host: {{storage: static, inputs: {{{self.inputs}}}}}\n",
            encoding="utf-8",
        )
        return file


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A kernel at a size that is in cache, its plan's, and at one in memory.

    `is_of_order` says that it is there for the order of its loops, in which storage matters
    little; `is_fitted`, that constants of the score were taken from its times. `asked` is what
    C may take of the source's time at most, in cache and in memory. `cut` is a size at which
    nothing but tiling and jamming is measured, where the source takes half a minute a call.
    """

    kernel: Kernel
    large: Mapping[str, int] = field(compare=False)
    cut: Mapping[str, int] = field(default_factory=dict, compare=False)
    is_of_order: bool = False
    is_fitted: bool = False
    asked: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        return self.kernel.name

    @property
    def sizes(self) -> tuple[tuple[str, Mapping[str, int]], ...]:
        return ("in cache", self.kernel.values), ("memory", self.large)


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A row of table II of the paper: the parameters `at` which its reduction is told, the variant
    of method hyperplane that is the paper's, and the sizes that are timed."""

    kernel: Kernel
    row: str
    at: Mapping[str, int] = field(compare=False)
    variant: str = "parametric-disjoint"
    timed: Mapping[str, int] = field(compare=False)
    asked: float | None = None


def _case(
    name: str,
    context: str,
    small: int | Mapping[str, int],
    large: int | Mapping[str, int],
    inputs: str = "",
    *,
    asked: tuple[float | None, float | None] = (None, None),
    cut: Mapping[str, int] | None = None,
    is_of_order: bool = False,
    is_fitted: bool = False,
) -> Case:
    small, large = ({"N": one} if isinstance(one, int) else one for one in (small, large))
    return Case(
        kernel=Kernel(name=name, context=context, values=small, inputs=inputs),
        large=large,
        cut=cut or {},
        is_of_order=is_of_order,
        is_fitted=is_fitted,
        asked={
            place: one
            for place, one in zip(("in cache", "memory"), asked, strict=True)
            if one is not None
        },
    )


CASES = (
    _case("blur", "N >= 4", 256, 4096, asked=(1.05, 0.85), is_fitted=True),
    _case("unsharp", "N >= 6", 256, 4096, asked=(0.95, 0.72)),
    _case("harris", "N >= 6", 256, 4096, asked=(1.2, 0.80), is_fitted=True),
    _case("sobel", "N >= 4", 256, 4096),
    _case(
        "durbin",
        "N >= 3",
        400,
        4000,
        'r: ["-1e-4", "1e-4"]',
        asked=(0.65, 0.10),
    ),
    _case("heat2d", "N >= 18", 128, 2048, asked=(0.95, 0.45)),
    _case(
        "lbm_apart",
        "N >= 2T and T >= 2",
        {"N": 60, "T": 20},
        {"N": 1024, "T": 6},
        asked=(1.2, 0.65),
    ),
    _case("fir", "N >= 30", 8192, 4000000, asked=(0.2, None), is_fitted=True),
    _case("fused", "N >= 4", 256, 4096, asked=(0.60, 0.85), is_of_order=True, is_fitted=True),
    _case(
        "matmul",
        "N >= 4",
        512,
        1024,
        asked=(None, 0.05),
        cut={"N": 2048},
        is_of_order=True,
        is_fitted=True,
    ),
    _case("correlation", "N >= 4", 256, 1024, asked=(None, 0.02), is_of_order=True),
)


ASKED = {(case.name, place): most for case in CASES for place, most in case.asked.items()}

FOUND = {
    "blur": "two rows in place 0.91 to 0.93 at N=4096; sums of three rows of the image, with"
    " no row between (other values), 0.84 to 0.86. Three of five loads cross lines, and they take"
    " the time.",
    "unsharp": "as generated, by hand, 0.72 to 0.76 at N=4096; the last two loops in one 0.70 to"
    " 0.76.",
    "sobel": "no row between (other values) 0.95 at N=4096: its six loads take the time. `fused` is"
    " the same program with its loops in one, as which it is written more often.",
    "heat2d": "two rows a step 0.44 to 0.45 at N=2048, at any distance of rows but those that C"
    " avoids; three or four rows a step 0.53 to 0.55.",
    "durbin": "the additions of the sum alone, one after the other as in the source, 0.31 at N=4000"
    " and 0.65 at N=400, whatever is stored; two rows that change places 0.36 and 0.93.",
    "lbm_apart": "every population in a frame of its own that moves with it, in place, 0.31 to 0.39"
    " at N=1024 on the machine of this page; C as generated 0.40, on the other one 0.75. In cache,"
    " at N=60, the same is 1.6 to 2.2.",
    "fir": "strips behind whose start the last 23 cells of the one before are copied (280 cells)"
    " 0.10, cells modulo 512 in segments 0.125. Copies are no part of a plan. In the source's order"
    " its additions, one after the other, leave remainders little to cost: 1.4 of the source here,"
    " 2.5 there, so that C without any remainder gains no more than that over them.",
    "blur-tiled": "one row, with the columns that live on apart, 0.87 to 0.93; cells as generated"
    " 0.89 to 0.95.",
}
"""What C written by hand takes of the source's time, in turns with it, on a machine on which the
sources took half of the time that they take in reports/host.md; each the fastest of nine rounds."""


def _tiled(
    name: str,
    row: str,
    tiles: int,
    variant: str = "parametric-disjoint",
    asked: float | None = None,
) -> Printed:
    kernel = Kernel(name=name, context="T >= 1", values={"T": 2})
    at = {"T": tiles}
    return Printed(kernel=kernel, row=row, at=at, timed=at, variant=variant, asked=asked)


def _lattice(name: str, row: str, nodes: int, timed: Mapping[str, int]) -> Printed:
    context = "N >= 2T and T >= 2"
    kernel = Kernel(name=name, context=context, values={"N": 16, "T": 4})
    return Printed(
        kernel=kernel,
        row=row,
        at={"N": nodes, "T": timed["T"]},
        timed=timed,
        variant="parametric-lexicographic",
    )


TABLE_II = (
    Printed(
        kernel=Kernel(name="blur", context="N >= 4", values={"N": 256}),
        row="blur-interleaved",
        at={"N": 8192},
        timed={"N": 4096},
    ),
    _tiled("blur_tiled", "blur-tiled", 8, asked=0.90),
    _tiled("unsharp_tiled", "unsharp-mask-tiled", 8, "fixed-disjoint"),
    _tiled("harris_tiled", "harris-corner-tiled", 64),
    _lattice("lbm_d2q9", "LBM-D2Q9", 1024, {"N": 1024, "T": 6}),
    _lattice("lbm_d3q19", "LBM-D3Q19", 200, {"N": 100, "T": 10}),
    _lattice("lbm_d3q27", "LBM-D3Q27", 200, {"N": 100, "T": 10}),
    Printed(
        kernel=Kernel(name="diamond", context="K >= 1", values={"K": 2}),
        row="diamond-tile",
        at={"K": 64},
        variant="parametric-signs",
        timed={"K": 64},
        asked=0.35,
    ),
    Printed(
        kernel=Kernel(name="parallelogram", context="K >= 1", values={"K": 4}),
        row="stencil-1d-pllgm-tile",
        at={"K": 65536},
        timed={"K": 65536},
    ),
)

WIDE, *CUT_BY_HAND = (
    Kernel(
        name=f"matmul_{name}",
        context="M >= 4 and K >= 4 and N >= 4",
        values={"M": 96, "K": 96, "N": 32768},
    )
    for name in ("wide", "first", "second", "third")
)
"""The product of a few long rows, and the same with one of its loops cut in the source."""
