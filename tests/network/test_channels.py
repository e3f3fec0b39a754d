"""The channel table of the reference, row by row, and what its networks may hold."""

from __future__ import annotations

from typing import Any

import pytest

from hlsmem.network.firing import Deadlock, Net, least_capacity, run
from hlsmem.network.listed_channels import capacities_of, net_of
from hlsmem.studies.networks.channel_classes import ChannelClass, facts_of
from tests.network.programs import NETS, processes_of_case, program_of, rows_of
from tests.programs import golden_case

CASES = [(case, k) for case in NETS for k in range(len(golden_case("004", case)["sizes"]))]


def at(value: Any, k: int) -> Any:
    return value[k] if isinstance(value, list) else value


def nets(case: str, k: int) -> tuple[Net, list[dict[str, Any]], dict[str, int]]:
    golden = golden_case("004", case)
    sizes = golden["sizes"][k]
    program = program_of(case, sizes)
    rows = rows_of(case, program)
    net = net_of(program, processes_of_case(case, program), rows)
    assert net is not None
    return net, golden["channels"], sizes


@pytest.mark.parametrize(("case", "k"), CASES, ids=lambda one: str(one))
def test_every_row_of_the_reference(case: str, k: int) -> None:
    golden = golden_case("004", case)
    program = program_of(case, golden["sizes"][k])
    channels = rows_of(case, program)
    net = net_of(program, processes_of_case(case, program), channels)
    assert net is not None
    for number, (channel, row) in enumerate(zip(channels, golden["channels"], strict=True)):
        facts, capacities = facts_of(program, channel), capacities_of(program, channel)
        assert capacities is not None
        alone = least_capacity(net, [None] * len(channels), number)
        assert alone.deadlock is None
        found: dict[str, Any] = {
            "class": facts.kind.value,
            "order": facts.order,
            "tokens": facts.tokens,
            "reads": facts.reads,
            "lag": facts.lag,
            "text": capacities.text,
            "cycle": capacities.cycle,
            "window": capacities.window,
            "selftimed": alone.most[number],
            "selftimed_window": alone.windows[number],
        }
        expected = {key: at(row[key], k) for key in found if key in row}
        assert {key: found[key] for key in expected} == expected, (case, row["ref"])


SUMS = {"blur-seq": (1, 72, 21), "transpose": (2, 36, 26), "triangle-transposed": (2, 28, 16)}
SUMS |= {"raster-to-tiles": (2, 64, 13), "reconvergent": (0, 12, 8), "tradeoff": (0, 9, 5)}


@pytest.mark.parametrize("name", SUMS)
def test_capacities_one_at_a_time_are_enough_together(name: str) -> None:
    k, text, selftimed = SUMS[name]
    net, rows, _ = nets(f"s004-net-{name}", k)
    assert sum(at(row["text"], k) for row in rows) == text
    capacities: list[int | None] = [None] * len(rows)
    for number in range(len(rows)):
        capacities[number] = least_capacity(net, capacities, number).most[number]
    assert sum(filter(None, capacities)) == selftimed
    assert run(net, capacities).deadlock is None
    for number, one in enumerate(capacities):  # one less never comes to its end
        assert one is not None
        less = [one - 1 if other == number else c for other, c in enumerate(capacities)]
        assert run(net, less).deadlock is not None


def test_what_one_channel_saves_another_pays() -> None:
    net, _, _ = nets("s004-net-tradeoff", 0)
    assert run(net, [1, 1, 1]).deadlock is not None
    fine = {
        (a, b, c)
        for a in range(1, 5)
        for b in range(1, 5)
        for c in range(1, 5)
        if run(net, [a, b, c]).deadlock is None
    }
    least = {
        one
        for one in fine
        if not any(other != one and all(map(int.__le__, other, one)) for other in fine)
    }
    assert least == {(1, 1, 3), (2, 1, 2), (3, 1, 1)}


@pytest.mark.parametrize("case", NETS)
def test_capacities_by_steps_deadlock_where_the_reference_says(case: str) -> None:
    net, rows, _ = nets(case, 0)
    assert run(net, [at(row["text"], 0) for row in rows]).deadlock is None
    # A wire without a cell is handed over within the step, which firing alone does not do.
    found = run(net, [max(at(row["cycle"], 0), 1) for row in rows]).deadlock
    stuck = {"blur", "fir4", "sobel", "lookahead"}
    assert (found is not None) == (case.removeprefix("s004-net-") in stuck)


def test_a_deadlock_is_a_circle_of_waits() -> None:
    net, _, _ = nets("s004-net-tradeoff", 0)
    found = run(net, [1, 1, 1]).deadlock
    assert isinstance(found, Deadlock)
    waits = {(one.process, one.channel, one.for_room) for one in found.cycle}
    assert waits == {(0, 0, True), (1, 2, True), (2, 1, False)}


@pytest.mark.parametrize("size", [64, 4096])
def test_the_class_does_not_list_reads(size: int) -> None:
    program = program_of("s004-net-blur", {"N": size})
    facts = [facts_of(program, one) for one in rows_of("s004-net-blur", program)]
    assert [one.lag for one in facts] == [2 * size, size, 0]
    assert facts[2].kind is ChannelClass.WIRE
    assert facts[2].for_all
    if size > 1000:
        assert all(capacities_of(program, c) is None for c in rows_of("s004-net-blur", program))
