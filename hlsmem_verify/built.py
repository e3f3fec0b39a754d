"""Verilog as built, against the memories of plan.json."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from hlsmem_verify.kinds import KINDS
from hlsmem_verify.outcomes import DIGITS, MOST_BYTES, MOST_FILES, False_, Refused

STORING = ("hlsmem_ram", "hlsmem_ram_output", "hlsmem_delay", "hlsmem_fifo", "hlsmem_register")


# They hold beats on their way, and addresses.
PASSING = (
    "hlsmem_skid",
    "hlsmem_output_register",
    "hlsmem_rotator",
    "hlsmem_gate",
    "hlsmem_gate_count",
)


RAMS = STORING[:2]


STYLES = {"large": "huge"}  # as the attribute ram_style has it


_TEXT = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?P<token>\"[^\"\n]*\"|\d+(?:'[bodhBODH]\w+)?|`?[A-Za-z_$][\w$]*|[^\s])",
    re.DOTALL,
)


_WORDS = frozenset(
    re.findall(
        r"\w+",
        "always and assign begin case casex casez default else end endcase endfunction function if"
        " inout input integer localparam negedge not or output parameter posedge reg signed wire",
    )
)


# What would have to be executed, or read elsewhere, to know what is built.
_NOT_READ = frozenset({"generate", "genvar", "defparam", "for", "while", "repeat", "module", "\\"})


Token = tuple[str, int]


Place = tuple[str, int]  # a file and a line of it


def texts_of(out: Path) -> dict[str, str]:
    """The Verilog and the headers of a folder OUT by name; raises Refused beyond the limits."""
    found: dict[str, str] = {}
    size = 0
    for folder, endings in (("rtl", (".v", ".sv", ".vh")), ("host", (".h",))):
        for file in sorted((out / folder).rglob("*")):
            if file.suffix not in endings:
                continue
            name = file.relative_to(out).as_posix()
            remedy = "run `hlsmem plan` again into an empty folder"
            if not file.is_file():
                raise Refused(f"{name} cannot be read", remedy)
            size += file.stat().st_size
            if size > MOST_BYTES or len(found) > MOST_FILES:
                raise Refused(
                    f"{name}: rtl and host have more than {MOST_BYTES >> 20} MiB, or"
                    f" {MOST_FILES} files",
                    remedy,
                )
            try:
                text = file.read_bytes().decode("utf-8")
            except (OSError, UnicodeDecodeError):
                raise Refused(f"{name} cannot be read", remedy) from None
            if "\r" in text:
                line = text.count("\n", 0, text.index("\r")) + 1
                raise Refused(f"{name}:{line}: lines end in CR, as hlsmem writes none", remedy)
            found[name] = text
    return found


def tokens_of(text: str) -> list[Token]:
    """(token, line) of a text of Verilog or C, without comments."""
    found, line, last = [], 1, 0
    for one in _TEXT.finditer(text):
        if one["token"] is not None:
            line += text.count("\n", last, one.start())
            last = one.start()
            found.append((one["token"], line))
    return found


@dataclass(frozen=True)
class Instance:
    """An instance of a module; parameters that are one token, others as None."""

    module: str
    parameters: dict[str, str | None]
    place: Place

    def number(self, name: str) -> int:
        """A parameter that is a number; raises False_ where it is none."""
        value = self.parameters.get(name)
        if value is None or not value.isdigit() or len(value) > DIGITS:
            raise False_(f"{shown(self.place)}: {name} of {self.module} is no number")
        return int(value)

    @property
    def words(self) -> int:
        return 1 if self.module == "hlsmem_register" else self.number("DEPTH")


def shown(place: Place) -> str:
    return f"{place[0]}:{place[1]}"


@dataclass(frozen=True)
class Module:
    """Content of a module: its outputs, its instances, and (name, bits) of its registers."""

    place: Place
    outputs: set[str]
    instances: list[Instance]
    registers: list[tuple[str, int]]


def module_of(name: str, texts: dict[str, str]) -> Module:
    """The module of a name; raises False_ where there is none, several, or one not understood."""
    found = []
    for file, text in texts.items():
        if name not in text or not file.startswith("rtl/"):
            continue
        tokens = tokens_of(text)
        found += [
            (file, tokens, k)
            for k in range(1, len(tokens))
            if tokens[k][0] == name and tokens[k - 1][0] in ("module", "macromodule")
        ]
    if not found:
        raise False_(f"rtl: there is no module {name}")
    file, tokens, start = found[0]
    if len(found) > 1:
        places = " and ".join(shown((one, own[k][1])) for one, own, k in found[:2])
        raise False_(f"{places}: module {name} is there twice")
    end = next((k for k in range(start, len(tokens)) if tokens[k][0] == "endmodule"), None)
    if end is None:
        raise False_(f"{file}:{tokens[start][1]}: module {name} has no end")
    for token, line in tokens:
        if token[0] == "`":
            raise False_(f"{file}:{line}: {token} may be anything; nothing here reads macros")
    return _Reader(file, tokens[start:end]).module()


class _Reader:
    """Goes through the tokens of a module."""

    def __init__(self, file: str, tokens: list[Token]) -> None:
        self.file, self.tokens = file, tokens

    def at(self, k: int) -> str:
        return self.tokens[k][0] if k < len(self.tokens) else ""

    def place(self, k: int) -> Place:
        return self.file, self.tokens[min(k, len(self.tokens) - 1)][1]

    def fail(self, k: int, what: str) -> NoReturn:
        raise False_(f"{shown(self.place(k))}: {what}")

    def module(self) -> Module:
        instances: list[Instance] = []
        registers: list[tuple[str, int]] = []
        depth, k = 0, self.closing(1) + 1
        while k < len(self.tokens):
            token = self.at(k)
            if token in _NOT_READ:
                self.fail(k, f"{token} stands where only what is built once is read")
            depth += (token in ("begin", "case")) - (token in ("end", "endcase"))
            if token == "reg":
                k, own = self.declared(k + 1)
                registers += own
                continue
            if self.is_name(k) and (self.at(k + 1) == "#" or self.is_name(k + 1)):
                if depth or self.at(k - 1) not in (";", "end", "endcase"):
                    self.fail(k, f"{token} is built under a condition")
                k, instance = self.instance(k)
                instances.append(instance)
                continue
            k += 1
        return Module(self.place(0), self.outputs(), instances, registers)

    def outputs(self) -> set[str]:
        """The names of the outputs: each is declared by itself."""
        found, is_output = set(), False
        for k in range(2, self.closing(1) + 1):
            is_output = (is_output and self.at(k) not in (",", "input")) or self.at(k) == "output"
            if is_output and self.at(k + 1) in (",", ")"):
                found.add(self.at(k))
        return found

    def is_name(self, k: int) -> bool:
        token = self.at(k)
        return (token[:1].isalpha() or token[:1] == "_") and token not in _WORDS

    def closing(self, k: int) -> int:
        """Position at which the parenthesis closes that opens at or behind k."""
        depth = 0
        for here in range(k, len(self.tokens)):
            token = self.at(here)
            depth += (token == "(") - (token == ")")
            if token == ")" and not depth:
                break
        else:
            self.fail(k, "a parenthesis is not closed")
        return here

    def declared(self, k: int) -> tuple[int, list[tuple[str, int]]]:
        """(behind, (name, bits)..) of a declaration of registers."""
        bits, found = 1, []
        k += self.at(k) == "signed"
        if self.at(k) == "[":
            if not self.at(k + 1).isdigit() or self.at(k + 2) != ":" or self.at(k + 3) != "0":
                self.fail(k, "the bits of a register are no numbers")
            bits, k = int(self.at(k + 1)) + 1, k + 5
        while True:
            if not self.is_name(k):
                self.fail(k, "a register has no name")
            if self.at(k + 1) == "[":
                self.fail(k, f"{self.at(k)} is a memory of its own")
            found.append((self.at(k), bits))
            if self.at(k + 1) != ",":
                return k + 1, found
            k += 2

    def instance(self, k: int) -> tuple[int, Instance]:
        place, parameters = self.place(k), dict[str, str | None]()
        module = re.sub(r"(?<=\w)_v\d+(_\d+)*$", "", self.at(k))
        k += 1
        if self.at(k) == "#":
            end = self.closing(k)
            parameters = self.parameters(k + 2, end)
            k = end + 1
        if not self.is_name(k) or self.at(k + 1) != "(":
            self.fail(k, f"an instance of {module} is not understood")
        end = self.closing(k + 1)
        if self.at(end + 1) != ";":
            self.fail(end, f"an instance of {module} is not understood")
        return end + 1, Instance(module, parameters, place)

    def parameters(self, k: int, end: int) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        while k < end:
            if self.at(k) != "." or self.at(k + 2) != "(" or self.at(k + 1) in found:
                self.fail(k, "parameters are not given by name, once each")
            close = self.closing(k + 2)
            found[self.at(k + 1)] = self.at(k + 3) if close == k + 4 else None
            k = close + 2
        return found


def built(memory: dict[str, Any], module: Module, latched: int, lanes: int) -> None:
    """Lemma *built*: the module of a memory has its bits, kind, copies, banks and style.

    Skids, holds, gates and walkers are no storage; nor is what a RAM or a register shows, but for
    so many words that are `latched`. A chain that is registers alone has one a lane.
    """
    kind, bits, words = memory["kind"], memory["bits"], memory["words"]
    storing = [one for one in module.instances if one.module in STORING]
    for one in module.instances:
        if one.module not in (*STORING, *PASSING) and not one.module.endswith("_walk"):
            raise False_(f"{shown(one.place)}: {one.module} is nothing that a memory is made of")
    place = shown(storing[0].place if storing else module.place)
    runs = [
        (own, size) for own, size in module.registers if re.fullmatch(r"run_\d+(_lane_\d+)?", own)
    ]
    kept = [size for own, size in module.registers if own.endswith("_kept")]
    is_chain = kind == "chain" or (kind in ("registers", "wire") and not storing)
    names = {one.module for one in storing}
    wanted = KINDS[kind].built_of
    if wanted is None:
        wanted = frozenset(RAMS if words > 1 else (*RAMS, "hlsmem_register"))
    if not names <= wanted or (not storing and not is_chain) or (runs and not is_chain):
        other = ", ".join(sorted(names)) or f"{len(runs)} runs of registers"
        raise False_(f"{place}: {other} are built, a memory of kind {kind} is planned")
    total = sum(one.number("WIDTH") * one.words for one in storing)
    total += sum(size for _, size in runs)
    if is_chain:  # what waits in the skid of a chain has the width of its stream
        total += sum(size // (-(-bits // 8) * 8) * bits for size in kept)
    total += bits * latched
    if total != bits * words:
        planned = f"{bits * words} are planned, {words} words of {bits}"
        raise False_(f"{place}: {total} bits are built, {planned}")
    if is_chain:
        single = not storing and [size for _, size in runs] == [bits] * lanes
        if kind != "wire" and single != (kind == "registers"):
            raise False_(f"{place}: {len(runs)} runs are built, a memory of kind {kind} is planned")
    else:
        _copies_built(memory, storing, place)
    if kind in ("registers", "wire"):
        return
    style = STYLES.get(memory["style"], memory["style"])
    for one in storing:
        own = (one.parameters.get("STYLE", '"auto"') or "").strip('"')
        either = ("auto", "block") if one.module == "hlsmem_ram_output" else (own,)
        if style not in either:
            raise False_(f"{shown(one.place)}: style {own} is built, {style} is planned")


def _copies_built(memory: dict[str, Any], storing: list[Instance], place: str) -> None:
    """Each copy is one RAM of its words, or as many as there are banks, of whole words."""
    bits, words, copies, banks = (memory[key] for key in ("bits", "words", "copies", "banks"))
    for one in storing:
        if one.number("WIDTH") != bits:
            raise False_(
                f"{shown(one.place)}: {one.number('WIDTH')} bits are built, {bits} are planned"
            )
    if memory["kind"] in ("fifo", "registers"):
        if (len(storing), copies, banks) != (1, 1, 1):
            raise False_(f"{place}: {len(storing)} are built, {copies} x {banks} are planned")
        return
    each = words // copies
    whole = sum(one.words == each for one in storing)
    parts = sum(one.words * banks == each for one in storing) if banks > 1 else 0
    divided = memory["kind"] != "banked" or parts
    if whole + parts != len(storing) or whole + parts // banks != copies or not divided:
        sizes = Counter(one.words for one in storing)
        found = " and ".join(f"{many} RAMs of {size} words" for size, many in sizes.items())
        planned = f"{copies} copies of {each} words in {banks} banks are planned"
        raise False_(f"{place}: {found} are built, {planned}")
