"""Goes through all claims of a plan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import islpy as isl

from hlsmem_verify.algebra import Values, own_values
from hlsmem_verify.built import module_of
from hlsmem_verify.claims.arrays import prove_conflicts, prove_declared, prove_element
from hlsmem_verify.claims.bounds import prove_bound
from hlsmem_verify.claims.holdings import (
    prove_counted,
    prove_lattice,
    prove_standing,
    prove_sums,
    prove_weakest,
    scope_of_part,
)
from hlsmem_verify.claims.host import IN_THE_ORDER, lives_in_c, prove_alone, prove_order_of_c
from hlsmem_verify.claims.mappings import prove_mapping
from hlsmem_verify.claims.memories import prove_built, prove_top
from hlsmem_verify.claims.parts import prove_given_part, prove_part
from hlsmem_verify.claims.played import prove_played
from hlsmem_verify.claims.streams import prove_streams
from hlsmem_verify.facts import Facts
from hlsmem_verify.header import bytes_of_c
from hlsmem_verify.limits import MOST_INDEX, False_, Refused, Unknown, must_be
from hlsmem_verify.play import Play
from hlsmem_verify.shape import SHAPE, H, KeyPath, M, P, joined, leaves


class Judge:
    """Goes through all claims of a plan; notes what proved each leaf, what is false, or open."""

    def __init__(self, document: dict[str, Any]):
        self.facts = Facts(document)
        self.lemmas: dict[KeyPath, str] = {}
        self.false: list[str] = []
        self.open: dict[KeyPath, str] = {}

    def claim(self, paths: KeyPath | list[KeyPath], lemma: str, prove: Any) -> bool:
        """Whether `prove` ends without an objection: then the leaves below `paths` are proved."""
        paths = paths if isinstance(paths, list) else [paths]
        try:
            prove()
        except False_ as reason:
            self.false.append(f"{joined(paths[0])}: {reason}")
        except Unknown as reason:
            self.open |= {path: str(reason) for path in paths}
        except isl.Error as error:
            text = str(error).splitlines()[0][:80] if str(error) else "isl gives up"
            self.open |= dict.fromkeys(paths, text)
        else:
            self.lemmas |= dict.fromkeys(paths, lemma)
            return True
        return False

    def judge(self) -> None:
        for name, array in self.facts.document["arrays"].items():
            self._array(name, array, ("arrays", name))
        where: KeyPath = ("orders", "host")
        self.claim(
            where, "every two that meet keep their order", lambda: prove_order_of_c(self.facts)
        )
        self._memories()
        self.claim(("streams",), "streams", lambda: prove_streams(self.facts))

    def _array(self, name: str, array: dict[str, Any], path: KeyPath) -> None:
        if len(array["index"]) > MOST_INDEX or len(set(array["index"])) < len(array["index"]):
            raise Refused(f"{joined(path)}.index has more than {MOST_INDEX} names, or one twice")
        self.claim((*path, "element", "bits"), "element", lambda: prove_element(array))
        self.claim((*path, "declared"), "extents", lambda: prove_declared(self.facts, array))
        if not self.claim(
            (*path, "conflicts"), "conflict", lambda: prove_conflicts(self.facts, name, array)
        ):
            return
        if "class" in array:
            self.lemmas[*path, "class"] = "class"
        where: KeyPath = (*path, "holdings", "hardware")
        self._hardware(name, array, array["holdings"]["hardware"], where)
        host = array["holdings"]["host"]
        if host is not None:
            self._host(name, array, host, (*path, "holdings", "host"))

    def _hardware(
        self, name: str, array: dict[str, Any], held: dict[str, Any], path: KeyPath
    ) -> None:
        self._parts(name, array, held["parts"], path)
        self.claim(
            [(*path, "words"), (*path, "bits")], "sum", lambda: prove_sums(self.facts, name, held)
        )
        wires = any(self.facts.kind(part) == "wire" for part in held["parts"])

        def bounded() -> None:
            if (self.facts.program.rules or {}).get("capacity") == "selftimed":
                if held["bound"] is not None:
                    raise False_("processes that run by themselves have no order to count in")
            elif held["bound"] is not None:
                prove_bound(
                    self.facts,
                    name,
                    array,
                    held["bound"],
                    held["words"],
                    [],
                    self.facts.lives.get(name),
                )
            elif not wires and held["words"] > 1:
                prove_counted(self.facts, name, array)

        self.claim((*path, "bound"), "bound", bounded)
        for k, part in enumerate(held["parts"]):
            where = (*path, "parts", k, "lattice")
            self.claim(
                where,
                "lattice",
                lambda part=part: prove_lattice(self.facts, name, array, held, part),
            )
        self.claim((*path, "standing"), "standing", lambda: prove_standing(held))
        scopes = [scope_of_part(part) for part in held["parts"]]
        self.claim(
            (*path, "certificate"), "weakest", lambda: prove_weakest(self.facts, held, scopes)
        )

    def _parts(
        self, name: str, array: dict[str, Any], parts: list[dict[str, Any]], path: KeyPath
    ) -> None:
        program = self.facts.program
        where: list[KeyPath] = [(*path, "parts", k) for k in range(len(parts))]
        if program.rules is None:
            self.claim(where, "one RAM", lambda: prove_given_part(self.facts, name, array, parts))
            return
        wanted = [op for op, _ in self.facts.operands(name)]
        served = [(str(s), int(k)) for part in parts for s, k in part["operands"]]
        dead = {s for s, _ in served} - {s for s, _ in wanted}

        def divide() -> None:
            if array.get("state") and not self.facts.is_kept(name):
                raise False_("what a run leaves is not what the next one finds")
            if sorted(op for op in served if op[0] not in dead) != sorted(wanted):
                raise False_("the parts do not serve each operand of the read streams once")
            for stream in dead:
                statement = stream.removeprefix(f"m_{name}_")
                if statement not in program.statements:
                    raise False_(f"{stream} is no stream of {name}")
            if len({part["memory"] for part in parts}) != len(parts) or not parts:
                raise False_("two parts are in one memory, or there is none")
            if len(parts) > 1 and (program.rules["lanes"] or program.live("live_in", name)):
                raise False_("an array of unrolled loops, or live before the run, is in one part")

        if not self.claim((*path, "parts"), "operands", divide):
            return
        del self.lemmas[*path, "parts"]
        for k, part in enumerate(parts):
            self.claim(
                where[k],
                self.facts.kind(part),
                lambda part=part: prove_part(self.facts, name, array, part, len(parts)),
            )

    def _host(self, name: str, array: dict[str, Any], held: dict[str, Any], path: KeyPath) -> None:
        def prove() -> None:
            must_be("parts", len(held["parts"]), 1)
            (cells,) = held["parts"]
            lives = lives_in_c(self.facts, name, len(array["index"]))
            prove_mapping(self.facts, name, array, cells["mapping"], lives)
            bits = array["element"]["bits"]
            wide = next((w for w in (8, 16, 32, 64) if w >= bits), 0)
            must_be("cell_bytes", cells["cell_bytes"], wide // 8)
            must_be("words", held["words"], cells["mapping"]["cells"])
            must_be("bits", held["bits"], 8 * cells["cell_bytes"] * held["words"])
            must_be("certificate", held["certificate"], cells["mapping"]["certificate"])
            prove_standing(held)
            if lives is not None:
                prove_alone(self.facts, name, cells)
            elif cells["at"] is not None:
                raise False_("it has a place, and there is no C of the whole")
            known = []
            if held["bound"] is not None:
                own = lives or self.facts.lives.get(name)
                prove_bound(self.facts, name, array, held["bound"], held["words"], [], own)
                known = [(held["bound"]["kind"], held["bound"]["cells"])]
            if cells["lattice"] is not None:
                if self.facts.document["orders"]["host"] not in (None, IN_THE_ORDER):
                    raise Unknown("lattices are counted in the order of the program")
                own = self.facts.lives.get(name)
                prove_bound(self.facts, name, array, cells["lattice"], held["words"], known, own)

        self.claim(path, "rows, in C's order", prove)

    def _memories(self) -> None:
        """Each memory holds one part, and is proved with it."""
        holders = {
            part["memory"]: ("arrays", name, "holdings", "hardware", "parts", k)
            for name in self.facts.document["arrays"]
            for k, part in enumerate(self.facts.held(name))
        }
        many = sum(len(self.facts.held(name)) for name in self.facts.document["arrays"])
        if many != len(holders):
            self.false.append("memories: two parts are in one memory")
        for name in self.facts.document["memories"]:
            holder = holders.get(name)
            if holder is None:
                self.false.append(f"memories.{name}: no part is in it")
            elif holder in self.lemmas:
                self.lemmas["memories", name] = self.lemmas[holder]
            else:
                self.open["memories", name] = f"{joined(holder)} is not proved"

    def is_built(self, texts: dict[str, str]) -> bool:
        """Holds memories against Verilog, and cells of C against the header; False: no Verilog."""
        self.claim(("host",), "bytes of C", lambda: bytes_of_c(self.facts.document, texts))
        if not any(name.startswith("rtl/") for name in texts):
            return False
        design, suffix = (
            self.facts.document["design"],
            "" if self.facts.program.rules is None else "_buffer",
        )
        modules = {name: f"{design}_{name}{suffix}" for name in self.facts.document["memories"]}
        if suffix and modules:
            top = lambda: prove_top(f"{design}_mem", [*modules.values()], texts)  # noqa: E731
            self.claim(("memories",), "built", top)
            self.lemmas.pop(("memories",), None)
        for name, memory in self.facts.document["memories"].items():
            where: KeyPath = ("memories", name)
            earlier = self.lemmas.get(where)

            def prove(name: str = name, memory: dict[str, Any] = memory) -> None:
                prove_built(self.facts, name, memory, module_of(modules[name], texts))

            if self.claim(where, "built", prove):
                own = [(*where, key) for key in ("kind", "style")]
                self.lemmas |= dict.fromkeys(own, "built")
                self.lemmas[where] = "built" if earlier is None else f"{earlier}, built"
        return True

    def at(self, values: Values) -> None:
        """Holds all claims for all parameters against a play at other values."""
        play = Play(self.facts.program, own_values(values), self.facts.document["arrays"])
        at = " at " + ", ".join(f"{name}={value}" for name, value in values.items())
        for name, array in self.facts.document["arrays"].items():

            def prove(name: str = name, array: dict[str, Any] = array) -> None:
                prove_played(self.facts, play, name, array)

            self.claim(("arrays", f"{name}{at}"), "a play", prove)


def verify(
    document: dict[str, Any], sizes: Iterable[Values] = (), texts: dict[str, str] | None = None
) -> dict[str, Any]:
    """{leaves: [(path, class, what proved it)], false: [..], open: {path: reason}, storage} of a
    plan; storage says whether it was held against Verilog.

    Claims for all parameters are held against a play at each of some sizes too. `texts` are the
    Verilog and the headers beside the plan by name, as `texts_of` reads them.
    """
    judge = Judge(document)
    judge.judge()
    earlier, judge.false = judge.false, []
    is_built = judge.is_built(texts or {})
    judge.false += earlier  # what is built comes first: of two figures the plan may have either
    for values in sizes:
        judge.at(document["params"] | values)
    found, left = [], {}
    for path, claim in leaves(document, SHAPE):
        if document["program"] is None and path[2:] == ("conflicts", "differences"):
            claim = H
        if _is_of_rtl(document, path, is_built):
            claim = M
        how = claim
        if claim == P:
            above = [path[:size] for size in range(len(path), 0, -1)]
            lemma = next((judge.lemmas[one] for one in above if one in judge.lemmas), "")
            unknown = next((judge.open[one] for one in above if one in judge.open), "")
            how = f"proved by {lemma}"
            if unknown or not lemma:
                left[path] = unknown or "nothing here proves it"
                how = "nothing proves it"
        found.append((path, claim, how))
    told = {path[:size] for path in left for size in range(len(path) + 1)}
    left |= {path: why for path, why in judge.open.items() if path not in told}
    storage = "compared with rtl" if is_built else "not compared: no rtl here"
    return {"leaves": found, "false": judge.false, "open": left, "storage": storage}


def _is_of_rtl(document: dict[str, Any], path: KeyPath, is_built: bool) -> bool:
    """Whether the Verilog alone says a leaf of a memory, and is not here; registers have no
    style."""
    match path:
        case ("memories", str(name), "kind" | "style" as key):
            kind = document["memories"][name]["kind"]
            return not is_built or (key == "style" and kind in ("registers", "wire"))
    return False
