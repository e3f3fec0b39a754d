"""Kernels of several nests with the cells that their arrays take in other orders."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from hlsmem.program.options import Design
from tests.steps import load

FOLDER = Path(__file__).parent / "kernels"


@cache
def expected_cells() -> Any:
    """By kernel: cells as written, with orders kept, in any order, in strips."""
    return YAML(typ="safe").load((FOLDER / "orders.yaml").read_text())


def kernel(name: str, *settings: str) -> Design:
    """The design of a kernel."""
    return load(FOLDER / f"{name}.yaml", settings=settings)
