"""The LUTs with which Yosys chooses among several ways of a memory, fitted for `hlsmem.devices`.

`python -m benchmarks.yosys_choosing [FAMILY ...]` measures memories of 2, 3, .. ways in three
widths and prints rows (ways, LUTs a bit, LUTs once): the least squares over the widths. Then the
same of words out of 2, 3, .. banks that `hlsmem_rotator` brings to their operands.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.yosys_grid import SYNTHESISED, Shape, measure
from hlsmem.core.data_files import resource_folder
from hlsmem.devices import family_of
from hlsmem.devices.inference import implement
from hlsmem.devices.primitives import Style
from hlsmem.synthesis import synthesise

WAYS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 32, 40, 64)
WIDTHS = (4, 8, 18, 36, 9, 16, 32)
LANES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16)


def shapes(family: str, style: Style, ways: int) -> list[Shape]:
    """Memories that synthesis cuts into so many ways, of up to three widths."""
    found: list[Shape] = []
    for bits in WIDTHS[:3] if style is not Style.BLOCK else WIDTHS:
        for step in (1, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192):
            words = step * ways
            made = implement(family, words, bits, style=style, collision=False)
            if made.ways == ways and (style is Style.REGISTERS or step > 1) and words <= 65536:
                found.append(Shape(words=words, bits=bits, style=style.value))
                break
    return found[:3]


def fit(points: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """LUTs a bit and LUTs once, of (bits, LUTs) pairs, by least squares."""
    count = len(points)
    mean_bits = sum(bits for bits, _ in points) / count
    mean_luts = sum(luts for _, luts in points) / count
    spread = sum((bits - mean_bits) ** 2 for bits, _ in points)
    if spread == 0:
        return mean_luts / mean_bits, 0.0
    slope = sum((bits - mean_bits) * (luts - mean_luts) for bits, luts in points) / spread
    return slope, mean_luts - slope * mean_bits


def turned(family: str, lanes: int, bits: int) -> int:
    """The LUTs of `hlsmem_rotator` for so many words of so many bits."""
    sizes = {"WIDTH": bits, "LANES": lanes, "TURN": (lanes - 1).bit_length(), "LATENCY": 2}
    parameters = tuple((name, str(value)) for name, value in sizes.items())
    file = resource_folder("rtl") / "hlsmem_rotator.v"
    found = synthesise([file], "hlsmem_rotator", family, seeds=(), parameters=parameters)
    return found.area.luts


def main(families: Sequence[str]) -> None:
    for family in families:
        for style in (Style.REGISTERS, Style.DISTRIBUTED, Style.BLOCK):
            if style not in family_of(family).styles():
                continue
            asked = [(ways, shape) for ways in WAYS for shape in shapes(family, style, ways)]
            _, found = measure(family_of(family), [shape for _, shape in asked])
            rows: dict[int, list[tuple[int, int]]] = {}
            for (ways, shape), resources in zip(asked, found, strict=True):
                made = implement(family, shape.words, shape.bits, style=style, collision=False)
                rows.setdefault(ways, []).append(
                    (shape.bits, resources["luts"] - made.luts_of_cells)
                )
            print(f"{family} {style}")
            for ways, points in rows.items():
                a_bit, once = fit(points)
                print(f"    ({ways}, {a_bit:.2f}, {once:.1f}),", flush=True)
        print(f"{family} turning")
        for lanes in LANES:
            a_bit, once = fit([(bits, turned(family, lanes, bits)) for bits in (8, 16, 32)])
            print(f"    ({lanes}, {a_bit:.2f}, {once:.1f}),", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or SYNTHESISED)
