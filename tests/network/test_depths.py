"""The depths that streams between tasks need, held against a simulator that shares no code."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.network.depths import needed_depths, net_of_tasks, streams_between
from hlsmem.network.firing import Net
from hlsmem.program.model import Program
from tests.families import by_default
from tests.network.tasks import Call, Design, ends, random_design
from tests.steps import load


def net_of(folder: Path, design: Design) -> Net:
    (folder / "design.cpp").write_text(design.text, encoding="utf-8")
    program = load(folder / "design.cpp").input
    assert isinstance(program, Program)
    assert streams_between(program, design.streams) == dict.fromkeys(design.streams)
    net = net_of_tasks(program, dict.fromkeys(design.streams, True), whole=True)
    assert net is not None
    return net


@settings(max_examples=by_default(4, 400), deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_needed_depths_pass_and_one_less_stops(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    design = random_design(seed)
    net = net_of(tmp_path_factory.mktemp("depths"), design)
    dice = random.Random(seed)
    for _ in range(3):
        asked = [dice.choice([1, 1, 2, 3, 6]) for _ in design.streams]
        needed = needed_depths(net, asked)
        depths = dict(zip(design.streams, asked, strict=True))
        assert ends(design.calls, depths) == (not needed)
        depths |= {design.streams[k]: one.depth for k, one in needed.items()}
        assert ends(design.calls, depths)
        for k, one in needed.items():
            less = {design.streams[k]: one.depth - 1}
            assert not ends(design.calls, depths | less)
            assert ends(design.calls, less) is not one.alone


def test_the_simulator_sees_what_is_known_of_small_networks() -> None:
    """The turns of AMD's tutorial, and one word that waits for an array."""
    make = Call((((), "f"),) * 4 + (((), "g"),) * 4)
    take = Call(((("f", "g"), None),) * 4)
    assert ends((make, take), {"f": 4, "g": 1})
    assert not ends((make, take), {"f": 3, "g": 4})
    late = Call(take.firings, frozenset({0}))
    assert not ends((make, late), {"f": 4, "g": 3})
    assert ends((make, late), {"f": 4, "g": 4})


def test_random_designs_are_of_many_kinds() -> None:
    designs = [random_design(seed) for seed in range(40)]
    assert {len(one.calls) for one in designs} == {2, 3, 4, 5}
    assert any(call.after for one in designs for call in one.calls)
    joined = [f for one in designs for call in one.calls for f in call.firings]
    assert any(takes and puts for takes, puts in joined)
    assert any(len(takes) > 1 for takes, _ in joined)
