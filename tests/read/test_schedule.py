"""The `schedule` key: union maps and schedule trees, and everything that can be wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.polyhedra import Map, Set
from hlsmem.program.model import Order, Program
from tests.read.loading import (
    CONFLICTS,
    KERNEL,
    KERNEL_DESIGN,
    NETWORK,
    changed,
    load_text,
    messages_of,
    problems_of,
    stretches_of,
)


def with_schedule(folder: Path, schedule: str, **settings: str) -> Program:
    (folder / "copy.c").write_text(KERNEL)
    more = [f"{key}={value}" for key, value in settings.items()]
    program = load_text(folder, f"{KERNEL_DESIGN}schedule: {schedule}\n", settings=more).input
    assert isinstance(program, Program)
    return program


def refusals(folder: Path, schedule: str) -> list[str]:
    (folder / "copy.c").write_text(KERNEL)
    return messages_of(folder, f"{KERNEL_DESIGN}schedule: {schedule}\n")


TILES = "'{ W[i] -> [floor(i/4),0,i]; R[i] -> [floor(i/4),1,i] }'"
TREE = """|
  domain: "[N] -> { W[i] : 0 <= i < N; R[i] : 0 <= i < N }"
  child:
    schedule: "[{ W[i] -> [floor(i/4)]; R[i] -> [floor(i/4)] }]"
    child:
      sequence:
        - filter: "{ W[i] }"
          child: { schedule: "[{ W[i] -> [i] }]" }
        - filter: "{ R[i] }"
          child: { schedule: "[{ R[i] -> [i] }]" }
