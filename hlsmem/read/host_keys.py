"""The `host` key: what the generated C may take, and what its checks are given."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import ConflictInput, ElementType, Program
from hlsmem.program.options import HostChoice, HostMachine, HostOptions, HostTile
from hlsmem.program.schedule_classes import GIVEN
from hlsmem.read.design_names import nearest
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.document import Document
from hlsmem.read.parameter_values import Parameters

_ONE_SIZE = ("sica-min", "sica-max")
"""Words for tiles of one size."""
_GREATEST_INPUT = 10**30
# Integers that a check draws from at most.
_MOST_INTEGERS = 1 << 31
_GREATEST_SHARE = 10


def read_host(
    keys: DesignKeys,
    document: Document,
    program: Program | ConflictInput | None,
    given: Parameters,
    problems: Problems,
) -> HostOptions:
    """The options of host C; adds a problem for what they cannot be held against."""
    asked = keys.host
    name = keys.plan.schedules
    if asked.tiled and name != "tiled":
        problems.add(
            f"host.tiled runs tiles, and plan.schedules: {name} has no rows to cut",
            "use plan.schedules: tiled, or leave host.tiled out",
            document.place("host", "tiled"),
        )
    if keys.kernel is None:
        for key, default in (("alias", "auto"), ("specialise", "none"), ("profile", False)):
            if getattr(asked, key) != default:
                what = f"host.{key} is for the C of a kernel, and the design has none"
                problems.add(what, "leave it out", document.place("host", key))
    _check_inputs(keys, program, document, problems)
    _check_sizes(keys, program, document, problems)
    return HostOptions(
        storage=asked.storage,
        storage_place=document.place("host", "storage"),
        stack_kib=asked.stack_kib,
        tiled=asked.tiled,
        order=asked.order,
        objective=asked.objective,
        extra_cells=asked.extra_cells,
        sizes=tuple(dict(one) for one in asked.sizes),
        choice=_choices(keys, program, document, problems),
        tile=_tiles(keys, program, document, problems),
        jams=asked.jam == "auto",
        machine=_machine(keys, program, document, problems),
        inputs=_ranges(asked.inputs),
        profile=asked.profile,
        alias=asked.alias,
        versions=_versions(keys, program, given, document, problems),
    )


def _versions(
    keys: DesignKeys,
    program: Program | ConflictInput | None,
    given: Parameters,
    document: Document,
    problems: Problems,
) -> dict[str, tuple[int, ...]]:
    """The values that C has versions for, of parameters of the function in the context."""
    asked = keys.host.specialise
    if isinstance(asked, str):
        return {}
    known = sorted(given.values)
    kernel = program.kernel if isinstance(program, Program) else None
    for name, values in asked.items():
        source_location = document.key_place("host", "specialise", name)
        if name not in known:
            remedy = nearest(name, known, f"parameters: {', '.join(known) or 'none'}")
            problems.add(
                f"host.specialise: {name!r} is not a parameter with a value",
                remedy,
                source_location,
            )
            continue
        if kernel is not None and kernel.macros and set(values) - {given.values[name]}:
            what = f"host.specialise: {kernel.macros[0]!r} is a macro, which versions would share"
            problems.add(what, "pass it as an argument, or leave the values out", source_location)
        for number, value in enumerate(values):
            if fix_parameters(given.context, {**given.values, name: value}).is_empty():
                what = f"host.specialise: {name} = {value} is outside of the context"
                source_location = document.place("host", "specialise", name, number)
                problems.add(what, "use values that the design is for", source_location)
    return {name: tuple(values) for name, values in asked.items() if name in known}


def _ranges(inputs: Mapping[str, tuple[str, str]]) -> dict[str, tuple[Fraction, Fraction]]:
    """The ranges that are numbers."""
    found = {}
    for name, (low, high) in inputs.items():
        try:
            found[name] = Fraction(low), Fraction(high)
        except (ValueError, ZeroDivisionError):
            continue
    return found


def _check_inputs(
    keys: DesignKeys,
    program: Program | ConflictInput | None,
    document: Document,
    problems: Problems,
) -> None:
    """Ranges are of parameters that hold numbers, and of such as these hold."""
    known = {} if not isinstance(program, Program) else _inputs_of(program)
    ranges = _ranges(keys.host.inputs)
    for name, (low, high) in keys.host.inputs.items():
        source_location = document.place("host", "inputs", name)
        if program is not None and name not in known:
            what = f"host.inputs: {name!r} is no parameter that checks give values"
            problems.add(what, f"choose from {', '.join(sorted(known)) or 'none'}", source_location)
        least, greatest = ranges.get(name, (Fraction(1), Fraction(0)))
        if not -_GREATEST_INPUT <= least <= greatest <= _GREATEST_INPUT:
            what = f"host.inputs.{name}: {low!r} to {high!r} is no range"
            problems.add(
                what, 'write the least and the greatest value, as ["-1/2", "1e-4"]', source_location
            )
            continue
        element = known.get(name)
        if element is None or element.is_float:
            continue
        first, last = element.value_range
        if not (
            least.denominator == greatest.denominator == 1 and first <= least and greatest <= last
        ):
            what = f"host.inputs.{name}: {low} to {high} is no range of {element.name}"
            problems.add(what, f"write integers from {first} to {last}", source_location)
        elif greatest - least >= _MOST_INTEGERS:
            what = f"host.inputs.{name}: {low} to {high} are more values than checks choose from"
            problems.add(what, f"take a range of at most {_MOST_INTEGERS}", source_location)


def _inputs_of(program: Program) -> dict[str, ElementType | None]:
    """Inputs that checks give values, by name, with types; None: a number of the kernel's type."""
    arrays = {name: array.element for name, array in program.arrays.items()}
    if program.kernel is None:
        return dict(arrays)
    names = {one.name for one in program.kernel.function.parameters}
    return {name: arrays.get(name) for name in names - {*program.parameters}}


