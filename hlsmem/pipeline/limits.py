"""Limits of a design held against its plan: `limits` and `target.block_rams`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hlsmem.errors import Problem
from hlsmem.options import Limits
from hlsmem.pipeline.storage import Planning
from hlsmem.planfile.figures import (
    NUMBERS,
    Metrics,
    is_modular,
    is_optimal,
    metrics_of,
    total_of,
)
from hlsmem.wording import counted

_MEETS = {"optimal": is_optimal, "modular": is_modular}
_ONE = {
    "cells": "cell",
    "words": "word",
    "bits": "bit",
    "blocks": "block RAM",
    "cycles": "cycle",
}


def broken_limits(planning: Planning) -> tuple[Problem, ...]:
    """Every limit of the design that its plan does not meet, at the line that asks for it."""
    limits, plan = planning.design.limits, planning.plan
    found = list(_exceeded("the plan", limits.whole, total_of(plan)))
    if planning.shortfall is not None:
        place = limits.whole.places.get("blocks", planning.shortfall.place)
        found.append(replace(planning.shortfall, place=place))
    for name, one in limits.arrays.items():
        if name in plan.arrays:
            found += _exceeded(name, one, metrics_of(plan, name))
            if one.standing is not None:
                found += _weaker(name, one, metrics_of(plan, name))
    if limits.whole.standing is not None:
        for name in plan.arrays:
            found += _weaker(name, limits.whole, metrics_of(plan, name))
    return tuple(found)


def _exceeded(subject: str, limits: Limits, metrics: Metrics) -> Iterator[Problem]:
    for key in NUMBERS:
        most = getattr(limits, key, None)
        # Blocks of a whole plan are a shortfall, with what would help.
        if most is None or (key == "blocks" and subject == "the plan"):
            continue
        taken = metrics.number(key)
        if taken is None:
            what = f"limits allow {counted(most, _ONE[key])}, and no run of the plan is predicted"
            yield Problem(what, "leave limits.cycles out", limits.places[key])
        elif taken > most:
            yield Problem(
                f"{subject} takes {counted(taken, _ONE[key])}, and limits allow {most}:"
                f" {taken - most} too many",
                "`hlsmem explain` says what keeps it from being smaller",
                limits.places[key],
            )


def _weaker(name: str, limits: Limits, metrics: Metrics) -> Iterator[Problem]:
    asked = limits.standing or ""
    if not _MEETS[asked](metrics.standing):
        yield Problem(
            f"{name} takes {counted(metrics.cells, 'cell')}: {metrics.standing}, and limits ask for"
            f" {asked}",
            "`hlsmem compare` shows what every method finds",
            limits.places["standing"],
        )
