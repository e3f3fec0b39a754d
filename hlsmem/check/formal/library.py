"""Proofs of library modules, with the parameters they are used with: the data path itself.

What is added to a module stands in rtl/formal, written by hand. A RAM is one cell there, anyone:
what it says of a beat in that cell holds of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hlsmem.check.formal.modules import with_lines
from hlsmem.resources import resource_folder

_USE = re.compile(r"\b(?P<module>hlsmem_(?:skid|delay)) #\((?P<parameters>.*?)\n? *\) u_", re.S)
_PARAMETER = re.compile(r"\.(\w+)\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Use:
    """A module of the library and its parameters, as Verilog writes them."""

    module: str
    parameters: tuple[tuple[str, str], ...]

    def text(self) -> str:
        """For people: the module and its numbers."""
        numbers = [f"{name} {value}" for name, value in self.parameters if value.isdigit()]
        return f"{self.module} ({', '.join(numbers)})"


def uses(module: str) -> Iterator[Use]:
    """The library modules with a data path that a module uses, each once."""
    found: dict[Use, None] = {}
    for use in _USE.finditer(module):
        found[Use(use["module"], tuple(_PARAMETER.findall(use["parameters"])))] = None
    yield from found


def library_sources(use: Use, library: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The sources of the proof of a module as it is used, and its top; `library` by file name."""
    added = _formal(use.module)
    parameters = dict(use.parameters)
    if use.module == "hlsmem_delay":
        registered = parameters.get("OUTREG", "0") != "0"
        path = "slice[0].registered.ram.ram" if registered else "slice[0].latched.ram"
        added = added.replace("\\RAM.", f"\\{path}.")
    sources = {"hlsmem_ram.v": _formal("hlsmem_ram")}
    sources |= {n: t for n, t in library.items() if n in ("hlsmem_ram_output.v", "hlsmem_wrap.v")}
    text = with_lines(library[f"{use.module}.v"], added.splitlines())
    for name, value in parameters.items():
        text = re.sub(
            rf"(parameter (?:\[[^\]]*\] )?{name} = )[^,\n]*?(,|\s*//|\s*\n)",
            rf"\g<1>{value}\2",
            text,
            count=1,
        )
    sources["proof_module.v"] = text
    return sources, use.module


def _formal(module: str) -> str:
    return (resource_folder("rtl") / "formal" / f"{module}.sv").read_text(encoding="utf-8")
