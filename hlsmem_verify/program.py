"""The program of a plan: its hypothesis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from copy import copy
from functools import reduce
from typing import Any

import islpy as isl

from hlsmem_verify.algebra import OWN, Poly, Values, formula, own_values
from hlsmem_verify.isl_values import DIM, isl_text
from hlsmem_verify.outcomes import MOST_TIME, False_, Refused

READS = ("read", "may-read")


WRITES = ("write", "may-write")


class Program:
    """The hypothesis: statements, times and live elements over the plan's parameters."""

    def __init__(self, document: dict[str, Any]):
        self.document = document
        self.values = own_values(document["params"])
        self.names = list(self.values)
        self.head = f"[{', '.join(self.names)}] -> "
        context = self._isl(document["context"], "context", isl.Set)
        if context.dim(DIM.set):
            raise Refused("context is no set of parameters")
        self.context = context.params().align_params(isl.Set(f"{self.head}{{ : }}").get_space())
        if self.context.intersect(self.point()).is_empty():
            raise Refused("params are outside of the context")
        self.rules = document["program"]
        self.statements: dict[str, dict[str, Any]] = {}
        if self.rules is not None:
            self._read(self.rules)
            if self.rules.get("control") == "skip":
                self.statements = dict(self._with_looks())
            times = ", ".join(f"t{k}" for k in range(self.rules["time"] + 1))
            self.time = isl.Set(f"{self.head}{{ [{times}] }}").get_space()

    def point(self, values: Values | None = None) -> Any:
        """The plan's values, or others, as a set of parameters."""
        every = self.values if values is None else values
        at = " and ".join(f"{name} = {value}" for name, value in every.items())
        return isl.Set(f"{self.head}{{ : {at or 'true'} }}").params()

    def _read(self, rules: dict[str, Any]) -> None:
        if rules["time"] > MOST_TIME or rules["step"] > rules["time"]:
            raise Refused(f"program.time is not 0 to {MOST_TIME}, or less than step")
        if len(rules["lanes"]) > rules["time"] - rules["step"] or rules["slack"] > 64:
            raise Refused("program.lanes or slack are none that a plan has")
        for name, one in rules["statements"].items():
            path = f"program.statements.{name}"
            if name in ("fill", "drain"):
                raise Refused(f"{path} has the name of streams of live elements")
            domain = self.set(one["domain"], f"{path}.domain")
            schedule = self.map(one["schedule"], f"{path}.schedule")
            if domain.get_tuple_name() != name or schedule.get_tuple_name(DIM.in_) != name:
                raise Refused(f"{path} has the sets of another statement")
            if schedule.dim(DIM.in_) != domain.dim(DIM.set):
                raise Refused(f"{path}.schedule is of other instances than the domain")
            if schedule.dim(DIM.out) != rules["time"]:
                raise Refused(f"{path}.schedule has not {rules['time']} entries")
            if not domain.is_subset(schedule.domain()) or not schedule.is_single_valued():
                raise Refused(f"{path}.schedule gives no one time to each instance")
            times = schedule.intersect_domain(domain).insert_dims(DIM.out, 0, 1)
            times = times.fix_val(DIM.out, 0, isl.Val(1)).reset_tuple_id(DIM.out)
            accesses = []
            numbers: Counter[str] = Counter()
            for position, access in enumerate(one["accesses"]):
                where = f"{path}.accesses[{position}]"
                relation = self.map(access["map"], f"{where}.map")
                if relation.get_tuple_name(DIM.out) != access["array"]:
                    raise Refused(f"{where}.map is of another array")
                if not relation.get_space().domain().has_equal_tuples(domain.get_space()):
                    raise Refused(f"{where}.map is of another statement")
                relation = relation.intersect_domain(domain)
                is_read = access["kind"] in READS
                if access["kind"] == "look" and not one.get("filters"):
                    raise Refused(f"{where} is a look, and {path} has no filters")
                operand = numbers[access["array"]] if is_read else None
                if access["operand"] != operand:
                    raise Refused(f"{where}.operand is {access['operand']}, not {operand}")
                numbers[access["array"]] += is_read
                accesses.append({**access, "relation": relation.reset_tuple_id(DIM.out)})
            self._check_filters(name, one, accesses, path)
            self.statements[name] = {
                "domain": domain,
                "times": times,
                "accesses": accesses,
                "filters": one.get("filters", []),
                "latency": one.get("latency", 1),
            }

    def _check_filters(
        self, name: str, one: dict[str, Any], accesses: list[dict[str, Any]], path: str
    ) -> None:
        """Lemma *filters*: what an instance that may not run writes is a may-write.

        Then whatever its filters say, the values that live in a run are among those of the text:
        what is read sees the last sure write or a later possible one, and what filters look at is
        read whether the instance runs or not.
        """
        looks = [access for access in accesses if access["kind"] == "look"]
        for number, given in enumerate(one.get("filters", [])):
            where = f"{path}.filters[{number}]"
            own, looks = looks[: given["entries"]], looks[given["entries"] :]
            value = self.map(given["value"], f"{where}.value")
            if len(own) != given["entries"] or value.dim(DIM.out) != given["entries"]:
                raise Refused(f"{where} has not {given['entries']} entries")
            asked = value.domain()
            if asked.get_tuple_name() != name:
                raise Refused(f"{where}.value is of another statement")
            for access in own:
                looking = access["relation"].domain()
                if not asked.is_subset(looking) or not looking.is_subset(asked):
                    raise Refused(f"{where} looks at elements for other instances than value has")
            for access in accesses:
                surely = access["kind"] == "write"
                if surely and not access["relation"].domain().is_disjoint(asked):
                    raise Refused(f"{path} has a filter and a write that surely happens")
        if looks:
            raise Refused(f"{path} has looks that are of no filter")

    def _with_looks(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The statements, those of streams that pass over instances in front of their own.

        A stream of a statement with filters is told by beats of what these look at, at the times of
        the instances: reads by a statement of its name. Values live and conflict as without.
        """
        for name, one in self.statements.items():
            looks = [access for access in one["accesses"] if access["kind"] == "look"]
            for prefix, kinds in (("m", READS), ("s", WRITES)) if looks else ():
                own = [access for access in one["accesses"] if access["kind"] in kinds]
                arrays = dict.fromkeys(access["array"] for access in own)
                for array in filter(self._has_streams, arrays):
                    mine = [a["relation"].domain() for a in own if a["array"] == array]
                    beats = reduce(lambda one, other: one.union(other), mine)
                    yield self._looking(f"{prefix}_{array}_{name}", one, looks, beats)
            yield name, one

    def _has_streams(self, array: str) -> bool:
        """True if an array is planned, and no data decide what is accessed.

        State has no streams where it begins with values that are not known, which C alone says.
        """
        planned = self.document["arrays"].get(array)
        if planned is None:
            return False
        if planned.get("state") and all(one["array"] != array for one in self.document["streams"]):
            return False
        return not self.is_decided(array)

    def is_decided(self, array: str) -> bool:
        """True if data decide on an access: which element it is to, or whether it is made.

        A write under a filter is one that this decides on; to one of several elements it is not.
        """
        return any(
            access["kind"] == "may-read"
            or (
                access["kind"] == "may-write"
                and (not one["filters"] or not access["relation"].is_single_valued())
            )
            for one in self.statements.values()
            for access in one["accesses"]
            if access["array"] == array
        )

    def _looking(
        self, name: str, one: dict[str, Any], looks: list[dict[str, Any]], instances: Any
    ) -> tuple[str, dict[str, Any]]:
        if name in self.statements:
            raise Refused(f"program.statements.{name} has the name of a stream")
        numbers: Counter[str] = Counter()
        accesses = []
        for look in looks:
            relation = look["relation"].intersect_domain(instances)
            relation = relation.set_tuple_name(DIM.in_, name)
            number = numbers[look["array"]]
            accesses.append({**look, "kind": "read", "operand": number, "relation": relation})
            numbers[look["array"]] += 1
        times = one["times"].set_tuple_name(DIM.in_, name)
        domain = instances.set_tuple_name(name)
        found = {"domain": domain, "times": times, "accesses": accesses, "filters": []}
        return name, {**found, "looks": True}

    def in_times(self, texts: dict[str, str], apart: Collection[str] = ()) -> Program:
        """The same instances at other times, one after the other, but for statements `apart`."""
        own = {
            name: one
            for name, one in self.statements.items()
            if not one.get("looks") and name not in apart
        }
        if set(texts) != set(own) or self.rules["lanes"]:
            raise False_("it has times of other statements than the program")
        found = copy(self)
        found.statements, sizes = {}, set()
        for name, one in own.items():
            times = self.map(texts[name], f"host.times.{name}")
            if times.get_tuple_name(DIM.in_) != name or not times.is_single_valued():
                raise False_(f"{name} has no one time for each instance")
            if not one["domain"].is_subset(times.domain()):
                raise False_(f"{name} has instances without a time")
            sizes.add(times.dim(DIM.out))
            times = times.intersect_domain(one["domain"]).insert_dims(DIM.out, 0, 1)
            times = times.fix_val(DIM.out, 0, isl.Val(1)).reset_tuple_id(DIM.out)
            found.statements[name] = {**one, "times": times}
        if len(sizes) != 1 or (size := sizes.pop()) > MOST_TIME:
            raise False_(f"its times have several lengths, or more than {MOST_TIME} entries")
        found.rules = {**self.rules, "time": size, "step": size, "order": "sequential"}
        names = ", ".join(f"t{k}" for k in range(size + 1))
        found.time = isl.Set(f"{self.head}{{ [{names}] }}").get_space()
        return found

    def is_tied(self) -> bool:
        """Lemma *total order*: whether a statement has several instances at one time.

        C runs these one by one, and what reads in that time after, or before, what writes in it.
        Without any it reads a step before it writes.
        """
        own = [one for one in self.statements.values() if not one.get("looks")]
        return not all(one["times"].is_injective() for one in own)

    def swapped(self, other: Program) -> str:
        """Two statements of which instances that touch one element change places, or ""."""
        every = [
            (name, access)
            for name, one in self.statements.items()
            if name in other.statements
            for access in one["accesses"]
        ]
        for first, left in every:
            for second, right in every:
                if left["array"] != right["array"]:
                    continue
                if left["kind"] in READS and right["kind"] in READS:
                    continue
                pairs = left["relation"].apply_range(right["relation"].reverse())
                for program, late in ((self, False), (other, True)):
                    one, another = (program.statements[n]["times"] for n in (first, second))
                    space = one.range().get_space()
                    order = isl.Map.lex_ge(space) if late else isl.Map.lex_lt(space)
                    pairs = pairs.intersect(one.apply_range(order).apply_range(another.reverse()))
                if not pairs.is_empty():
                    return f"instances of {first} and {second} that touch one {left['array']}"
        return ""

    def _isl(self, text: str, what: str, kind: Any) -> Any:
        return isl_text(text, what, self.document["params"], kind)

    def set(self, text: str, what: str) -> Any:
        found = self._isl(text, what, isl.Set).align_params(self.context.get_space())
        return found.intersect_params(self.context)

    def map(self, text: str, what: str) -> Any:
        found = self._isl(text, what, isl.Map).align_params(self.context.get_space())
        return found.intersect_params(self.context)

    def poly(self, text: str) -> Poly:
        """A formula over the plan's parameters."""
        found = formula(text)
        if found.names() - self.document["params"].keys():
            raise Refused(f"{text[:60]!r} has a parameter that the plan has not")
        return found.with_({name: Poly.of(OWN + name) for name in found.names()})

    def live(self, key: str, array: str) -> Any:
        """Elements that are live before (live_in) or after (live_out) the run, or None."""
        text = self.rules[key].get(array)
        if text is None:
            return None
        found = self.set(text, f"program.{key}.{array}")
        if found.get_tuple_name() != array:
            raise Refused(f"program.{key}.{array} is of another array")
        return found.reset_tuple_id()
