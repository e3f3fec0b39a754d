"""The module of a walk over beats: it tells the last one, and moves on when it is told to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.addressing.generator_compiler import compile_generator
from hlsmem.addressing.time_walk import TimeWalk
from hlsmem.verilog.generator_view import AddressGeneratorView, generator_view


def walk_view(
    walk: TimeWalk,
    module: str,
    stream: str,
    outputs: Mapping[str, Any],
    conditions: Mapping[str, Any],
    widths: Mapping[str, tuple[int, bool]],
) -> AddressGeneratorView:
    """Return the view of a walk with values and conditions of its beats as ports."""
    generator = compile_generator(walk.node, walk.loops, outputs, conditions, walk.visits)
    return generator_view(
        generator,
        module=module,
        stream=stream,
        widths=widths,
        keys=(),
        next_keys=(),
        tells=("last",),
    )
