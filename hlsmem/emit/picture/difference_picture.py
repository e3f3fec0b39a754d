"""Conflicting differences with the lattice of elements that share a cell drawn over them."""

from __future__ import annotations

from collections.abc import Iterator

from hlsmem.emit.picture import svg
from hlsmem.mapping.sections import DifferencePlot, Section

_WIDTH, _LEFT, _TOP = 780, 20, 82
# Around the frame of a section: axis labels and ticks, title, and space to the next one.
_AXIS, _HEAD, _FOOT, _GAP = 46, 20, 44, 16
_LEAST, _MOST = 150, 460
# Squares of points are drawn apart from each other if they are at least so wide.
_APART = 3.0


def difference_picture(plot: DifferencePlot, setting: str) -> str:
    """The sections of one array as SVG; `setting` says at which parameters."""
    columns = 1 if len(plot.sections) == 1 else 2
    room = (_WIDTH - 2 * _LEFT - (columns - 1) * _GAP) / columns
    parts, y = list(_head(plot, setting)), float(_TOP)
    for first in range(0, len(plot.sections), columns):
        row = plot.sections[first : first + columns]
        height = max(_height(section, room - _AXIS) for section in row)
        for column, section in enumerate(row):
            frame = _Frame(section, _LEFT + column * (room + _GAP), y, room, height)
            parts += _section(section, frame, f"frame{first + column}")
        y += _HEAD + height + _FOOT
    return svg.document(_WIDTH, y + 8, _title(plot), parts)


def _title(plot: DifferencePlot) -> str:
    return f"{plot.array}: conflicts and the lattice of its mapping"


def _head(plot: DifferencePlot, setting: str) -> Iterator[str]:
    pairs = plot.conflicts // 2
    what = "1 difference conflicts" if pairs == 1 else f"{pairs} differences conflict"
    shown = "" if plot.is_complete else "; sections through 0"
    yield svg.text(_LEFT, 26, _title(plot), size=15, bold=True)
    subtitle = f"{what}, up to sign; {plot.cells} cells keep them apart{setting}{shown}"
    yield svg.text(_LEFT, 46, subtitle, colour=svg.GREY)
    yield from _legend(plot)


def _legend(plot: DifferencePlot) -> Iterator[str]:
    x = float(_LEFT)
    yield svg.rectangle(x, 60, 10, 10, svg.ORANGE)
    words = "conflict: so far apart, elements need two cells"
    yield svg.text(x + 16, 69, words)
    x += 34 + svg.width_of(words)
    yield svg.circle(x, 65, 4, svg.BLUE)
    words = "lattice: so far apart, they share one"
    yield svg.text(x + 10, 69, words)
    x += 28 + svg.width_of(words)
    if any(section.basis for section in plot.sections):
        corners = [(x, 71), (x + 14, 71), (x + 20, 60), (x + 6, 60)]
        yield svg.path(svg.polygon(corners), fill=svg.BLUE, stroke=svg.BLUE, opacity=0.22)
        yield svg.text(x + 28, 69, f"its area: {plot.cells} cells")


class _Frame:
    """Box of a section's drawing, with its axis labels, and its scales."""

    def __init__(self, section: Section, x: float, y: float, width: float, height: float) -> None:
        window = section.window
        self.left, self.right = x + _AXIS, x + width
        self.top, self.bottom = y + _HEAD, y + _HEAD + height
        self.x = svg.Scale(window.left - 0.5, window.right + 0.5, self.left, self.right)
        self.y = svg.Scale(window.low - 0.5, window.high + 0.5, self.bottom, self.top)


def _height(section: Section, width: float) -> float:
    """The height of a frame of this width whose points are square, within limits."""
    window = section.window
    if len(section.axes) == 1:
        return 70
    square = width * (window.high - window.low + 1) / (window.right - window.left + 1)
    return min(max(square, _LEAST), _MOST)


def _section(section: Section, frame: _Frame, name: str) -> Iterator[str]:
    yield from _axes(section, frame)
    inside = [*_conflicts(section, frame), *_axis_lines(frame)]
    inside += [*_cell(section, frame), *_lattice(section, frame)]
    width, height = frame.right - frame.left, frame.bottom - frame.top
    yield svg.clipped(name, frame.left, frame.top, width, height, "\n".join(inside))
    yield svg.rectangle(frame.left, frame.top, width, height, "none", svg.INK)


