"""Library modules of OUT whose text is not the installed one: equal to it, or refused.

Two texts of a module are the same circuit where Yosys proves it, at each set of parameters that the
design uses: registers and memories of the same names have the same inputs whenever they hold the
same, and so do the outputs. That is induction over one cycle from any state. A text with other
registers is not proved, whatever it does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hlsmem.core import verilog_library as library
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.tools.foreign_verilog import Equality
from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import Sandbox

# The first start of the Yosys of PyPI compiles it, which takes half a minute.
_SECONDS = 400
_READ = "netlist.json"
_EQUAL = "Equivalence successfully proven!"
_ALONE = "alone.v"
_INTEGER, _INTEGER_BITS = re.compile(r"[01]+"), 32


@dataclass(frozen=True, slots=True, order=True)
class Used:
    """A module at the parameters at which a design has it, as Verilog writes them.

    `ports` have their direction and their bits.
    """

    module: str
    parameters: tuple[tuple[str, str], ...]
    ports: tuple[tuple[str, str, int], ...] = ()

    def text(self) -> str:
        """For people.

        >>> Used("hlsmem_ram_v1", (("DEPTH", "8"), ("STYLE", '"auto"'))).text()
        'hlsmem_ram_v1 (DEPTH 8, STYLE "auto")'
        """
        return f"{self.module} ({', '.join(' '.join(one) for one in self.parameters)})"

    def alone(self) -> str:
        """A top that has nothing else.

        >>> print(Used("m", (("N", "8"),), (("a", "input", 2), ("q", "output", 1))).alone())
        module alone (input wire [1:0] a, output wire [0:0] q);
            m #(.N(8)) u_m (.a(a), .q(q));
        endmodule
        """
        ports = ", ".join(f"{way} wire [{bits - 1}:0] {name}" for name, way, bits in self.ports)
        given = ", ".join(f".{name}({value})" for name, value in self.parameters)
        wired = ", ".join(f".{name}({name})" for name, _, _ in self.ports)
        return (
            f"module alone ({ports});\n"
            f"    {self.module} {f'#({given}) ' if given else ''}u_m ({wired});\nendmodule"
        )


def equality_of(top: str, yosys: str | None) -> Equality | None:
    """The proof of equality for texts of modules below `top`; None where there is no Yosys."""
    return None if yosys is None else partial(unequal_modules, top=top, yosys=yosys)


def unequal_modules(
    rtl: Path, changed: Sequence[str], top: str, yosys: str
) -> Iterator[tuple[str, str]]:
    """Of the `changed` library files in OUT/rtl those not proved equal, each with what is missing.

    `changed` are names of files; `top` is the module below which they are used.
    """
    installed = library.installed()
    texts = {one.name: one.read_text(encoding="utf-8") for one in sorted(rtl.glob("*.v"))}
    theirs = {name: installed.get(name, text) for name, text in texts.items()}
    found = _uses(texts, top, yosys)
    if isinstance(found, str):
        yield from ((name, found) for name in changed)
        return
    for name in changed:
        own = [use for use in found if use.module == Path(name).stem]
        if not own:
            yield name, "not used here, so that nothing proves it"
        for use in own:
            # One text is the other's but for this file: all changed ones are equal in turn.
            before = _proof(use, theirs, {**theirs, name: texts[name]}, yosys)
            if not (before.succeeded and _EQUAL in before.output):
                yield name, f"nothing proves that {use.text()} is the same circuit"
                break


def _uses(texts: Mapping[str, str], top: str, yosys: str) -> list[Used] | str:
    """The modules below the top, each at its parameters; what Yosys says where it refuses them."""
    script = f"hierarchy -check -top {top}; proc; write_json {_READ}"
    with scratch("hlsmem-library-") as folder:
        _written(folder, texts)
        done = _run(f"read_verilog {' '.join(sorted(texts))}; {script}", folder, yosys)
        if not done.succeeded:
            return f"yosys does not take it: {done.last_lines()}"
        modules = json.loads((folder / _READ).read_text(encoding="utf-8"))["modules"]
    return sorted({_used(one) for one in modules.values() if "hdlname" in one["attributes"]})


def _used(module: Mapping[str, Any]) -> Used:
    given = module.get("parameter_default_values", {})
    return Used(
        module["attributes"]["hdlname"].lstrip("\\"),
        tuple((name, _value(value)) for name, value in sorted(given.items())),
        tuple((name, one["direction"], len(one["bits"])) for name, one in module["ports"].items()),
    )


def _value(text: str) -> str:
    """A parameter as Verilog has it: what Yosys writes in binary is a number, of 32 bits signed.

    >>> [_value("0" * 29 + "110"), _value("1" * 32), _value("011"), _value("auto")]
    ['6', '-1', "3'b011", '"auto"']
    """
    if not _INTEGER.fullmatch(text):
        return f'"{text}"'
    if len(text) != _INTEGER_BITS:
        return f"{len(text)}'b{text}"
    return str(int(text, 2) - (int(text[0]) << _INTEGER_BITS))


def _proof(use: Used, texts: Mapping[str, str], others: Mapping[str, str], yosys: str) -> Finished:
    """Yosys proves a module of two sets of texts equal at its parameters."""
    made = "hierarchy -check -top alone; proc; flatten; memory_collect; opt_clean"
    lines = []
    for side in ("gold", "gate"):
        files = " ".join(f"{side}/{name}" for name in (*sorted(texts), _ALONE))
        lines += [f"read_verilog {files}", made, f"rename -top {side}", f"design -stash {side}"]
        lines += ["design -reset"]
    lines += [f"design -copy-from {side} {side}" for side in ("gold", "gate")]
    lines += ["equiv_make gold gate equal", "hierarchy -top equal", "opt_clean"]
    lines += ["equiv_struct", "equiv_simple", "equiv_status -assert"]
    with scratch("hlsmem-library-") as folder:
        for side, own in (("gold", texts), ("gate", others)):
            _written(folder / side, {**own, _ALONE: use.alone()})
        (folder / "equal.ys").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return _run("script equal.ys", folder, yosys)


def _written(folder: Path, texts: Mapping[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _run(script: str, folder: Path, yosys: str) -> Finished:
    return run(
        [yosys, "-p", script],
        folder=folder,
        seconds=_SECONDS,
        sandbox=Sandbox(writable=folder, unlimited=True),
    )
