"""Proofs of library modules, with the parameters they are used with: the data path itself.

What is added to a module stands in rtl/formal, written by hand. A RAM is one cell there, anyone:
what it says of a beat in that cell holds of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hlsmem.check.formal.module_text import with_lines
from hlsmem.core.data_files import resource_folder
from hlsmem.core.lazy_dataclass import dataclass

_USE = re.compile(
    r"\b(?P<module>hlsmem_(?:skid|output_register|rotator|delay|fifo|branch)) #"
    r"\((?P<parameters>.*?)\n? *\) u_",
    re.S,
)
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
    added = added_text(use.module)
    parameters = dict(use.parameters)
    if use.module == "hlsmem_delay":
        registered = parameters.get("OUTREG", "0") != "0"
        path = "slice[0].registered.ram.ram" if registered else "slice[0].latched.ram"
        added = added.replace("\\RAM.", f"\\{path}.")
    if use.module == "hlsmem_output_register":
        stage = "one_cycle" if parameters.get("LATENCY", "1") == "1" else "two_cycles"
        added = added.replace("STAGE.", f"{stage}.")
    if use.module == "hlsmem_fifo":
        added = _fifo(added, parameters)
    sources = {"hlsmem_ram.v": added_text("hlsmem_ram")}
    sources |= {n: t for n, t in library.items() if n in ("hlsmem_ram_output.v", "hlsmem_wrap.v")}
    text = with_lines(library[f"{use.module}.v"], added.splitlines())
    sources["proof_module.v"] = with_parameters(text, parameters)
    return sources, use.module


def with_parameters(text: str, parameters: Mapping[str, str]) -> str:
    """A module whose parameters have these values where none are given."""
    for name, value in parameters.items():
        text = re.sub(
            rf"(parameter (?:\[[^\]]*\] )?{name} = )[^,\n]*?(,|\s*//|\s*\n)",
            rf"\g<1>{value}\2",
            text,
            count=1,
        )
    return text


def _fifo(added: str, parameters: Mapping[str, str]) -> str:
    """The text added to a FIFO, with the names of its stages."""
    depth, registered = int(parameters["DEPTH"]), parameters.get("OUTREG", "0") != "0"
    path = "two_stages.u_ram.ram" if registered else "one_stage.u_ram"
    lines = added.replace("\\RAM.", f"\\{path}.").splitlines()
    even = depth > 1 and depth & (depth - 1) == 0
    if even and not registered:
        bits = depth.bit_length()
        lines += [
            f"wire [{bits - 1}:0] apart = pointers.w - pointers.r;",
            "assign stored_now = apart;",
        ]
        return "\n".join(lines)
    lines += [
        "assign stored_now = counted.stored;",
        "always @* if (proof_seen) begin",
        "    some_says: assert (counted.is_some == (stored_now != 0));",
        "    full_says: assert (counted.is_full == (stored_now == DEPTH));",
        "end",
    ]
    if depth == 1 or even:
        return "\n".join(lines)
    for side, pointer in (("u_write", "w_addr"), ("u_read", "r_addr")):
        flag = f"\\counted.wrapped.{side}.steps.flag.last "
        lines.append(f"(* hierconn *) wire {flag};")
        lines.append(f"always @* if (proof_seen) assert ({flag} == ({pointer} == DEPTH - 1));")
    return "\n".join(lines)


def added_text(module: str) -> str:
    """The text of rtl/formal for a module: lines to add to it, or a replacement."""
    return (resource_folder("rtl") / "formal" / f"{module}.sv").read_text(encoding="utf-8")
