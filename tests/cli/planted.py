"""Verbs with other work in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hlsmem.verb import VERBS


def plant_verb(
    monkeypatch: pytest.MonkeyPatch, name: str, run: Callable[..., Any] | None = None, **parts: Any
) -> None:
    """Give a verb another `run`, or other parts."""
    own = {} if run is None else {"run": run}
    monkeypatch.setitem(VERBS.own, name, replace(VERBS.own[name], **own, **parts))  # type: ignore
