"""What is a FIFO, and what is none, by the order in which its values are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.planner.plan_assembly import Planning
from hlsmem.storage.fifo.circuit import FifoCircuit, NoFifo, find_fifo
from tests.plans import hardware_of, laid, plan_storage
from tests.steps import load

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = Path(__file__).parent / "designs"


def found(file: Path, array: str, *settings: str, **parameters: int) -> FifoCircuit | str:
    planning = plan_storage(load(file, parameters=parameters, settings=settings))
    assert planning.program is not None
    answer = find_fifo(planning.program, laid(planning.plan)[array], planning.program.arrays[array])
    return answer.reason if isinstance(answer, NoFifo) else answer


def test_the_cells_of_the_plan_are_the_words_of_the_fifo() -> None:
    fifo = found(OWN / "fifos.yaml", "a", D=7)
    assert isinstance(fifo, FifoCircuit)
    assert (fifo.words, fifo.beats, fifo.bits) == (7, 33, 13)
    fifo = found(OWN / "fifos.yaml", "b")
    assert isinstance(fifo, FifoCircuit)
    # Of three steps two elements each, and those of the step that is read.
    assert (fifo.words, fifo.beats) == (6, 80)


@pytest.mark.parametrize(
    ("words", "in_ram"), [(1, 1), (2, 2), (3, 2), (4, 4), (5, 4), (6, 6), (65, 64), (1025, 1024)]
)
def test_the_latch_behind_a_ram_has_a_word_where_that_saves_a_count(
    words: int, in_ram: int
) -> None:
    fifo = found(OWN / "fifos.yaml", "a", D=7)
    assert isinstance(fifo, FifoCircuit)
    assert replace(fifo, words=words, drains=True).ram_words == in_ram
    assert replace(fifo, words=words, drains=False).ram_words == words


def test_a_reader_that_waits_for_something_else_has_no_word_in_the_latch() -> None:
    """A FIFO that is full before each read takes the next beat a cycle after it."""
    own = found(OWN / "fifos.yaml", "a", D=5)  # S writes what it reads
    assert isinstance(own, FifoCircuit)
    assert (own.words, own.ram_words, own.drains) == (5, 5, False)
    apart = hardware_of(EXAMPLES / "blur/design.yaml", {"N": 16}, ["arrays.blurx.parts=operands"])
    assert in_rams(apart) == {"blurx_0": (33, 33), "blurx_1": (17, 17)}
    assert apart.plan.timing is not None
    assert apart.plan.timing.cycles == 16 * 16 + 2
    readers = hardware_of(EXAMPLES / "two_readers/design.yaml")
    assert in_rams(readers) == {"t_0": (65, 64), "t_1": (64, 64)}


def in_rams(planning: Planning) -> dict[str, tuple[int, int]]:
    """The words of each FIFO, and those of its RAM."""
    fifos = (one for one in planning.circuits if isinstance(one, FifoCircuit))
    return {one.array: (one.words, one.ram_words) for one in fifos}


@pytest.mark.parametrize(
    ("reads", "reason"),
    [
        ("T[i,j] -> b[i,1-j]", "b[0][0] is not read in the order of the writes"),
        ("T[i,j] -> b[i,0]", "b[0][0] is read more than once"),
        ("T[i,j] -> b[i,j] : i > 0", "b[0][0] is never read"),
    ],
)
def test_values_read_otherwise_are_in_no_fifo(reads: str, reason: str, tmp_path: Path) -> None:
    text = (OWN / "fifos.yaml").read_text()
    one, other = '"[N, D] -> { T[i,j] -> b[i,j] }"', f'"[N, D] -> {{ {reads} }}"'
    file = tmp_path / "design.yaml"
    file.write_text(text.replace(f"{one}, {one}", other))
    assert found(file, "b") == reason


def test_several_readers_or_elements_are_no_fifo() -> None:
    assert found(EXAMPLES / "two_consumers/design.yaml", "smooth") == "Echo and Change read it"
    assert found(EXAMPLES / "blur/design.yaml", "blurx") == "statement C reads 3 elements per beat"
    filled = "elements are live before or after the program"
    file, settings = EXAMPLES / "matmul_relu/design.yaml", ["arrays.B.storage=memory"]
    assert found(file, "B", *settings) == filled


def test_a_memory_is_kept_where_copies_are_asked_for() -> None:
    planning = hardware_of(OWN / "fifos.yaml", settings=["arrays.a.reads=copies"])
    kinds = {name: memory.kind for name, memory in planning.plan.memories.items()}
    assert kinds == {"a": "ram", "b": "fifo"}