def _check_sizes(
    keys: DesignKeys,
    program: Program | ConflictInput | None,
    document: Document,
    problems: Problems,
) -> None:
    """Sizes are positive values of parameters, in the context."""
    known = sorted(keys.params)
    for number, size in enumerate(keys.host.sizes):
        before = len(problems)
        for name, value in size.items():
            source_location = document.place("host", "sizes", number, name)
            if name not in known:
                remedy = nearest(name, known, f"parameters: {', '.join(known) or 'none'}")
                problems.add(f"host.sizes: {name!r} is not a parameter", remedy, source_location)
            elif value < 1:
                problems.add(
                    f"host.sizes: {name} = {value} is not positive",
                    "use 1 or more",
                    source_location,
                )
        if len(problems) > before or not isinstance(program, Program):
            continue
        values = {**program.values, **size}
        if fix_parameters(program.context, values).is_empty():
            text = ", ".join(f"{name}={value}" for name, value in values.items())
            what = f"host.sizes: {text} is outside of the context"
            problems.add(
                what, "use sizes that the design is for", document.place("host", "sizes", number)
            )


def _tiles(
    keys: DesignKeys,
    program: Program | ConflictInput | None,
    document: Document,
    problems: Problems,
) -> str | dict[str, HostTile]:
    """The tiling of C's loops: a word, or tiles by statement."""
    asked = keys.host.tile
    if isinstance(asked, str):
        return asked
    found = {}
    statements = program.statements if isinstance(program, Program) else ()
    known = sorted(one.name for one in statements)
    for name, sizes in asked.items():
        source_location = document.place("host", "tile", name)
        if name in _ONE_SIZE and name not in known:
            what = f"host.tile: {name} is one size for all loops, and here statements have theirs"
            remedy = f"write tile: {name} alone, or leave it out"
            problems.add(what, remedy, document.key_place("host", "tile", name))
        elif program is not None and name not in known:
            remedy = nearest(name, known, f"statements: {', '.join(known) or 'none'}")
            what = f"host.tile: {name!r} is not a statement"
            problems.add(what, remedy, document.key_place("host", "tile", name))
        elif len(sizes) != 2 or min(sizes) < 1:
            what = f"host.tile.{name}: {sizes} is no tile"
            remedy = "write iterations of the vector loop and of the outermost one, as [2048, 32]"
            problems.add(what, remedy, source_location)
        else:
            found[name] = HostTile(vector=sizes[0], outer=sizes[1], source_location=source_location)
    return found


def _machine(
    keys: DesignKeys,
    program: Program | ConflictInput | None,
    document: Document,
    problems: Problems,
) -> HostMachine:
    """The machine that the sizes of tiles are computed for."""
    asked = keys.host
    sizes: dict[str, Any] = {}
    for name in ("l1_kib", "l2_kib", "simd_bits"):
        value = getattr(asked, name)
        sizes[name] = None if isinstance(value, str) else value
    bits = sizes["simd_bits"]
    arrays = program.arrays.values() if isinstance(program, Program) else ()
    widest = 8 * max((one.element.cell_bytes for one in arrays), default=1)
    if bits is not None and bits % widest:
        what = f"host.simd_bits: {bits} is no multiple of an element of {widest} bits"
        problems.add(what, "use 128, 256 or 512", document.place("host", "simd_bits"))
    written = asked.rho if isinstance(asked.rho, str) else f"{asked.rho:g}"
    rho = _share(written)
    if rho is None or not 0 < rho <= _GREATEST_SHARE:
        what = f"host.rho: {written} is no share in (0, {_GREATEST_SHARE}]"
        problems.add(what, 'write a number, as 0.9 or "9/10"', document.place("host", "rho"))
        rho = Fraction(1)
    places = {name: document.place("host", name) for name in sizes}
    return HostMachine(**sizes, rho=rho, places=places)


def _share(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def _choices(
    keys: DesignKeys,
    program: Program | ConflictInput | None,
    document: Document,
    problems: Problems,
) -> dict[str, HostChoice]:
    """The user's choices for arrays in C, by name."""
    found = {}
    known = (
        sorted(array.name for array in program.planned_arrays())
        if isinstance(program, Program)
        else []
    )
    for name, asked in keys.host.choice.items():
        source_location = document.key_place("host", "choice", name)
        if program is not None and name not in known:
            listed = ", ".join(known) or "none"
            remedy = nearest(name, known, f"planned arrays: {listed}")
            problems.add(f"host.choice: {name!r} is not a planned array", remedy, source_location)
        if asked.method is None and asked.shape is None:
            what = f"host.choice.{name} names neither a method nor a shape"
            problems.add(what, "name one of them, or leave it out", source_location)
        found[name] = HostChoice(
            method=asked.method,
            shape=asked.shape,
            source_location=source_location,
            method_place=document.place("host", "choice", name, "method"),
        )
    if found and (keys.host.tiled or keys.plan.schedules != GIVEN.name):
        problems.add(
            "host.choice is for the given order, and C has the plan's cells for a class of orders",
            "leave host.choice out",
            document.place("host", "choice"),
        )
    return found