def _axes(section: Section, frame: _Frame) -> Iterator[str]:
    window = section.window
    if section.fixed:
        place = ", ".join(f"{index} = {value}" for index, value in section.fixed)
        place = f"difference in {place}"
        if any(value for _, value in section.fixed):
            opposite = ", ".join(str(-value) for _, value in section.fixed)
            place += f" (mirrored at {opposite})"
        yield svg.text(frame.left, frame.top - 6, place, bold=True)
    if section.is_cropped:
        yield svg.text(
            frame.right, frame.top - 6, "near 0 only", size=9, colour=svg.GREY, anchor="end"
        )
    most = max(4, int((frame.right - frame.left) / 60))
    for value in svg.round_numbers(window.left, window.right, most):
        x = frame.x.at(value)
        yield svg.line((x, frame.bottom), (x, frame.bottom + 4), svg.INK)
        yield svg.text(x, frame.bottom + 16, str(value), size=10, anchor="middle")
    middle = (frame.left + frame.right) / 2
    yield svg.text(middle, frame.bottom + 32, f"difference in {section.axes[-1]}", anchor="middle")
    if len(section.axes) == 1:
        return
    for value in svg.round_numbers(window.low, window.high, 8):
        y = frame.y.at(value)
        yield svg.line((frame.left - 4, y), (frame.left, y), svg.INK)
        yield svg.text(frame.left - 7, y + 3.5, str(value), size=10, anchor="end")
    x, y = frame.left - _AXIS + 12, (frame.top + frame.bottom) / 2
    yield svg.text(x, y, f"difference in {section.axes[0]}", anchor="middle", turned=True)


def _axis_lines(frame: _Frame) -> Iterator[str]:
    """Thin lines through 0."""
    x, y = frame.x.at(0), frame.y.at(0)
    yield svg.line((frame.left, y), (frame.right, y), svg.GREY, width=0.5)
    yield svg.line((x, frame.top), (x, frame.bottom), svg.GREY, width=0.5)


def _conflicts(section: Section, frame: _Frame) -> Iterator[str]:
    wide, high = frame.x.unit, frame.y.unit
    aside, above = (0.08 * wide if wide >= _APART else 0), 0.08 * high
    data = ""
    for y, first, last in section.runs:
        runs = [(x, x) for x in range(first, last + 1)] if wide >= _APART else [(first, last)]
        for low, high_end in runs:
            left, right = frame.x.at(low - 0.5) + aside, frame.x.at(high_end + 0.5) - aside
            top, bottom = frame.y.at(y + 0.5) + above, frame.y.at(y - 0.5) - above
            size = f"h{svg.number(right - left)}v{svg.number(bottom - top)}"
            data += f"M{svg.number(left)} {svg.number(top)}{size}H{svg.number(left)}Z"
    if data:
        yield svg.path(data, fill=svg.ORANGE)
    for outline in section.outlines:
        corners = [(frame.x.at(x), frame.y.at(y)) for x, y in outline]
        yield svg.path(svg.polygon(corners), fill=svg.ORANGE, stroke=svg.ORANGE)


def _cell(section: Section, frame: _Frame) -> Iterator[str]:
    """The parallelogram that a basis of the lattice spans."""
    if section.basis is None:
        return
    (a, b), (c, d) = section.basis
    corners = [(0, 0), (a, b), (a + c, b + d), (c, d)]
    data = svg.polygon([(frame.x.at(x), frame.y.at(y)) for x, y in corners])
    yield svg.path(data, fill=svg.BLUE, stroke=svg.BLUE, width=1.5, opacity=0.22)


def _lattice(section: Section, frame: _Frame) -> Iterator[str]:
    radius = 4.0 if len(section.lattice) < 200 else 2.5
    for x, y in section.lattice:
        if (x, y) != (0, 0) or any(value for _, value in section.fixed):
            yield svg.circle(frame.x.at(x), frame.y.at(y), radius, svg.BLUE)
    if all(value == 0 for _, value in section.fixed):
        yield svg.circle(frame.x.at(0), frame.y.at(0), radius, svg.INK)
