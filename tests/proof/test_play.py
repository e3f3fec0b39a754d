"""The second way of hlsmem_verify: claims for all parameters, played at some of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hlsmem_verify.facts import Facts
from hlsmem_verify.judge import played
from tests.proof.documents import Document, plan_of, set_to

E1 = "e1/design.yaml"
NO_BANDS = "plan.bands=null"


@pytest.mark.parametrize(
    ("design", "settings", "sizes"),
    [
        ("blur/design.yaml", (), {"N": 7}),
        ("durbin/design.yaml", (), {"N": 8}),
        ("stencil5/design.yaml", (), {"M": 6, "N": 5}),
        (E1, (), {"m": 5, "n": 6}),
        (E1, ("plan.schedules=any", NO_BANDS), {"m": 6}),
        ("blur/conflicts.yaml", (), {"N": 6}),
    ],
)
def test_a_play_at_other_sizes_agrees(
    design: str, settings: tuple[str, ...], sizes: dict[str, int]
) -> None:
    document = plan_of(design, settings)
    found = played(Facts(document), document["params"] | sizes)
    assert (found.false, found.open) == ([], {})
    assert len(found.proved) == len(document["arrays"])


def _play_of(design: str, change: Callable[[Document], None], **sizes: int) -> list[str]:
    """What a play alone finds false in a changed plan."""
    document = plan_of(design)
    change(document)
    return played(Facts(document), document["params"] | sizes).false


def test_a_play_finds_what_is_wrong_at_other_sizes_alone() -> None:
    array = ("arrays", "blurx")
    hardware = (*array, "holdings", "hardware")
    piece = (*array, "holdings", "host", "parts", 0, "mapping", "pieces", 0)
    changes = {
        "share a cell": set_to(*piece, "modulus", 1, "N - 1"),
        "conflicts are others": set_to(
            *array, "conflicts", "differences", "[N] -> { [y, x] : -3 < y < 3 and -N < x < N }"
        ),
        "max-live is": set_to(*hardware, "bound", "expr", "3*N - 63"),
        "max-live is -40": set_to(*array, "holdings", "host", "bound", "expr", "3*N - 64"),
        "behind the newest": set_to(*hardware, "parts", 0, "taps_expr", 0, "3*N - 64"),
        "not at least 1": set_to(*piece, "modulus", 0, "2*N - 127"),
    }
    for reason, change in changes.items():
        (found,) = _play_of("blur/design.yaml", change, N=8)
        assert reason in found
    assert _play_of("blur/design.yaml", lambda _: None, N=8) == []
