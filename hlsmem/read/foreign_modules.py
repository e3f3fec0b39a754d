"""The `accelerator.functions` key: modules of the user's, held to what they are to compute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from hlsmem.core.errors import InputError
from hlsmem.core.wording import counted, listed
from hlsmem.program.foreign_modules import ForeignModule
from hlsmem.program.model import ConflictInput, ElementType, Program, SourceFile
from hlsmem.read.c import tree
from hlsmem.read.c.headers import PURE_FUNCTIONS
from hlsmem.read.c.types import scalar_type
from hlsmem.read.design_folder import Folder
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.document import read_file
from hlsmem.read.module_ports import ports_of
from hlsmem.read.texts import Texts

ARITHMETIC = ("+", "-", "*", "/")
COMPARISONS = ("<", "<=", "==")
"""The operators of floats that a module may be named for, behind `f` or `d`; others follow."""
_FLOATS = {"f": 32, "d": 64}
_TYPES = "float|double|u?int(?:32|64)"
_NAMES = "name f+ f- f* f/ f< f<= f==, d+ .. of doubles, float(int32), or such a function"
_Widths = tuple[tuple[int, ...], int]


def read_modules(
    keys: DesignKeys, program: Program | ConflictInput | None, texts: Texts, folder: Folder
) -> tuple[ForeignModule, ...]:
    """Return the modules of a design; what is wrong with them goes to the problems of `texts`."""
    found = []
    for name, own in keys.accelerator.functions.items():
        widths = _widths(name, program, texts)
        missing = [key for key in _KEYS if getattr(own, key) is None]
        if missing:
            what = f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing"
            _told(texts, name, what, "add it" if len(missing) == 1 else "add them")
        if own.module is None or own.file is None:
            continue
        source = _source(name, own.module, own.file, keys.name, texts, folder)
        if source is None or widths is None or not _fits(name, own.module, source, widths, texts):
            continue
        found.append(
            ForeignModule(
                name=name,
                module=own.module,
                latency=own.latency or 1,
                operands=widths[0],
                bits=widths[1],
                file=source,
            )
        )
    return tuple(found)


_KEYS = ("module", "file", "latency")


def operator_widths(name: str) -> _Widths | None:
    """Return the bits of the operands and of the result of an operator; None where it is none.

    >>> operator_widths("f+"), operator_widths("d<"), operator_widths("f%")
    (((32, 32), 32), ((64, 64), 1), None)
    >>> operator_widths("double(int32)")
    ((32,), 64)
    """
    conversion = re.fullmatch(rf"({_TYPES})\(({_TYPES})\)", name)
    if conversion is not None and ("float" in name or "double" in name):
        end, begin = (ElementType(own).bits for own in conversion.groups())
        return (begin,), end
    bits, sign = _FLOATS.get(name[:1]), name[1:]
    if bits is None or sign not in (*ARITHMETIC, *COMPARISONS):
        return None
    return (bits, bits), bits if sign in ARITHMETIC else 1


def _widths(name: str, program: Program | ConflictInput | None, texts: Texts) -> _Widths | None:
    """The bits of what a function takes and returns; None where it is none, which is told."""
    found = operator_widths(name)
    if found is not None or program is None:
        return found
    kernel = program.kernel if isinstance(program, Program) else None
    declared = () if kernel is None else kernel.declarations
    for one in declared:
        if isinstance(one, tree.FuncDef) and one.name == name:
            kinds = [scalar_type(own.type) for own in one.parameters]
            returned = scalar_type(one.returns)
            if returned is None or None in kinds:
                what = f"{name!r} takes or returns what is no number"
                _told(texts, name, what, "name a function of numbers")
                return None
            return tuple(kind.bits for kind in kinds if kind is not None), returned.bits
    if name in PURE_FUNCTIONS and name not in ("abs", "labs", "llabs", "min", "max"):
        bits = 32 if name.endswith("f") and name != "erf" else 64
        return (bits,) * _OPERANDS.get(name.removesuffix("f"), 1), bits
    what = f"{name!r} is no operator, and no function of numbers that the C calls"
    _told(texts, name, what, _NAMES)
    return None


_OPERANDS = {
    **dict.fromkeys(("atan2", "hypot", "pow", "fmod", "remainder", "copysign", "nextafter"), 2),
    **dict.fromkeys(("fdim", "fmax", "fmin"), 2),
    "fma": 3,
}
"""Functions of <math.h> with several operands."""


def _source(
    name: str, module: str, file: str, design: str, texts: Texts, folder: Folder
) -> SourceFile | None:
    """The file of a module; None where there is none, which is told."""
    wrong = _wrong_name(module, PurePosixPath(file), design)
    if wrong is None:
        try:
            return SourceFile(name=file, text=read_file(folder / file))
        except InputError as error:
            one = error.problems[0]
            wrong = one.what, one.remedy, "file"
    _told(texts, name, *wrong)
    return None


def _wrong_name(module: str, file: PurePosixPath, design: str) -> tuple[str, str, str] | None:
    """What is wrong with the names of a module and its file, what to do, and the key."""
    if file.is_absolute() or ".." in file.parts:
        what = f"{str(file)!r} is not below the folder of the design"
        return what, "move the file beside the design", "file"
    if file.suffix != ".v":
        return f"{str(file)!r} is no file of Verilog", "name one that ends in .v", "file"
    for key, word in (("module", module), ("file", file.stem)):
        if re.match(rf"{re.escape(design)}(_|$)|hlsmem_", word):
            what = f"the {key} {word!r} may be one that is generated: those begin so"
            return what, "choose another name", key
    return None


def _fits(name: str, module: str, source: SourceFile, widths: _Widths, texts: Texts) -> bool:
    """True if a module has the ports that it needs; what is wrong with them is told."""
    ports = ports_of(source.text, module)
    if ports is None:
        what = f"{source.name!r} has no module {module!r}"
        _told(texts, name, what, "check the name", "module")
        return False
    operands, result = widths
    wanted = {"clk": ("input", 1), "ce": ("input", 1)}
    wanted |= {f"a{k}": ("input", bits) for k, bits in enumerate(operands)}
    wanted["q"] = ("output", result)
    wrong = []
    for port, (direction, bits) in wanted.items():
        given = ports.get(port)
        if given is None or given.direction != direction:
            wrong.append(f"no {direction} {port}")
        elif given.bits is None:
            wrong.append(f"a range of {port} that is no number")
        elif given.bits != bits:
            wrong.append(f"{port} of {counted(given.bits, 'bit')}, not {bits}")
    wrong += [f"a further port {port}" for port in ports if port not in wanted]
    if wrong:
        listing = listed([*wrong])
        ports_wanted = ", ".join(_ports(wanted))
        _told(texts, name, f"{module!r} has {listing}", f"give it {ports_wanted}", "module")
    return not wrong


def _ports(wanted: dict[str, tuple[str, int]]) -> Iterator[str]:
    for port, (direction, bits) in wanted.items():
        yield f"{direction} {f'[{bits - 1}:0] ' if bits > 1 else ''}{port}"


def _told(texts: Texts, name: str, what: str, remedy: str, *key: str) -> None:
    what = f"accelerator.functions.{name}: {what}"
    texts.problems.add(what, remedy, texts.place("accelerator", "functions", name, *key))
