"""The mutants: where a text is replaced by another, and the tests chosen to notice it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PROGRAMS = "tests/fuzz/test_programs.py::test_random_programs_are_analysed_as_enumeration_says[0]"
NETWORKS = "tests/lifetime/test_random.py::test_conflicts_and_max_live_are_those_of_enumeration"

DATAFLOW = (
    "tests/studies/dataflow/test_golden.py",
    "tests/studies/dataflow/test_condition_values.py",
    "tests/studies/dataflow/test_random.py",
)

PROPAGATED = ("tests/read/c/test_copy_propagation.py",)
OUTLINED = ("tests/read/c/test_outlined.py", "tests/fuzz/test_pipelined.py")
POINTERS = ("tests/emit/c/test_pointers.py",)


def idiom(name: str) -> tuple[str, ...]:
    """The test of a kernel in tests/read/c/idioms: its cells, and what it reads and stores."""
    return (f"tests/read/c/test_idioms.py::test_an_idiom_is_planned_as_stated[{name}]",)


def runs(name: str) -> tuple[str, ...]:
    """The test that such a kernel computes what it did."""
    return (f"tests/read/c/test_idioms.py::test_an_idiom_runs_as_the_original[{name}]",)


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old` stands exactly once in `file` (below hlsmem/) and becomes `new`."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = (PROGRAMS, NETWORKS)

    def apply(self, package: Path) -> None:
        """Change the file in a copy of the package; ValueError where the text is not as it was."""
        file = package / self.file
        text = file.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            found = text.count(self.old)
            raise ValueError(f"{self.name}: {found} times in {self.file}: {self.old!r}")
        file.write_text(text.replace(self.old, self.new), encoding="utf-8")


MUTANTS = (
    Mutant(
        "values live after the program are not kept",
        "timing/value_flow.py",
        "accesses(program, array, writes=False).union(live_after(program, array))",
        "accesses(program, array, writes=False)",
    ),
    Mutant(
        "nothing is live before the program",
        "timing/value_flow.py",
        "must=True).union(live_before(program, array))",
        "must=True)",
    ),
    Mutant(
        "the only write of an element is seen by reads before it",
        "timing/value_flow.py",
        "Map.lex_ge(pairs.domain().get_space())))",
        "Map.lex_ge(pairs.domain().get_space()))) or True",
        ("tests/timing/test_value_flow.py",),
    ),
    Mutant(
        "the search for the last write trusts constants of loops",
        "timing/value_flow.py",
        "    if not mixed:\n        return times",
        "    if mixed:\n        return times",
        ("tests/timing/test_value_flow.py",),
    ),
    Mutant(
        "uncertain writes hide what was written before",
        "timing/value_flow.py",
        "if access.array == array and must in (None, access.must)",
        "if access.array == array and must in (None, True)",
        ("tests/timing/test_value_flow.py", "tests/lifetime"),
    ),
    Mutant(
        "writes come before reads of the same time",
        "timing/events.py",
        "_READ, _WRITE, _END = 0, 1, 2",
        "_READ, _WRITE, _END = 1, 0, 2",
    ),
    Mutant(
        "strict is ignored",
        "timing/events.py",
        "_END if strict else _READ)",
        "_READ)",
    ),
    Mutant(
        "steps of iterations keep one entry too few",
        "timing/events.py",
        "size if program.order is Order.SEQUENTIAL else program.step_dimensions",
        "size if program.order is Order.SEQUENTIAL else program.step_dimensions - 1",
    ),
    Mutant(
        "live-out values are read before the program",
        "timing/events.py",
        "after = _outside(LIVE_OUT, 1, size + 2)",
        "after = _outside(LIVE_OUT, -1, size + 2)",
    ),
    Mutant(
        "live-in values come after the program",
        "timing/events.py",
        "before = _outside(LIVE_IN, -1, size + 2)",
        "before = _outside(LIVE_IN, 1, size + 2)",
    ),
    Mutant(
        "a value does not live when it is written beside another",
        "lifetime/live_interval.py",
        "return during.union(at_once.subtract(same)).coalesce()",
        "return during.coalesce()",
    ),
    Mutant(
        "values read in their own step need a cell",
        "lifetime/live_interval.py",
        "    if program.order is Order.SEQUENTIAL:\n        return flow.uses",
        "    if program.order is not None:\n        return flow.uses",
    ),
    Mutant(
        "a residence ends with the first read",
        "lifetime/live_interval.py",
        "stays = uses.apply_range(times.ends).curry().apply_range(written)\n",
        "stays = uses.apply_range(times.ends).lexmin().curry().apply_range(written)\n",
    ),
    Mutant(
        "the last entry of the times is forgotten",
        "lifetime/live_interval.py",
        "kept = [entry for entry in range(size) if entry not in constant]",
        "kept = [entry for entry in range(size) if entry not in constant][:-1]",
    ),
    Mutant(
        "differences have the wrong sign on one side",
        "polyhedra/sets.py",
        "return value.union(value.neg()).union(zero).coalesce()",
        "return value.union(zero).coalesce()",
    ),
    Mutant(
        "the sweep counts what has just ended",
        "lifetime/max_live.py",
        "np.searchsorted(self.ends, codes) + self.alive_before",
        'np.searchsorted(self.ends, codes, side="right") + self.alive_before',
    ),
    Mutant(
        "occupations end with the first read",
        "lifetime/occupancy.py",
        "return lexmax(reads).union(",
        "return reads.lexmin().union(",
    ),
    Mutant(
        "two writes of one element at one time are let through",
        "lifetime/soundness.py",
        "    if where.is_injective():\n        return",
        "    if where is not None:\n        return",
        ("tests/lifetime/test_soundness.py", NETWORKS),
    ),
    Mutant(
        "a read is followed by a later one of other elements",
        "timing/value_flow.py",
        "distance < other and plainly_within(elements, wider) for other, wider in later",
        "distance < other for other, _ in later",
        ("tests/timing/test_value_flow.py",),
    ),
    Mutant(
        "reads that nothing provides are let through",
        "timing/value_flow.py",
        "uses=uses, unprovided=unprovided, written_once",
        'uses=uses, unprovided=UnionMap("{ }"), written_once',
    ),
    Mutant(
        "an order is legal where values outside of memories change",
        "timing/schedule_legality.py",
        "        if array.storage is Storage.ROM:\n            continue\n        report",
        "        if array.storage is not Storage.MEMORY:\n            continue\n        report",
        ("tests/timing/test_schedule_legality.py",),
    ),
    Mutant(
        "guards are ignored",
        "read/c/region.py",
        "for body, domain in ((node.iftrue, then), (node.iffalse, otherwise)):",
        "for body, domain in ((node.iftrue, position.domain), (node.iffalse, otherwise)):",
    ),
    Mutant(
        "division rounds down",
        "read/c/affine.py",
        'a.tdiv_q(b) if node.op == "/" else a.tdiv_r(b)',
        'a.div(b).floor() if node.op == "/" else a.tdiv_r(b)',
        (PROGRAMS, "tests/read/c/test_affine.py"),
    ),
    Mutant(
        "elements of streams arrive one entry late",
        "timing/arrival.py",
        "        shift[-1] += side.sign\n",
        "        shift[-1] -= side.sign\n",
        ("tests/timing/test_arrival.py",),
    ),
    Mutant(
        "a tile forgets what it leaves to others",
        "timing/program_tile.py",
        "leaving = uses.intersect_domain(made_inside).subtract_range(inside)",
        "leaving = uses.intersect_domain(made_inside).intersect_range(inside)",
        ("tests/timing/test_program_tile.py",),
    ),
    Mutant(
        "slack is one beat short",
        "lifetime/live_interval.py",
        "for _ in range(beats - 1):",
        "for _ in range(beats - 2):",
        ("tests/lifetime/test_live_interval.py",),
    ),
    Mutant(
        "a width may be as large as the modulus",
        "mapping/certificate.py",
        "if reach.domain().is_subset(reach.lt_set(size)):\n        return _zeros(form)",
        "if reach.domain().is_subset(reach.le_set(size)):\n        return _zeros(form)",
        ("tests/mapping/test_certificate.py",),
    ),
    Mutant(
        "the largest multiple of a modulus is not looked at",
        "mapping/certificate.py",
        "for k in range(1, count + 1):",
        "for k in range(1, count):",
        ("tests/mapping/test_certificate.py",),
    ),
    Mutant(
        "what holds at one size is said of all",
        "mapping/certificate.py",
        'return Certificate(scope="at", by="differences", at=values)',
        'return _for_all_parameters("differences")',
        ("tests/mapping/test_certificate.py",),
    ),
    Mutant(
        "conditions: beta speaks of the writes that are left, not of all",
        "studies/dataflow/analysis.py",
        "            there = self.memory[name][inner].intersect_range(",
        "            seen = memory if inner == level else self.memory[name][inner]\n"
        "            there = seen.intersect_range(",
        DATAFLOW,
    ),
    Mutant(
        "conditions: sigma is not exact",
        "studies/dataflow/analysis.py",
        "{{ : {sigma} {comparison} {level} }}",
        "{{ : {sigma} {comparison.replace('=', '>=')[-2:]} {level} }}",
        DATAFLOW,
    ),
    Mutant(
        "conditions: sigma is not exact at the end",
        "studies/dataflow/analysis.py",
        'one.intersect(self._sigma(name, "=", level))',
        'one.intersect(self._sigma(name, ">=", level))',
        DATAFLOW,
    ),
    Mutant(
        "conditions: all iterations after some that ran did not",
        "studies/dataflow/analysis.py",
        "        return self._from(name, level).subtract(passed)",
        "        later_ones = present.apply_range(Map.lex_lt(present.range().get_space()))\n"
        "        absent = self._from(name, level)\n"
        "        return absent.subtract(passed).union(absent.intersect(later_ones))",
        DATAFLOW,
    ),
    Mutant(
        "conditions: all iterations of a writer ran where one is known to have run",
        "studies/dataflow/analysis.py",
        "self._ran_last(name, level, last.kept))",
        "self._ran_last(name, level, ()))",
        DATAFLOW,
    ),
    Mutant(
        "conditions: loops around a condition count as inside of it",
        "studies/dataflow/condition_values.py",
        "loops=max(loops)",
        "loops=min(1, *loops)",
        DATAFLOW,
    ),
    Mutant(
        "conditions: what surely ran is not later than the last that did",
        "studies/dataflow/analysis.py",
        "covered.apply_range(Map.lex_ge(covered",
        "covered.apply_range(Map.lex_gt(covered",
        DATAFLOW,
    ),
    Mutant(
        "conditions: the last write is looked for before its type is known",
        "studies/dataflow/analysis.py",
        "        kind, facts = self._kind(name, memory, domain, level)",
        "        memory.lexmax()\n        kind, facts = self._kind(name, memory, domain, level)",
        DATAFLOW,
    ),
    Mutant(
        "conditions: a guarded write is certain",
        "studies/dataflow/condition_values.py",
        "        if not statement.filters:",
        "        if statement.filters or not statement.filters:",
        DATAFLOW,
    ),
    Mutant(
        "conditions: filters are inverted",
        "studies/dataflow/condition.py",
        "        return everything.subtract(self.runs).coalesce()",
        "        return self.runs",
        DATAFLOW,
    ),
    Mutant(
        "conditions: elements that are written again keep their value",
        "studies/dataflow/condition_values.py",
        "        if not writes.reverse().is_single_valued():\n            return False",
        "        if not writes.reverse().is_single_valued():\n            return True",
        DATAFLOW,
    ),
    Mutant(
        "conditions: an element that is looked at before its write keeps its value",
        "studies/dataflow/condition_values.py",
        "return bool(relation.is_disjoint(Map.lex_le(relation.domain().get_space())))",
        "return True",
        DATAFLOW,
    ),
    Mutant(
        "conditions: guarded writes hide others in what is possible",
        "studies/dataflow/reads.py",
        "found[name].subtract_range(named[name].condition.filtered)",
        "found[name]",
        DATAFLOW,
    ),
    Mutant(
        "networks: a FIFO's head leaves at its first read",
        "network/listed_channels.py",
        "    np.maximum.at(last, number, read)",
        "    last[number[::-1]] = read[::-1]",
        ("tests/network/test_channels.py",),
    ),
    Mutant(
        "networks: a self-timed FIFO has a word less",
        "planner/hardware/fifo_capacities.py",
        "found.append(words[number])",
        "found.append(max(_LEAST, least - 1))",
        ("tests/network/test_capacity.py",),
    ),
    Mutant(
        "multifor: what stands before the inner loop runs behind it",
        "read/multifor_blocks.py",
        "found.append(0 if not inner or mine < inner[0] else 1 + (mine > inner[0]))",
        "found.append(2 if inner and mine < inner[0] else int(bool(inner) and mine == inner[0]))",
        ("tests/read/test_multifor_blocks.py",),
    ),
    Mutant(
        "multifor: nests of one tick run in the opposite order",
        "read/multifor_blocks.py",
        "position if block.sequence else 0",
        "-position if block.sequence else 0",
        ("tests/read/test_multifor_blocks.py",),
    ),
    Mutant(
        "guards: ranges count elements for bytes",
        "emit/c/overlap_test.py",
        """return f"(int64_t)sizeof {name}{'[0]' * subscripts}\"""",
        """return f"(int64_t)sizeof(char)" if subscripts else f"(int64_t)sizeof {name}\"""",
        ("tests/emit/c/test_overlap_test.py",),
    ),
    Mutant(
        "guards: accesses that change places are not seen",
        "planner/host/argument_overlap.py",
        "(Map.lex_lt, given), (Map.lex_ge, own)",
        "(Map.lex_lt, given), (Map.lex_lt, own)",
        ("tests/emit/c/test_overlap_test.py",),
    ),
    Mutant(
        "guards: pairs with a write have to lie together",
        "emit/c/overlap_test.py",
        'ends = f"{_to(one)} <= {_from(other)} || {_to(other)} <= {_from(one)}{or_else}"',
        'ends = f"{_to(one)} >= {_from(other)} || {_to(other)} >= {_from(one)}{or_else}"',
        ("tests/emit/c/test_overlap_test.py",),
    ),
    Mutant(
        "normal form: what follows a `continue` is gone",
        "read/c/normal/control_flow/jump_removal.py",
        "        otherwise = [*otherwise, *again]",
        "        otherwise = [*otherwise]",
        idiom("jumps"),
    ),
    Mutant(
        "normal form: a switch has no default",
        "read/c/normal/control_flow/jump_removal.py",
        "(body for values, body in groups if None in values)",
        "(body for values, body in groups if not values)",
        idiom("switch_cases"),
    ),
    Mutant(
        "normal form: a step behind its use comes ahead of it",
        "read/c/normal/functions/side_effects.py",
        '(after if part.op.startswith("p") else before)',
        '(before if part.op.startswith("p") else after)',
        idiom("running_pointer"),
    ),
    Mutant(
        "normal form: the step of a condition is left out in turns",
        "read/c/normal/functions/side_effects.py",
        "items = [*after, *items_of(body), *before]",
        "items = [*items_of(body), *before]",
        idiom("counting_down"),
    ),
    Mutant(
        "normal form: memset copies",
        "read/c/normal/objects/block_copies.py",
        "if value is not None else source.at",
        "if value else source.at",
        idiom("memory_calls"),
    ),
    Mutant(
        "normal form: an element begins with the value of the one before",
        "read/c/initializer_lists.py",
        "yield (position, *at), value",
        "yield (position + 1, *at), value",
        idiom("struct_initialisers"),
    ),
    Mutant(
        "normal form: arrays begin with what they held",
        "read/c/normal/objects/initializers.py",
        "return [table, changed(node, init=None), copy]",
        "return [table, changed(node, init=None)]",
        idiom("first_numbers"),
    ),
    Mutant(
        "normal form: bytes are elements",
        "read/c/normal/objects/block_copies.py",
        "        number //= size\n",
        "        number //= 1\n",
        idiom("memory_calls"),
    ),
    Mutant(
        "normal form: both sides of a branch run",
        "read/c/normal/control_flow/if_conversion.py",
        "self.guarded(node.iffalse, (*guards, negation(test)))",
        "self.guarded(node.iffalse, (*guards, test))",
        idiom("branches_on_data"),
    ),
    Mutant(
        "normal form: a break on data goes on",
        "read/c/normal/control_flow/if_conversion.py",
        "_truth(negation(why) if end.goes_on else why)",
        "_truth(why if end.goes_on else negation(why))",
        idiom("halvings"),
    ),
    Mutant(
        "filters of C: the contrary lets an instance run",
        "read/c/guards.py",
        "    runs = holds.project_out",
        "    holds = box.subtract(holds)\n    runs = holds.project_out",
        idiom("broken_off"),
    ),
    Mutant(
        "filters of C: a condition is the one of the turn before",
        "read/c/region.py",
        "variable not in self.said if before is None else before",
        "True if before is None else before",
        ("tests/read/c/test_guards.py::test_a_break_looks_at_all_turns_before",),
    ),
    Mutant(
        "filters of C: what ends a loop in one turn does not in the next",
        "emit/c/statement_text.py",
        "return text + self._else_kept(statement, body, at, read, write)",
        "return text",
        ("tests/read/c/test_idioms.py::test_an_idiom_runs_as_the_original[halvings]",),
    ),
    Mutant(
        "normal form: turns are counted to the last but the end",
        "read/c/normal/control_flow/counted_while.py",
        'behind = binary("==", variable, ends, node.place)',
        'behind = binary(">=", variable, integer(most - 1), node.place)',
        idiom("halvings"),
    ),
    Mutant(
        "normal form: a loop of data tests the contrary",
        "read/c/normal/control_flow/counted_while.py",
        "            leave = [tree.If(negation(condition), tree.Break",
        "            leave = [tree.If(condition, tree.Break",
        ("tests/read/c/test_idioms.py::test_an_idiom_runs_as_the_original[halvings]",),
    ),
    Mutant(
        "normal form: every index steps by one",
        "read/c/normal/scalars/scalar_environments.py",
        "linear(value).plus(linear(turns), step.constant)",
        "linear(value).plus(linear(turns), 1)",
        idiom("two_variables"),
    ),
    Mutant(
        "normal form: an index that turns stays",
        "read/c/normal/closed_forms/induction_variables.py",
        "    if turned.factor(mark) == -1 and turned.without(mark) == Linear({}, 1):\n"
        "        return Cyclic(1, 2)",
        "    if turned.factor(mark) == -1 and turned.without(mark) == Linear({}, 1):\n"
        "        return Cyclic(0, 2)",
        idiom("turned_index"),
    ),
    Mutant(
        "normal form: what counts under a condition counts from the first turn on",
        "read/c/normal/control_flow/condition_splitting.py",
        "if known.implies(distance):\n        return other",
        "if known.implies(distance):\n        return one",
        idiom("cut_writes"),
    ),
    Mutant(
        "C: a struct is its first member",
        "read/c/clang/copies.py",
        "found += _assigned(frame, one, other, place, cursor)\n    return found",
        "found += _assigned(frame, one, other, place, cursor)\n        break\n    return found",
        idiom("struct_copies"),
    ),
    Mutant(
        "normal form: a break on indices leaves a turn later",
        "read/c/normal/control_flow/break_conversion.py",
        "rewrite(stays, _before(own, step))",
        "stays",
        idiom("jumps"),
    ),
    Mutant(
        "normal form: rows of a flat picture overlap",
        "read/c/normal/objects/delinearization.py",
        '        place = binary("*", place, fresh(factor, node.place), node.place)',
        '        place = binary("+", place, fresh(factor, node.place), node.place)',
        idiom("flat_whole"),
    ),
    Mutant(
        "normal form: a loop to and with its bound ends ahead of it",
        "read/c/normal/closed_forms/induction_variables.py",
        'Linear({}, 1 if operator == "<=" else -1)',
        "Linear({}, 0)",
        idiom("last_values"),
    ),
    Mutant(
        "normal form: a loop ends at its bound, whatever its step",
        "read/c/normal/closed_forms/induction_variables.py",
        "turns = max(0, -(-distance.constant // abs(step)))",
        "turns = max(0, distance.constant // abs(step))",
        idiom("last_values"),
    ),
    Mutant(
        "normal form: turns of a loop that counts down are negative",
        "read/c/normal/closed_forms/induction_variables.py",
        "distance = distance.times(1 if amount.constant > 0 else -1)",
        "distance = distance.times(1)",
        idiom("last_values"),
    ),
    Mutant(
        "normal form: each turn of a loop counts as many as it steps",
        "read/c/normal/closed_forms/induction_variables.py",
        "    if size == 1:\n        return turns",
        "    if size >= 1:\n        return turns",
        idiom("last_values"),
    ),
    Mutant(
        "normal form: each call has a static variable of its own",
        "read/c/normal/functions/inlined_names.py",
        "found[node.name] = self.statics[key]",
        "found[node.name] = self.free(node.name)",
        idiom("callee_state"),
    ),
    Mutant(
        "normal form: an argument is computed wherever its parameter stands",
        "read/c/normal/functions/inlining.py",
        "elif _is_plain(argument) or (count[parameter.name] == 1 and not chooses):",
        "elif argument is not None:",
        ("tests/read/c/test_idioms.py::test_an_argument_is_computed_once",),
    ),
    Mutant(
        "normal form: a variable whose address is taken begins with nothing",
        "read/c/normal/objects/address_taken.py",
        "                return [plain, first]",
        "                return [plain]",
        idiom("in_and_out"),
    ),
    Mutant(
        "normal form: a pointer goes forward where it goes back",
        "read/c/normal/scalars/substitution.py",
        "                    offset = binary(op, left.offset",
        '                    offset = binary("+", left.offset',
        idiom("chosen_index"),
    ),
    Mutant(
        "normal form: behind a branch the other value is held",
        "read/c/normal/scalars/scalar_environments.py",
        "found[one] = _choice(condition, a, b)",
        "found[one] = _choice(condition, b, a)",
        idiom("chosen_index"),
    ),
    Mutant(
        "normal form: what other functions of the file see is the kernel's own",
        "read/c/normal/objects/static_variables.py",
        "    return all(\n        name == unit.function.name",
        "    return bool(users) or all(\n        name == unit.function.name",
        ("tests/read/c/test_remarks.py",),
    ),
    Mutant(
        "normal form: arrays that begin with zeros begin with ones",
        "read/c/normal/objects/initializers.py",
        "integer(0, node.place), node.place)\n\n    return nest",
        "integer(1, node.place), node.place)\n\n    return nest",
        runs("initial_values"),
    ),
    Mutant(
        "C++: streams count what is read as written",
        "read/c/clang/streams.py",
        '    counter = counters.reads if which == "reads" else counters.writes',
        '    counter = counters.writes if which == "reads" else counters.reads',
        ("tests/read/c/cxx/test_kernels.py::test_widths_and_streams_are_arrays_of_the_plan",),
    ),
    Mutant(
        "C++: the point moves the other way",
        "read/c/clang/conversions.py",
        "places = to.point - value.type.point",
        "places = value.type.point - to.point",
        ("tests/read/c/clang/test_constructs.py::test_c_computes_what_cxx_computes[fixed]",),
    ),
    Mutant(
        "C++: what is assigned is not cut",
        "read/c/clang/conversions.py",
        "to.bits > WIDEST:\n        return fitted(value, to)",
        "to.bits > WIDEST:\n        return value",
        ("tests/read/c/cxx/test_widths.py::test_c_computes_what_cxx_computes[0]",),
    ),
    Mutant(
        "C++: objects are assigned while their members are read",
        "read/c/clang/copies.py",
        "        if names_in(other) & written:",
        "        if False:",
        ("tests/read/c/clang/test_constructs.py::test_c_computes_what_cxx_computes[operators]",),
    ),
    Mutant(
        "state is scratch",
        "read/c/static_arrays.py",
        "scratch = {one for one in own if _is_written_first(arrays[one].name, statements)}",
        "scratch = set(own)",
        idiom("fir_state"),
    ),
    Mutant(
        "handed on: the first write before a read is seen",
        "read/c/value_origins.py",
        "return lexmax(pairs).coalesce()",
        "return pairs.lexmin().coalesce()",
        PROPAGATED,
    ),
    Mutant(
        "handed on: an element is what it was when it was copied",
        "read/c/value_origins.py",
        "if not copied.apply_range(_last(elements, written)).is_equal(_last(read, written)):",
        "if False:",
        PROPAGATED,
    ),
    Mutant(
        "handed on: what no copy has written is left out",
        "read/c/value_origins.py",
        "            if not unset.is_empty():",
        "            if False:",
        PROPAGATED,
    ),
    Mutant(
        "handed on: any type holds what is copied through it",
        "read/c/copy_propagation.py",
        "    return wide.least <= narrow.least and narrow.greatest <= wide.greatest",
        "    return True",
        PROPAGATED,
    ),
    Mutant(
        "handed on: constants are in the other instances",
        "read/c/copy_propagation.py",
        "expression(test, place), expression(constant, place), value, place",
        "expression(test, place), value, expression(constant, place), place",
        PROPAGATED,
    ),
    Mutant(
        "handed on: sums are copies",
        "read/c/value_origins.py",
        "    if len(one.reads) != 1 or one.reads[0].node is not value:",
        "    if len(one.reads) != 1:",
        PROPAGATED,
    ),
    Mutant(
        "streams: a constant distance from any loop will do",
        "timing/arrival.py",
        "    return 2 * usual >= every",
        "    return True",
        ("tests/timing/test_arrival.py",),
    ),
    Mutant(
        "max-live: runs are looked at where they begin alone",
        "lifetime/max_live.py",
        "for edge in (run.firsts, run.ends)]",
        "for edge in (run.firsts,)]",
        ("tests/lifetime/test_max_live.py",),
    ),
    Mutant(
        "max-live: ends count from their own time on",
        "lifetime/max_live.py",
        "            alive -= run.below(codes)",
        "            alive -= run.below(codes + 1)",
        ("tests/lifetime/test_max_live.py",),
    ),
    Mutant(
        "max-live: lines go along parameters too",
        "polyhedra/point_runs.py",
        "for axis in {fixed, *(max(fixed, piece.axis) for piece in every)}",
        "for axis in {0, *(piece.axis for piece in every)}",
        ("tests/lifetime/test_max_live.py", "tests/polyhedra/test_point_runs.py"),
    ),
    Mutant(
        "iterations: a value is taken before all that sets it",
        "read/c/normal/unrolling/iteration_statements.py",
        "if self.settled.get(own, place.at) >= place.at)",
        "if self.settled.get(own, place.at) > place.at)",
        OUTLINED,
    ),
    Mutant(
        "iterations: a load is moved past a store to its element",
        "read/c/normal/unrolling/iteration_statements.py",
        "                if self.are_same(array, one, node):\n",
        "                if False:\n",
        OUTLINED,
    ),
    Mutant(
        "iterations: what another branch sets is not needed",
        "read/c/normal/scalars/iteration_scalars.py",
        "                    ahead |= inner\n",
        "                    ahead = inner\n",
        OUTLINED,
    ),
    Mutant(
        "iterations: a branch takes what others need",
        "read/c/normal/scalars/iteration_scalars.py",
        "                found |= self.names(one) if found & self.targets(one) else set()\n",
        "                pass\n",
        OUTLINED,
    ),
    Mutant(
        "iterations: a load at the border is made in any case",
        "read/c/normal/functions/outlining.py",
        "            argument = conditional(where, node, integer(0, node.place), node.place)\n",
        "            argument = node\n",
        OUTLINED,
    ),
    Mutant(
        "iterations: variables of two blocks are one",
        "read/c/normal/scalars/ssa.py",
        "            is_free = node.name not in declared and scope.find(node.name) is None\n",
        "            is_free = True\n",
        OUTLINED,
    ),
    Mutant(
        "iterations: what stores as well only sets a variable",
        "read/c/normal/scalars/iteration_scalars.py",
        "                case tree.Assignment():\n                    return False\n",
        "                case tree.Assignment():\n                    pass\n",
        OUTLINED,
    ),
    Mutant(
        "host C: what data choose is at the cell of a pointer",
        "emit/c/cell_names.py",
        "        if access.chosen:  # its cell is computed each time\n",
        "        if False:\n",
        POINTERS,
    ),
    Mutant(
        "host C: a pointer starts where no reference is",
        "host_loops/pointer_loop.py",
        "if (other.array, other.serves[0]) not in always or other.array != found.array:",
        "if other.array != found.array:",
        ("tests/host_loops/test_pointer_loop.py",),
    ),
    Mutant(
        "host C: a variable for break begins with anything",
        "read/c/normal/normal_text.py",
        "        return changed(node, init=integer(0, node.place))\n",
        "        return node\n",
        POINTERS,
    ),
)
