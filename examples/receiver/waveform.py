"""Draw the waveform of the README from the signals that the simulation left, as SVG.

python waveform.py receiver.vcd > waveform.svg
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

# What is shown: the signal of `bench.pipe`, and of a word the bit with which it means something.
ROWS = (
    ("sample_tdata", "sample_tready"),
    ("T", None),
    ("state", "T"),
    ("D", None),
    ("C", None),
    ("left", "C"),
    ("out_tvalid", None),
    ("out_tdata", "out_tvalid"),
)
COLUMNS, BEFORE = 60, 10
WIDTH, HEIGHT, LEFT = 14, 26, 100


def cycles(vcd: str) -> Iterator[dict[str, str]]:
    """The values of the signals of `bench.pipe` right before each rising edge of the clock."""
    header, _, changes = vcd.partition("$enddefinitions $end")
    names: dict[str, list[str]] = {}
    scopes: list[str] = []
    for line in header.splitlines():
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"] and scopes == ["bench", "pipe"]:
            names.setdefault(words[3], []).append(words[4])
    values: dict[str, str] = {}
    for line in changes.splitlines():
        value, _, code = line.partition(" ") if line[:1] == "b" else (line[:1], "", line[1:])
        for name in names.get(code, ()):
            if name == "clk" and value == "1":
                yield dict(values)
            values[name] = value.removeprefix("b")


def shown(found: Sequence[dict[str, str]]) -> Sequence[dict[str, str]]:
    """The cycles around the first sample that begins a packet."""
    strong = (
        number
        for number, one in enumerate(found)
        if one["D"] == "1" and 600 < int(one["sample_tdata"], 2) < 2**15
    )
    first = max(0, next(strong) - BEFORE)
    return found[first : first + COLUMNS]


def drawn(found: Sequence[dict[str, str]]) -> Iterator[str]:
    width, height = LEFT + WIDTH * len(found) + 10, HEIGHT * len(ROWS) + 20
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
    yield ' font-family="monospace" font-size="11">'
    yield f'<rect width="{width}" height="{height}" fill="white"/>'
    for row, (name, enable) in enumerate(ROWS):
        low = 30 + HEIGHT * row
        yield f'<text x="{LEFT - 8}" y="{low - 4}" text-anchor="end">{name}</text>'
        if enable is None:
            heights = [low - 14 * (one[name] == "1") for one in found]
            steps = ((k + s, y) for k, y in enumerate(heights) for s in (0, 1))
            points = [f"{LEFT + WIDTH * k},{y}" for k, y in steps]
            yield f'<polyline points="{" ".join(points)}" fill="none" stroke="black"/>'
            continue
        yield f'<path d="M{LEFT} {low}h{WIDTH * len(found)}" stroke="#bbb"/>'
        for k, one in enumerate(found):
            if one[enable] == "1":
                at = LEFT + WIDTH * k
                yield f'<rect x="{at}" y="{low - 14}" width="{WIDTH}" height="14" fill="#9cf"/>'
                yield f'<text x="{at + 1}" y="{low - 4}" font-size="7">{int(one[name], 2)}</text>'
    yield "</svg>"


if __name__ == "__main__":
    print("\n".join(drawn(shown(list(cycles(Path(sys.argv[1]).read_text(encoding="utf-8")))))))
