"""Mutants of the rooms that decide what hardware there is: banks, storage, gates, walk, predict."""

from __future__ import annotations

from tests.mutants.mutants import Mutant

BANKS = (
    "tests/banks/test_bank_layout.py",
    "tests/banks/test_bank_search.py",
    "tests/banks/test_colouring.py",
)
GATES = (
    "tests/dependences/test_beat_ranks.py",
    "tests/dependences/test_gates.py",
    "tests/dependences/test_random.py",
    "tests/dependences/test_turns.py",
)
WALK = ("tests/addressing/test_nest_points.py", "tests/addressing/test_generators.py")
FLOW = ("tests/cycle_model/test_cycle_floor.py", "tests/cycle_model/test_cycle_prediction.py")
PLAY = ("tests/cycle_model/test_cycle_prediction.py", "tests/cycle_model/test_steady_state.py")
CHAIN = (
    "tests/storage/reuse_chain/test_delays.py",
    "tests/storage/reuse_chain/test_tap_formulas.py",
)
STORAGE = (
    "tests/storage/test_array_parts.py",
    "tests/storage/test_elastic.py",
    "tests/dependences/test_fifo.py",
)


PLANNER = (
    Mutant(
        "banks: remainders of rows are added up",
        "banks/bank_lattice.py",
        "number = number * self.basis[k][self.order[k]] + remainders[:, self.order[k]]",
        "number = number + remainders[:, self.order[k]]",
        BANKS,
    ),
    Mutant(
        "banks: one access more than ports is no conflict",
        "banks/bank_lattice.py",
        "if len(offsets) <= ports:",
        "if len(offsets) <= ports + 1:",
        BANKS,
    ),
    Mutant(
        "banks: entries above pivots are those of the row",
        "banks/bank_lattice.py",
        "counts = [pivots[column] for _, column in free]",
        "counts = [pivots[row] for row, _ in free]",
        BANKS,
    ),
    Mutant(
        "banks: a box more is not counted",
        "banks/bank_layout.py",
        "-(-(high - low + 1) // side)",
        "(high - low + 1) // side",
        BANKS,
    ),
    Mutant(
        "banks: of orders that waste the same the last is taken",
        "banks/bank_layout.py",
        "if best is None or storage.words < best.words:",
        "if best is None or storage.words <= best.words:",
        BANKS,
    ),
    Mutant(
        "banks: the sides of a box do not share what is left",
        "banks/bank_layout.py",
        "        rest = step\n",
        "",
        BANKS,
    ),
    Mutant(
        "banks: accesses a block apart may meet",
        "banks/cyclic.py",
        "(behind[:, ports:] - values[anywhere] >= block)",
        "(behind[:, ports:] - values[anywhere] >= block - 1)",
        BANKS,
    ),
    Mutant(
        "banks: a neighbour's colour is free again too early",
        "banks/colouring.py",
        "            if not self.blocked[other][colour]:\n                del",
        "            if self.blocked[other][colour] < 2:\n                del",
        BANKS,
    ),
    Mutant(
        "storage: lanes of a chain are a beat late",
        "storage/reuse_chain/delays.py",
        "delays[distance % unroll].add(distance // unroll)",
        "delays[distance % unroll].add(-(-distance // unroll))",
        CHAIN,
    ),
    Mutant(
        "storage: a way of beats has no register behind its RAM",
        "storage/reuse_chain/delays.py",
        "return Segment(beats=beats, ram=beats - 1)",
        "return Segment(beats=beats, ram=beats)",
        CHAIN,
    ),
    Mutant(
        "storage: taps are told apart by their beat alone",
        "storage/reuse_chain/delays.py",
        "position=positions[d % unroll].index(d // unroll)",
        "position=sorted(ordered).index(d) % len(positions[d % unroll])",
        CHAIN,
    ),
    Mutant(
        "storage: beats of an entry are those between its ends",
        "storage/reuse_chain/tap_formulas.py",
        "weights.append(weights[-1] * (last - first + 1))",
        "weights.append(weights[-1] * (last - first))",
        CHAIN,
    ),
    Mutant(
        "storage: a distance that differs between cases is taken",
        "storage/reuse_chain/tap_formulas.py",
        "if apart is None or (found is not None and apart != found):",
        "if apart is None:",
        (*CHAIN, "tests/storage/reuse_chain/test_chain_selection.py"),
    ),
    Mutant(
        "storage: every part takes every element",
        "storage/array_parts.py",
        "return None if written.is_subset(elements) else elements",
        "return None",
        STORAGE,
    ),
    Mutant(
        "storage: blocks are saved by what takes more",
        "storage/memory_footprint.py",
        "getattr(then, one) - getattr(now, one) for one in Resource",
        "getattr(now, one) - getattr(then, one) for one in Resource",
        ("tests/storage/test_memory_footprint.py",),
    ),
    Mutant(
        "storage: a FIFO hands on in the cycle in which it takes",
        "storage/fifo/circuit.py",
        "inside = 2 + self.output_register",
        "inside = 1 + self.output_register",
        STORAGE,
    ),
    Mutant(
        "storage: statements in turn get branch FIFOs",
        "storage/elastic.py",
        "return [edge for edge in edges if edge.source not in leads[edge.reader]]",
        "return list(edges)",
        STORAGE,
    ),
    Mutant(
        "gates: a range of rows counts as one time",
        "dependences/beat_ranks.py",
        "before += count(rows)",
        "before += 1",
        GATES,
    ),
    Mutant(
        "gates: values that miss some are a digit",
        "dependences/beat_ranks.py",
        "    if spread != stride * (values - 1):\n        return None\n",
        "",
        GATES,
    ),
    Mutant(
        "gates: beats wait for more than their distance",
        "dependences/release_limits.py",
        "np.arange(self.beats) - self.distance",
        "np.arange(self.beats) - self.distance + 1",
        GATES,
    ),
    Mutant(
        "gates: a counter opens a beat early",
        "dependences/earliest_release.py",
        "start=distance + 1,",
        "start=distance + 2,",
        GATES,
    ),
    Mutant(
        "gates: a counter has bits for less than it counts",
        "dependences/earliest_release.py",
        "return int((gone - own).max()) + 1",
        "return 0",
        GATES,
    ),
    Mutant(
        "gates: reads of a time come after its writes",
        "dependences/comparator_fit.py",
        "return Earlier(entries=step, at_same_time=True)",
        "return Earlier(entries=step, at_same_time=False)",
        ("tests/dependences/test_comparator_fit.py::test_what_a_beat_has_to_wait_for_is_earlier",),
    ),
    Mutant(
        "walk: a box takes in the points below it",
        "addressing/point_boxes.py",
        "inside = inside.where(Test(form.plus(-below.greatest(form) - 1)))",
        "inside = inside.where(Test(form.plus(-below.greatest(form))))",
        WALK,
    ),
    Mutant(
        "walk: loops step by two as if by one",
        "addressing/loop_visits.py",
        "if node.step > 1:",
        "if node.step > 2:",
        WALK,
    ),
    Mutant(
        "walk: the last iteration looks one ahead whatever the step",
        "addressing/loop_visits.py",
        "step = loop_form(facts.depth).plus(facts.step)",
        "step = loop_form(facts.depth).plus(1)",
        WALK,
    ),
    Mutant(
        "walk: what a guard excludes is visited too",
        "addressing/loop_visits.py",
        "then, otherwise = region.where(condition), region.without(condition)",
        "then, otherwise = region.where(condition), region",
        WALK,
    ),
    Mutant(
        "walk: conditions that hold at some points are left out",
        "addressing/loop_visits.py",
        "kept = [part for part in condition.conditions if not points.always(part)]",
        "kept = [part for part in condition.conditions if points.where(part).is_empty]",
        WALK,
    ),
    Mutant(
        "walk: negative values have no bit for their sign",
        "addressing/address_generator.py",
        "return 1 + max((-1 - least).bit_length(), max(greatest, 0).bit_length())",
        "return max(1, (-1 - least).bit_length(), max(greatest, 0).bit_length())",
        WALK,
    ),
    Mutant(
        "predict: a value is read in the cycle in which it is written",
        "cycle_model/cycle_floor.py",
        "and written[need - 1] >= issue:",
        "and written[need - 1] > issue:",
        FLOW,
    ),
    Mutant(
        "predict: a run ends with its last instance",
        "cycle_model/cycle_floor.py",
        "ending = max(ending, latest if table.writes else taken)",
        "ending = max(ending, taken)",
        FLOW,
    ),
    Mutant(
        "predict: an instance takes two cycles",
        "cycle_model/cycle_floor.py",
        "taken = last[number] + 1",
        "taken = last[number] + 2",
        FLOW,
    ),
    Mutant(
        "predict: writers push out before their memory has room",
        "cycle_model/circuit_model.py",
        "found = [group for group in groups if not any(writer.pushes for writer in group)]",
        "found = list(groups)",
        PLAY,
    ),
    Mutant(
        "predict: of two writers the later goes first",
        "cycle_model/stream_simulation.py",
        "first = chosen.is_before(writer)",
        "first = not chosen.is_before(writer)",
        PLAY,
    ),
    Mutant(
        "predict: idle places take no cycle",
        "cycle_model/stream_simulation.py",
        "if stream.place == place and not stream.done and not stream.is_beat[place]:",
        "while not stream.done and not stream.is_beat[stream.place]:",
        PLAY,
    ),
)