"""


@pytest.mark.parametrize("text", [TILES, TREE])
def test_a_schedule_replaces_the_order_of_the_source(tmp_path: Path, text: str) -> None:
    program = with_schedule(tmp_path, text)
    write, read = program.statements
    wanted = "[N] -> {{ {}[i] -> [floor(i/4),{},i] : 0 <= i < N }}"
    assert write.schedule.intersect_domain(write.domain).is_equal(Map(wanted.format("W", 0)))
    assert read.schedule.intersect_domain(read.domain).is_equal(Map(wanted.format("R", 1)))
    assert (program.time_dimensions, program.step_dimensions) == (3, 3)  # the last is no slot
    assert program.iterator_names == ("t0", "t1", "t2")


def test_the_order_of_the_source_is_kept(tmp_path: Path) -> None:
    program = with_schedule(tmp_path, TILES, order="iteration", **{"pipeline.level": "1"})
    assert (program.order, program.step_dimensions) == (Order.ITERATION, 1)
    original = program.original
    assert original is not None
    assert original.original is None
    assert (original.order, original.time_dimensions) == (Order.SEQUENTIAL, 3)
    assert [one.schedule.is_subset(Map(text)) for one, text in zip(
        original.statements,
        ["[N] -> { W[i] -> [0,i,0] }", "[N] -> { R[i] -> [0,i,1] }"],
        strict=True,
    )] == [True, True]  # fmt: skip


def test_a_network_may_be_reordered(tmp_path: Path) -> None:
    schedule = "schedule: '{ W[i] -> [0,i]; R[i] -> [1,i] }'\n"
    program = load_text(tmp_path, NETWORK + schedule).input
    assert isinstance(program, Program)
    assert program.original is not None
    assert program.statements[1].schedule.is_subset(Map("[N] -> { R[i] -> [1,i] }"))
    assert program.original.statements[1].schedule.is_subset(Map("[N] -> { R[i] -> [i,1] }"))


def test_times_of_streams_are_those_of_the_schedule(tmp_path: Path) -> None:
    (tmp_path / "copy.c").write_text(KERNEL)
    streams = "arrays: {in: {storage: stream, arrival: '{ in[i] -> [i,-1] }'}}\n"
    schedule = "schedule: '{ W[i] -> [i,0]; R[i] -> [i,1] }'\n"
    program = load_text(tmp_path, KERNEL_DESIGN + streams + schedule).input
    assert isinstance(program, Program)
    assert program.arrays["in"].arrival.is_equal(Map("[N] -> { in[i] -> [i,-1] }"))


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("'{ W[i] -> [i,0]; Q[i] -> [i,1] }'", "the schedule: there is no statement 'Q';"
         " the statements are: W, R"),
        ("'{ W[i] -> [i,0] }'", "the schedule gives 'R' no times; add a map for it"),
        ("'{ W[i] -> [i,0]; R[i] -> [i,1,0] }'", "the schedule gives 'W' times of 2 entries,"
         " but 'R' times of 3 entries; pad the shorter ones with zeros"),
        ("'{ W[i] -> [i,0]; R[i,j] -> [i,1] }'", "'R' has 1 dimension, but 2 stand in the"
         " schedule; write R[i]"),
        ("'{ W[i] -> [i,0] : i > 0; R[i] -> [i,1] }'", "the schedule gives no time to W[0]"
         " at N=8; let it cover the whole domain"),
        ("'{ W[i] -> [t,0] : i <= t <= i + 1; R[i] -> [i,1] }'", "the schedule gives several"
         " times to one instance of 'W'; give one"),
        ("'{ W[i] -> [i,0]; R[i] -> [i,1]; [i] -> [i,2] }'", "the schedule: a statement has no"
         " name; the statements are: W, R"),
        ("'{ W[i]; R[i] }'", "the schedule is a set, but a map is needed here; write"
         " { A[i] -> B[j] : ... } for a map and { A[i] : ... } for a set"),
        ("'{ W[i] -> [k,0]; R[i] -> [i,1] }'", None),
        ("'{ domain: \"{ W[i] : 0 <= i < 8; R[i] : 0 <= i < 8 }\" }'",
         "the schedule has times without entries; give at least one"),
        ("'{ domain: \"{ W[i] : 0 <= i < 8 }\", child: 3 }'", "the schedule tree has 3 where a"
         " node is needed; write a mapping with one of schedule, sequence, set, filter, mark"),
        ("'{ domain: \"{ W[i] }\", child: { schedule: 3 } }'", "the schedule tree has 3 here;"
         " write isl text in quotes"),
        ("'{ domain: \"{ W[i] }\", child: { schedule: \"{ W[i] -> [i] }\" } }'", "a band of the"
         " schedule is no list of times; write it like [{ S[i] -> [i] }], with one { .. } for"
         " every entry of time"),
        ("'{ domain: \"{ W[i]; R[i] }\", child: { schedule: \"[{ W[i] -> [i] }]\" } }'", "the"
         " schedule tree gives no time in this band to [N] -> { R[i] }; add them"),
        ("'{ domain: \"{ W[i] }\", child: { sequence: [{ schedule: x }] } }'", "the schedule tree"
         " has a child without a filter; begin it with filter"),
        ("'{ domain: \"{ W[i] }\", child: { sequence: x } }'", "the schedule tree has 'x' here;"
         " write a list of filters"),
        ("'{ domain: \"{ W[i] }\", children: 3 }'", "the schedule tree has 'children', which"
         " means nothing here; use one of domain, child"),
        ("'{ domain: 3 }'", "the schedule tree has no domain; begin it with domain"),
        ("'{ domain: \"{ W[i] : 0 <= i < 8 }\" } more'", "the schedule is not valid YAML:"
         " expected '<document start>', but found ('<scalar>',); check indentation, brackets and"
         " quotes; isl text needs quotes around it"),
        ("'{ domain: \"[M] -> { W[i] : 0 <= i < M }\" }'", "the domain of the"
         " schedule declares 'M', which is no parameter of the design; add it to params; the"
         " parameters are: N"),
    ],
)  # fmt: skip
def test_schedules_in_the_wrong(tmp_path: Path, schedule: str, message: str | None) -> None:
    found = refusals(tmp_path, schedule)
    if message is None:  # isl takes `k` for any value: several times, for which there is a test
        assert "several times" in found[0]
        return
    assert message in [one.split(": ", 1)[1] for one in found]


def test_the_bad_part_of_a_tree_is_pointed_at(tmp_path: Path) -> None:
    (tmp_path / "copy.c").write_text(KERNEL)
    text = TREE.replace("[{ W[i] -> [i] }]", "[{ W[i] -> [i ; }]")
    found = problems_of(tmp_path, f"{KERNEL_DESIGN}schedule: {text}")
    (stretch,) = stretches_of(found)
    assert stretch in "[{ W[i] -> [i ; }]"


def test_a_conflict_set_has_no_schedule(tmp_path: Path) -> None:
    text = changed(CONFLICTS, ("name: band", "name: band\nschedule: '{ S[i] -> [i] }'"))
    assert messages_of(tmp_path, text) == [
        "design.yaml:3:1: schedule has no meaning for a conflict set, which has no order; remove it"
    ]


@pytest.mark.parametrize(
    ("tile", "message"),
    [
        ("{ T[t] : t = 1 }", "the tile is a set of times, but has the name 'T'; write it"
         " like { [t0, t1] : t0 = 3 }"),
        ("{ [a, b, c, d] }", "the tile has times of 4 entries, but those of the program"
         " have 3; give as many, or fewer: the first ones"),
        ("{ [t] -> [t] }", "the tile is a map, but a set is needed here; write"
         " { A[i] -> B[j] : ... } for a map and { A[i] : ... } for a set"),
    ],
)  # fmt: skip
def test_tiles_in_the_wrong(tmp_path: Path, tile: str, message: str) -> None:
    (tmp_path / "copy.c").write_text(KERNEL)
    text = f"hlsmem: 1\nname: copy\nparams: {{N: 8}}\nplan: {{tile: '{tile}'}}\n"
    (found,) = messages_of(tmp_path, text + "kernel: {file: copy.c}\n")
    assert found.endswith(f": {message}")
    assert found.startswith("design.yaml:4:")


def test_a_tile_of_fewer_entries_takes_all_times_that_begin_so(tmp_path: Path) -> None:
    (tmp_path / "copy.c").write_text(KERNEL)
    text = f"{KERNEL_DESIGN}plan: {{tile: '{{ [s, i] : i = 2 }}'}}\n"
    program = load_text(tmp_path, text).input
    assert isinstance(program, Program)
    assert program.tile.is_subset(Set("[N] -> { [s, 2, k] }"))
    assert Set("[N] -> { [0, 2, k] : N >= 1 }").is_subset(program.tile)


def test_a_conflict_set_has_no_tile(tmp_path: Path) -> None:
    text = CONFLICTS + "plan: {tile: '{ [t] }'}\n"
    assert messages_of(tmp_path, text) == [
        "design.yaml:6:14: plan.tile has no meaning for a conflict set, which has no times;"
        " remove it"
    ]
