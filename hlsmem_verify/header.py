"""Header of C as built, against the cells of plan.json."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from hlsmem_verify.algebra import Values
from hlsmem_verify.built import tokens_of
from hlsmem_verify.outcomes import DEEPEST, DIGITS, MOST_TERMS, False_

SIZES = {
    "char": 1, "bool": 1, "_Bool": 1, "short": 2, "int": 4, "unsigned": 4, "signed": 4, "float": 4,
    "double": 8, "long": 8,
} | {f"{sign}int{bits}_t": bits // 8 for sign in ("", "u") for bits in (8, 16, 32, 64)}  # fmt: skip


class Header:
    """The macros and types of a header of C, and the value of an expression of them."""

    def __init__(self, file: str, text: str, values: Values) -> None:
        self.file, self.values = file, values
        self.macros: dict[str, list[tuple[int, list[str]]]] = {}
        self.types: dict[str, list[str]] = {}
        whole = text.replace("\\\n", "  ")
        for number, line in enumerate(whole.splitlines(), start=1):
            define = re.match(r"\s*#\s*define\s+(\w+)(?![\w(])(.*)", line)
            if define is not None:
                body = [one for one, _ in tokens_of(define[2])]
                self.macros.setdefault(define[1], []).append((number, body))
            typedef = re.match(r"\s*typedef\s+([\w ]+?)\s+(\w+)\s*;", line)
            if typedef is not None:
                self.types[typedef[2]] = typedef[1].split()

    def only(self, name: str) -> tuple[int, list[str]]:
        """The line and the tokens of a macro; raises False_ where there are several."""
        if len(self.macros[name]) > 1:
            places = " and ".join(f"{self.file}:{line}" for line, _ in self.macros[name][:2])
            raise False_(f"{places}: {name} is there twice")
        return self.macros[name][0]

    def terms(self, name: str) -> list[tuple[int, bool]]:
        """(value, whether it is a number of cells) of the terms of a macro."""
        self._begin(name)
        found: list[tuple[int, bool]] = []
        while not found or self.take("+"):
            self.sized = False
            found.append((self.product(), self.sized))
        if self.k < len(self.tokens):
            self.fail()
        return found

    def greater(self, name: str) -> int:
        """The value of a macro that may choose the greater of two sums."""
        self._begin(name)
        value = self.total()
        if self.take(">"):
            chosen = value > self.total()
            if not self.take("?"):
                self.fail()
            first = self.total()
            if not self.take(":"):
                self.fail()
            other = self.total()
            value = first if chosen else other
        if self.k < len(self.tokens):
            self.fail()
        return value

    def _begin(self, name: str) -> None:
        """To the first token of a macro, without parentheses around all of it."""
        self.line, tokens = self.only(name)
        self.tokens, self.k, self.sized, self.depth = [*tokens], 0, False, 0
        while self.tokens[:1] == ["("] and self._closing() == len(self.tokens) - 1:
            self.tokens = self.tokens[1:-1]

    def _closing(self) -> int:
        depth = 0
        for k, token in enumerate(self.tokens):
            depth += (token == "(") - (token == ")")
            if not depth:
                return k
        return -1

    def fail(self) -> NoReturn:
        raise False_(f"{self.file}:{self.line}: a number of bytes or cells is not understood")

    def peek(self) -> str:
        return self.tokens[self.k] if self.k < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        self.k += (found := self.peek() == token)
        return found

    def total(self) -> int:
        value = self.product()
        while self.peek() in ("+", "-"):
            value += self.product() if self.take("+") else -(self.take("-") and self.product())
        return value

    def product(self) -> int:
        value = self.factor()
        while (sign := self.peek()) in ("*", "/", "%") and sign:
            self.k += 1
            other = self.factor()
            if sign == "*":
                value *= other
            elif other <= 0 or value < 0:
                self.fail()
            else:
                value = value // other if sign == "/" else value % other
        return value

    def factor(self) -> int:
        token = self.peek()
        self.k += 1
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail()
        value = 0
        if token.isdigit() and len(token) <= DIGITS:
            value = int(token)
            if re.fullmatch(r"[uUlL]{1,3}", self.peek()):
                self.k += 1
        elif token == "-":
            value = -self.factor()
        elif token == "(" and self.peek() in ("size_t", "int64_t", "uint64_t"):
            self.k += 1
            value = self.factor() if self.take(")") else self.fail()
        elif token == "(":
            value = self.total()
            if not self.take(")"):
                self.fail()
        elif token == "sizeof" and self.take("("):
            value, self.sized = self.size(), True
        elif token in ("HLSMEM_FLOOR_DIVIDE", "HLSMEM_MODULO", "HLSMEM_MAX") and self.take("("):
            value = self.called(token)
        elif token in self.macros:
            self.tokens[self.k - 1 : self.k] = ["(", *self.only(token)[1], ")"]
            self.k -= 1
            if len(self.tokens) > MOST_TERMS:
                self.fail()
            value = self.factor()
        elif token in self.values:
            value = self.values[token]
        else:
            self.fail()
        self.depth -= 1
        return value

    def called(self, function: str) -> int:
        one = self.total()
        other = self.total() if self.take(",") else 0
        if not self.take(")") or (function != "HLSMEM_MAX" and other <= 0):
            self.fail()
        if function == "HLSMEM_MAX":
            return max(one, other)
        return one // other if function == "HLSMEM_FLOOR_DIVIDE" else one % other

    def size(self) -> int:
        """The bytes of the type up to the next parenthesis."""
        words: list[str] = []
        while not self.take(")"):
            if not self.peek():
                self.fail()
            words.append(self.peek())
            self.k += 1
        for _ in range(DEEPEST):
            if len(words) != 1 or words[0] not in self.types:
                break
            words = self.types[words[0]]
        words = [one for one in words if one not in ("const", "volatile")]
        own = [one for one in words if one not in ("signed", "unsigned", "int", "long")]
        known = own or [one for one in ("long", "int", "unsigned", "signed") if one in words]
        if not words or any(one not in SIZES for one in words):
            self.fail()
        return SIZES[known[0]]


def bytes_in_c(host: dict[str, Any]) -> tuple[int, int]:
    """The bytes of the workspace from which and up to which an array has cells."""
    return host["at"], host["at"] + host["mapping"]["cells"] * host["cell_bytes"]


def bytes_of_c(document: dict[str, Any], texts: dict[str, str]) -> bool:
    """Lemma *bytes of C*: the workspace of the header has the cells of each array, and no others.

    Whether there is a header that says how many.
    """
    file = f"host/{document['design']}.h"
    text = texts.get(file)
    arrays = {
        name: array["holdings"]["host"]["parts"][0]
        for name, array in document["arrays"].items()
        if array["holdings"]["host"] is not None
    }
    placed = {name: one for name, one in arrays.items() if one["at"] is not None}
    if text is None:
        return False
    header = Header(file, text, document["params"])
    for name, one in arrays.items():
        macro = f"{name.upper()}_CELLS"
        if document["program"] is None and macro in header.macros:
            cells = sum(value for value, _ in header.terms(macro))
            if cells != one["mapping"]["cells"]:
                place = f"{file}:{header.line}"
                raise False_(
                    f"{place}: {cells} cells hold {name}, {one['mapping']['cells']} are planned"
                )
    # A workspace that may hold more than the cells says how many bytes are theirs.
    of_cells = [name for name in header.macros if name.endswith("_CELLS_BYTES")]
    names = of_cells or [name for name in header.macros if name.endswith("_WS_BYTES")]
    if not names:
        if placed and re.search(r"_ws_bytes\(void\)", text):
            raise False_(f"{file}: it does not define the bytes of the workspace")
        return False
    if len(names) > 1:
        raise False_(f"{file}: {names[0]} and {names[1]} are there")
    line = header.only(names[0])[0]
    terms = header.terms(names[0])
    sizes = [value for value, is_sized in terms if is_sized]
    wanted = sorted(placed.items(), key=lambda one: bytes_in_c(one[1]))
    for (name, one), size in zip(wanted, sizes, strict=False):
        first, last = bytes_in_c(one)
        if size != last - first:
            raise False_(
                f"{file}:{line}: {size} bytes of C hold {name}, {last - first} are planned"
            )
    total = sum(value for value, _ in terms)
    end = max((bytes_in_c(one)[1] for _, one in wanted), default=0)
    if total != end or len(sizes) != len(wanted):
        raise False_(f"{file}:{line}: the workspace has {total} bytes, {end} are planned")
    if document["host"] is not None and document["host"]["text"] is not None:
        own = document["host"]["text"]["arrays"].values()
        end = max((bytes_in_c(one)[1] for one in own if one["at"] is not None), default=0)
        (whole,) = (name for name in header.macros if name.endswith("_WS_BYTES"))
        total = header.greater(whole)
        if total < end:
            what = f"the workspace has {total} bytes, the order of the text needs {end}"
            raise False_(f"{file}:{header.line}: {what}")
    return True
