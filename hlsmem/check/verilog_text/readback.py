"""The generated Verilog read back by another parser (pyverilog): ports as promised, every name
declared before it is used, and no multiplication, division or remainder of anything but
constants."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hlsmem.check.rtl.simulated_device import WRITE, Device
from hlsmem.core.verilog_library import plain
from hlsmem.core.watchdog import scratch

Ports = dict[str, tuple[str, int]]  # name -> (input or output, width)
_DECLARING = frozenset(
    "Wire Reg Integer Genvar Parameter Localparam Input Output Inout Instance".split()  # noqa: SIM905
)


def read_back(sources: Sequence[Path], device: Device | None) -> tuple[str, ...]:
    """Faults of the files, in one line each; the top's ports are those of `device`.

    Raises ImportError where pyverilog is not installed.
    """
    found: list[str] = []
    parse = _parser()
    for source in sources:
        try:
            modules = _modules(parse(source.read_text(encoding="utf-8")))
        except Exception as error:  # pyverilog raises what its grammar happens to raise
            found.append(f"{source.name}: pyverilog cannot read it: {error}")
            continue
        # A number tells files apart whose modules differ in case alone.
        of_file = re.sub(r"_\d+$", "", source.stem)
        if len(modules) != 1 or modules[0].name not in (source.stem, of_file):
            names = ", ".join(module.name for module in modules)
            found.append(f"{source.name}: holds {names or 'no module'}, not {source.stem}")
        for module in modules:
            found += [f"{source.name}: {text}" for text in declaration_faults(module)]
            found += [f"{source.name}: {text}" for text in _operations(module)]
            if device is not None and module.name == device.top:
                found += [f"{source.name}: {text}" for text in _wrong_ports(module, device)]
    return tuple(found)


@cache
def _parser() -> Callable[[str], Any]:
    """A function from Verilog text to a syntax tree; the tables it writes do not stay.

    Building the tables takes most of a second, hence once a process.
    """
    from pyverilog.vparser.parser import VerilogParser

    with scratch("hlsmem-pyverilog-") as folder, _quiet():
        parser = VerilogParser(outputdir=str(folder), debug=False)

    def parse(text: str) -> Any:
        parser.lexer.reset_lineno()
        with _quiet():
            return parser.parse(text)

    return parse


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps what pyverilog prints from the user: it warns of its own grammar."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        yield


def _modules(tree: Any) -> list[Any]:
    return [node for node in tree.description.definitions if type(node).__name__ == "ModuleDef"]


def _walk(node: Any) -> Iterator[Any]:
    yield node
    for child in node.children():
        yield from _walk(child)


def _constants(module: Any) -> set[str]:
    kinds = ("Parameter", "Localparam", "Genvar")
    return {node.name for node in _walk(module) if type(node).__name__ in kinds}


def _operations(module: Any) -> list[str]:
    """Multiplications, divisions and remainders with an operand that is no constant; the library's
    multiplier is what multiplies."""
    if plain(module.name) == "hlsmem_multiply":
        return []
    signs = {"Times": "*", "Divide": "/", "Mod": "%", "Power": "**"}
    constants = _constants(module)
    return [
        f"line {node.lineno}: '{signs[type(node).__name__]}' of something that is no constant"
        for node in _walk(module)
        if type(node).__name__ in signs and not _is_constant(node, constants)
    ]


def _is_constant(node: Any, constants: set[str]) -> bool:
    return all(one.name in constants for one in _walk(node) if type(one).__name__ == "Identifier")


def _wrong_ports(module: Any, device: Device) -> Iterable[str]:
    promised, found = _promised_ports(device), _ports(module)
    for name in promised.keys() - found.keys():
        yield f"port {name} is missing"
    for name in found.keys() - promised.keys():
        yield f"port {name} is not one of the promised ports"
    for name in sorted(promised.keys() & found.keys()):
        if promised[name] != found[name]:
            kind, width = found[name]
            wanted, bits = promised[name]
            yield f"port {name} is {kind} of {width} bits, not {wanted} of {bits}"


def _promised_ports(device: Device) -> Ports:
    ports: Ports = dict.fromkeys(("clk", "rst", "start"), ("input", 1))
    ports["busy"] = ("output", 1)
    for stream in device.streams:
        there, back = ("input", "output") if stream.direction == WRITE else ("output", "input")
        ports[f"{stream.name}_tdata"] = (there, stream.bits)
        ports[f"{stream.name}_tvalid"] = (there, 1)
        ports[f"{stream.name}_tready"] = (back, 1)
        if stream.squashes:
            ports[f"{stream.name}_tdone"] = ("output", 1)
        else:
            ports[f"{stream.name}_tlast"] = (there, 1)
        if stream.user_bits:
            ports[f"{stream.name}_tuser"] = (there, stream.user_bits)
    return ports


def _ports(module: Any) -> Ports:
    """The ports of a module with ANSI headers; a width that is no number counts as 0."""
    found: Ports = {}
    for port in module.portlist.ports:
        kind = type(port.first).__name__.lower()
        found[port.first.name] = (kind, _width(port.first.width))
    return found


def _width(width: Any) -> int:
    if width is None:
        return 1
    try:
        return int(width.msb.value) - int(width.lsb.value) + 1
    except (AttributeError, ValueError):
        return 0


def declaration_faults(module: Any) -> Iterator[str]:
    """Faults of the names of a module, in the order of its text: each is declared once, before its
    first use.

    Compilers differ in what they take: a net used before its declaration is an implicit net of one
    bit for some, an error for others.
    """
    return _faults(module, [{}])


def _faults(node: Any, scopes: list[dict[str, bool]]) -> Iterator[str]:
    """`scopes`, innermost last: names seen so far, and whether they are declared there."""
    kind = type(node).__name__
    if kind == "Identifier" and not any(node.name in scope for scope in scopes):
        yield f"line {node.lineno}: '{node.name}' is used before it is declared"
        scopes[-1][node.name] = False
    inner = [*scopes, {}] if kind == "Block" else scopes
    # `output reg x` is a port and a register of one name.
    for child in (node.first,) if kind == "Ioport" else node.children():
        yield from _faults(child, inner)
    if kind in _DECLARING:
        if scopes[-1].get(node.name):
            yield f"line {node.lineno}: '{node.name}' is declared twice"
        scopes[-1][node.name] = True
