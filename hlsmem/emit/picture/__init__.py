"""Pictures beside the report, as SVG: self-contained, with a background of their own."""

from __future__ import annotations

from collections.abc import Mapping

from hlsmem.emit.picture.difference_picture import difference_picture
from hlsmem.emit.picture.life_picture import life_picture
from hlsmem.lifetime.live_curve import LifeCurve
from hlsmem.mapping.sections import DifferencePlot
from hlsmem.plan import Plan

__all__ = ["difference_picture", "life_picture", "picture_files", "picture_names"]


def picture_names(array: str) -> dict[str, str]:
    """The files that an array may have in OUT, each with what it shows."""
    return {
        f"pictures/{array}-life.svg": "live elements over time",
        f"pictures/{array}-conflicts.svg": "conflicts and the lattice of the mapping",
    }


def picture_files(
    plan: Plan, curves: Mapping[str, LifeCurve], plots: Mapping[str, DifferencePlot]
) -> dict[str, str]:
    """The pictures of a plan by file name; curves and plots are given by array."""
    values = ", ".join(f"{name} = {value}" for name, value in plan.params.items())
    setting = f", at {values}" if values else ""
    files = {}
    for name, array in plan.arrays.items():
        life, conflicts = picture_names(name)
        if name in curves:
            files[life] = life_picture(curves[name], array, setting)
        if name in plots:
            files[conflicts] = difference_picture(plots[name], setting)
    return files
