"""Wires of a plan, by their streams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.check.plans.plan_holdings import parts_of


def wired_streams(document: Mapping[str, Any]) -> frozenset[str]:
    """The read streams of a plan that show in a cycle what is written in it."""
    return frozenset(
        stream
        for array in document["arrays"].values()
        for part in parts_of(array)
        if document["memories"][part["memory"]]["kind"] == "wire"
        for stream, _ in part["operands"]
    )
