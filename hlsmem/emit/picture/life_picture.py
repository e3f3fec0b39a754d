"""Live elements over time, with max-live and the planned cells as lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from hlsmem.emit.picture import svg
from hlsmem.lifetime.live_curve import LifeCurve, Tick
from hlsmem.plan import ArrayPlan

_WIDTH, _HEIGHT = 780, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 630, 92, 334
# Room for what is alive before the start and after the end.
_ASIDE = 18


def life_picture(curve: LifeCurve, plan: ArrayPlan, setting: str) -> str:
    """The curve of one array as SVG; `setting` says at which parameters."""
    parts = [*_frame(curve, plan, setting), *_curve(curve, _up(curve, plan)), *_lines(curve, plan)]
    parts += _peak(curve, plan) if curve.most() else ()
    return svg.document(_WIDTH, _HEIGHT, _title(plan), parts)


def _title(plan: ArrayPlan) -> str:
    return f"{plan.name}: live elements over time"


def _up(curve: LifeCurve, plan: ArrayPlan) -> svg.Scale:
    return svg.Scale(0, max(plan.hardware.words, curve.most(), 1) * 1.15, _BOTTOM, _TOP)


def _along(curve: LifeCurve) -> svg.Scale:
    return svg.Scale(0, curve.steps, _LEFT + _ASIDE, _RIGHT - _ASIDE)


def _frame(curve: LifeCurve, plan: ArrayPlan, setting: str) -> Iterator[str]:
    yield svg.text(_LEFT, 26, _title(plan), size=15, bold=True)
    yield svg.text(_LEFT, 46, _subtitle(curve, plan, setting), colour=svg.GREY)
    yield from _legend(curve)
    up, along = _up(curve, plan), _along(curve)
    for value in svg.round_numbers(0, up.high, 6):
        yield svg.line((_LEFT, up.at(value)), (_RIGHT, up.at(value)), svg.PALE)
        yield svg.text(_LEFT - 7, up.at(value) + 4, str(value), anchor="end")
    yield svg.text(20, (_TOP + _BOTTOM) / 2, "live elements (cells)", anchor="middle", turned=True)
    for step, name in ((0, "start"), (curve.steps, "end")):
        yield svg.line((along.at(step), _TOP), (along.at(step), _BOTTOM), svg.GREY, dashes="2 3")
        yield svg.text(along.at(step), _TOP - 4, name, size=9, colour=svg.GREY, anchor="middle")
    for tick in curve.ticks:
        yield from _tick(tick, along.at(tick.step))
    yield svg.line((_LEFT, _BOTTOM), (_RIGHT, _BOTTOM), svg.INK)
    yield svg.line((_LEFT, _TOP), (_LEFT, _BOTTOM), svg.INK)
    yield svg.text((_LEFT + _RIGHT) / 2, _HEIGHT - 14, _time(curve), anchor="middle")


def _subtitle(curve: LifeCurve, plan: ArrayPlan, setting: str) -> str:
    declared = "" if plan.declared_cells is None else f" of {plan.declared_cells} declared"
    found = f"{_counted(plan.hardware.words, 'word')} planned{declared}"
    return f"{found}, at most {_counted(curve.most(), 'element')} alive at once{setting}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _legend(curve: LifeCurve) -> Iterator[str]:
    most = "alive" if curve.width == 1 else f"alive (most of {curve.width} steps)"
    yield svg.rectangle(_LEFT, 60, 16, 10, svg.LIGHT_BLUE, svg.BLUE)
    yield svg.text(_LEFT + 22, 69, most)
    x = _LEFT + 40 + svg.width_of(most)
    yield svg.line((x, 65), (x + 22, 65), svg.BLUE, width=2, dashes="6 4")
    yield svg.text(x + 28, 69, "max-live: nothing holds it in fewer words")
    x += 46 + svg.width_of("max-live: nothing holds it in fewer words")
    yield svg.line((x, 65), (x + 22, 65), svg.RED, width=2)
    yield svg.text(x + 28, 69, "cells planned")


def _tick(tick: Tick, x: float) -> Iterator[str]:
    """The number of a step, and below what runs then."""
    yield svg.line((x, _BOTTOM), (x, _BOTTOM + 5), svg.INK)
    yield svg.text(x, _BOTTOM + 18, str(tick.step), anchor="middle")
    for row, words in enumerate(tick.text.split(" at ")):
        yield svg.text(x, _BOTTOM + 32 + 12 * row, words, size=9, colour=svg.GREY, anchor="middle")


def _time(curve: LifeCurve) -> str:
    if not curve.loops:
        return f"time: {curve.steps} steps in the order of the schedule"
    return f"time: {curve.steps} steps, each one iteration of ({', '.join(curve.loops)})"


def _curve(curve: LifeCurve, up: svg.Scale) -> Iterator[str]:
    """The stairs of the curve, filled."""
    along = _along(curve)
    levels = [(float(_LEFT), curve.before)]
    levels += [(along.at(k * curve.width), alive) for k, alive in enumerate(curve.alive)]
    levels += [(along.at(curve.steps), curve.after)]
    stairs = f"M{_LEFT} {svg.number(up.at(levels[0][1]))}"
    for before, (x, alive) in pairwise(levels):
        if alive != before[1]:
            stairs += f"H{svg.number(x)}V{svg.number(up.at(alive))}"
    stairs += f"H{_RIGHT}"
    bottom = svg.number(up.at(0))
    yield svg.path(f"{stairs}V{bottom}H{_LEFT}Z", fill=svg.LIGHT_BLUE)
    yield svg.path(stairs, stroke=svg.BLUE, width=1.5)


def _peak(curve: LifeCurve, plan: ArrayPlan) -> Iterator[str]:
    """A dot at the peak, and above it when it is; above the line of the cells if that is near."""
    along, up = _along(curve), _up(curve, plan)
    y, line = up.at(curve.most()), up.at(plan.hardware.words)
    if curve.peak is None:
        x, words = _LEFT + _ASIDE / 2, f"{curve.most()} alive before the start"
    else:
        x = along.at(curve.peak.step + 0.5)
        when = "in" if curve.loops else "after"
        words = f"{curve.most()} alive, first {when} {curve.peak.text}"
    fits = x + 12 + svg.width_of(words, 10) < _RIGHT
    above = y - 8 if y - line > 22 or y <= line else line - 8
    yield svg.circle(x, y, 4, svg.INK)
    yield svg.text(
        x + 5 if fits else x - 5,
        above,
        words,
        size=10,
        anchor="start" if fits else "end",
        halo=True,
    )


def _lines(curve: LifeCurve, plan: ArrayPlan) -> Iterator[str]:
    """Max-live and the planned cells; their names stand apart from each other."""
    up, cells, most = _up(curve, plan), plan.hardware.words, curve.most()
    yield svg.line((_LEFT, up.at(cells)), (_RIGHT, up.at(cells)), svg.RED, width=2)
    yield svg.line((_LEFT, up.at(most)), (_RIGHT, up.at(most)), svg.BLUE, width=2, dashes="6 4")
    if cells == most:
        yield svg.text(_RIGHT + 8, up.at(cells) - 2, f"{cells} planned", colour=svg.RED, bold=True)
        yield svg.text(_RIGHT + 8, up.at(cells) + 12, "= max-live", colour=svg.BLUE, bold=True)
        return
    apart = max(0.0, 14 - (up.at(most) - up.at(cells))) / 2
    yield svg.text(
        _RIGHT + 8, up.at(cells) + 4 - apart, f"{cells} planned", colour=svg.RED, bold=True
    )
    yield svg.text(
        _RIGHT + 8, up.at(most) + 4 + apart, f"{most} max-live", colour=svg.BLUE, bold=True
    )
