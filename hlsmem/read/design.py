"""Reading a design: design.yaml or a bare C file, with the settings of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path, PurePosixPath

from hlsmem.classes import GIVEN, ScheduleClass
from hlsmem.errors import InputError, Problem, Problems
from hlsmem.options import (
    Design,
    HostOptions,
    LimitOptions,
    PipelineOptions,
    PlanOptions,
    ReusedPlan,
    SearchOptions,
    TargetOptions,
)
from hlsmem.places import Place
from hlsmem.program import ConflictInput, Program, SourceFile, Statement, values_name
from hlsmem.read.arrays import (
    check_array_names,
    element_types,
    extents_of,
    with_settings,
    with_settings_of_values,
    with_stream_times,
)
from hlsmem.read.assembly import (
    Reading,
    assemble_conflicts,
    assemble_program,
    unused_parameters,
)
from hlsmem.read.classes import read_class
from hlsmem.read.conflicts import read_conflicts
from hlsmem.read.document import Document, override, read_document, read_file
from hlsmem.read.expansion import with_expansion
from hlsmem.read.limits import read_limits
from hlsmem.read.names import C_KEYWORDS, check_name, nearest
from hlsmem.read.network import read_network
from hlsmem.read.parameters import at_their_values, read_parameters
from hlsmem.read.schedule import SEARCH, Timing, read_schedule, time_names
from hlsmem.read.schema import DesignKeys, KernelKeys, json_schema
from hlsmem.read.texts import Texts
from hlsmem.read.validation import validate
from hlsmem.watchdog import scratch

__all__ = ["changed", "json_schema", "load", "seen_from"]

_DESIGN_FILE = "design.yaml"
_NO_PARAMETERS: Mapping[str, int] = {}


def load(
    path: Path, *, parameters: Mapping[str, int] = _NO_PARAMETERS, settings: Sequence[str] = ()
) -> Design:
    """The design in `path`, a design.yaml or a C file with a scop.

    `settings` are KEY=VALUE with dotted keys and values in YAML, and replace what the file
    says; `parameters` do so last. Loading a copy of `Design.sources` with `Design.overrides`
    as settings gives an equal design. Raises InputError with all problems found.
    """
    try:
        return _load(path, parameters, settings)
    except InputError as error:
        # Inside a design, files are named as seen from its folder, so that a copy of the
        # folder gives an equal design. Messages name them as seen by the user.
        raise InputError(*(seen_from(path.parent, one) for one in error.problems)) from None


def changed(design: Design, settings: Sequence[str], *, option: str = "--set") -> Design:
    """The design with further settings, KEY=VALUE, as if it had been read with them.

    Messages call them `option`, and name files as seen from the folder of the design. Raises
    InputError with all problems found.
    """
    with scratch("hlsmem-design-") as folder:
        for source in design.sources:
            file = folder / source.name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(source.text, encoding="utf-8")
        return _load(folder / design.file, {}, [*design.overrides, *settings], option=option)


def _load(
    path: Path, parameters: Mapping[str, int], settings: Sequence[str], *, option: str = "--set"
) -> Design:
    problems = Problems()
    bare = path.suffix == ".c"
    text = read_file(path)
    if bare:
        text = _design_of_kernel(path, {})
    document = read_document(text, str(path) if bare else path.name, numbered=not bare)
    document = _with_settings(document, settings, problems, option)
    document = _with_parameters(document, parameters, problems, any_name=bare)
    keys = validate(document, problems)
    program: Program | ConflictInput | None = None
    schedules: ScheduleClass = GIVEN
    reuse: ReusedPlan | None = None
    limits = LimitOptions()
    if keys is not None:
        asked = tuple(parameters) if bare else ()
        check_name("design", keys.name, document.place("name"), problems)
        known = read_parameters(keys, document, problems)
        reuse = _reused(keys, document, path.parent, problems)
        if reuse is not None:
            # Nothing that a mapping of another plan needs is looked at for other sizes.
            known = at_their_values(known)
        texts = Texts(document, known, problems)
        program = with_expansion(keys, _read(keys, texts, path.parent, asked), texts)
        schedules = read_class(keys, program, texts)
        _check_target(keys, document, problems)
        _check_search(keys, document, problems)
        _check_host(keys, document, problems)
        _check_inputs(keys, program, document, problems)
        _check_split(keys, document, problems)
        limits = read_limits(keys, document, program, problems)
    problems.raise_if_any()
    assert keys is not None
    assert program is not None
    if bare:
        source = SourceFile(name=_DESIGN_FILE, text=_design_of_kernel(path, parameters))
    else:
        source = SourceFile(name=path.name, text=text)
        settings = [*settings, *(f"params.{name}={value}" for name, value in parameters.items())]
    kernel = program.kernel if isinstance(program, Program) else None
    return Design(
        file=source.name,
        input=program,
        plan=PlanOptions(
            method=keys.plan.method,
            strict=keys.plan.strict,
            slack=keys.plan.slack,
            budget=keys.plan.budget,
            round=keys.plan.round,
            dimensions=keys.plan.dimensions,
            objective=keys.plan.objective,
            schedules=schedules,
            search=SearchOptions(
                wanted=keys.schedule == SEARCH,
                order=keys.plan.search.order,
                strips=keys.plan.search.strips,
            ),
            reuse=reuse,
            split=keys.plan.split == "auto",
        ),
        pipeline=PipelineOptions(
            level=keys.pipeline.level,
            interval=keys.pipeline.interval,
            latency=dict(keys.pipeline.latency),
        ),
        target=_target(keys, document),
        host=HostOptions(
            storage=keys.host.storage,
            stack_kib=keys.host.stack_kib,
            tiled=keys.host.tiled,
            objective=keys.host.objective,
            extra_cells=keys.host.extra_cells,
            inputs={name: (Fraction(a), Fraction(b)) for name, (a, b) in keys.host.inputs.items()},
        ),
        limits=limits,
        sources=(
            source,
            *(kernel.sources if kernel else ()),
            *(() if reuse is None else (reuse.source,)),
        ),
        overrides=_canonical(settings),
    )


# What a reused plan is called beside the copy of a design.
_REUSED = "reused.plan.json"


def _reused(
    keys: DesignKeys, document: Document, folder: Path, problems: Problems
) -> ReusedPlan | None:
    """The plan that `plan.reuse` names: the copy beside the design, if it is one of OUT.

    The name counts from the design, or from where the command runs.
    """
    name = keys.plan.reuse
    if name is None:
        return None
    place = document.place("plan", "reuse")
    for file in (folder / _REUSED, folder / name, Path(name)):
        if file.is_file():
            return ReusedPlan(source=SourceFile(name=_REUSED, text=read_file(file)), place=place)
    problems.add(f"there is no plan {name!r}", "check the name; it counts from the design", place)
    return None


def _target(keys: DesignKeys, document: Document) -> TargetOptions:
    device = keys.target.device
    return TargetOptions(
        device=device,
        place=None if device is None else document.place("target", "device"),
        block_rams=keys.target.block_rams if keys.limits.blocks is None else keys.limits.blocks,
        output_register={"auto": None, "yes": True, "no": False}[keys.target.output_register],
    )


def _check_target(keys: DesignKeys, document: Document, problems: Problems) -> None:
    """Blocks are counted on a device: one has to be named."""
    if keys.target.block_rams is not None and keys.target.device is None:
        problems.add(
            "target.block_rams is a number of a device's block RAMs, and no device is named",
            "add target.device, such as ecp5-25k",
            document.place("target", "block_rams"),
        )
    if keys.plan.objective == "blocks" and keys.target.device is None:
        problems.add(
            "plan.objective: blocks are those of a device, and none is named",
            "add target: {device: ecp5-25k}, or the device that it is",
            document.place("plan", "objective"),
        )


def _check_search(keys: DesignKeys, document: Document, problems: Problems) -> None:
    """An order is found for the arrays of that order: a class has many."""
    if keys.schedule == SEARCH and keys.plan.schedules != "given":
        problems.add(
            "schedule: search finds one order, and plan.schedules asks for many",
            "leave one of the two out",
            document.place("schedule"),
        )


def _check_host(keys: DesignKeys, document: Document, problems: Problems) -> None:
    """Tiles are cut along the rows of a class."""
    name = keys.plan.schedules
    if keys.host.tiled and name != "tiled":
        problems.add(
            f"host.tiled runs tiles, and plan.schedules: {name} has no rows to cut",
            "use plan.schedules: tiled, or leave host.tiled out",
            document.place("host", "tiled"),
        )


_GREATEST_INPUT = 10**30


def _check_inputs(
    keys: DesignKeys,
    program: Program | ConflictInput | None,
    document: Document,
    problems: Problems,
) -> None:
    """Ranges are of parameters that hold floats."""
    known: set[str] = set()
    if isinstance(program, Program):
        known = {name for name, array in program.arrays.items() if array.element.is_float}
        if program.kernel is not None:
            arguments = program.kernel.function.decl.type.args
            listed = arguments.params if arguments else ()
            names = {str(one.name) for one in listed if getattr(one, "name", None)}
            known = (known | (names - {*program.arrays, *program.parameters})) & names
    for name, (low, high) in keys.host.inputs.items():
        place = document.place("host", "inputs", name)
        if program is not None and name not in known:
            what = f"host.inputs: {name!r} is no parameter of floats"
            problems.add(what, f"choose from {', '.join(sorted(known)) or 'none'}", place)
        try:
            ordered = -_GREATEST_INPUT <= Fraction(low) <= Fraction(high) <= _GREATEST_INPUT
        except (ValueError, ZeroDivisionError):
            ordered = False
        if not ordered:
            what = f"host.inputs.{name}: {low!r} to {high!r} is no range"
            problems.add(what, 'write the least and the greatest value, as ["-1/2", "1e-4"]', place)


def _check_split(keys: DesignKeys, document: Document, problems: Problems) -> None:
    """Borders are found in a program's reads, for mappings that are looked for."""
    if keys.plan.split == "none":
        return
    what = ""
    if keys.conflicts is not None:
        what = "plan.split looks at reads, and a conflict set has none"
    elif keys.plan.reuse is not None:
        what = "plan.split looks for mappings, and plan.reuse takes them over"
    if what:
        problems.add(what, "leave plan.split out", document.place("plan", "split"))


def seen_from(folder: Path, problem: Problem) -> Problem:
    """A problem of a design in `folder` with files named as the user sees them."""

    def moved(place: Place | None) -> Place | None:
        if place is None or not place.line:
            return place
        return replace(place, file=str(folder / place.file))

    notes = tuple(replace(note, place=moved(note.place)) for note in problem.notes)
    return replace(problem, place=moved(problem.place), notes=notes)


def _design_of_kernel(path: Path, parameters: Mapping[str, int]) -> str:
    """The design.yaml that a bare C file stands for."""
    values = ", ".join(f"{name}: {value}" for name, value in parameters.items())
    name = _design_name(path.stem)
    return f"hlsmem: 1\nname: {name}\nparams: {{{values}}}\nkernel: {{file: {path.name}}}\n"


def _design_name(stem: str) -> str:
    """A C identifier close to the name of a file: heat-3d is heat_3d, 2mm is k2mm.

    >>> _design_name("2mm")
    'k2mm'
    """
    name = re.sub(r"\W", "_", stem, flags=re.ASCII)
    if not re.match(r"[A-Za-z_]", name):
        name = f"k{name}"
    reserved = name in C_KEYWORDS or name.lower() in ("null", "true", "false")
    return f"{name}_" if reserved else name


def _with_settings(
    document: Document, settings: Sequence[str], problems: Problems, option: str
) -> Document:
    for setting in settings:
        try:
            document = override(document, setting, f"{option} {setting}")
        except InputError as error:
            problems.extend(error)
    return document


def _with_parameters(
    document: Document, parameters: Mapping[str, int], problems: Problems, *, any_name: bool
) -> Document:
    declared = document.get("params")
    known = list(declared) if isinstance(declared, dict) else []
    for name, value in parameters.items():
        option = f"--param {name}={value}"
        if name in known or any_name:
            document = override(document, f"params.{name}={value}", option)
        else:
            remedy = nearest(name, known, f"the parameters are: {', '.join(known) or 'none'}")
            problems.add(f"{option}: the design has no parameter {name!r}", remedy)
    return document


def _canonical(settings: Sequence[str]) -> tuple[str, ...]:
    """The settings that count: one for each key, the last."""
    kept: dict[str, str] = {}
    for setting in settings:
        key, _, value = setting.partition("=")
        name = ".".join(step.strip() for step in key.split("."))
        kept.pop(name, None)
        kept[name] = value.strip()
    return tuple(f"{name}={value}" for name, value in kept.items())


def _read(
    keys: DesignKeys,
    texts: Texts,
    folder: Path,
    asked: tuple[str, ...],
) -> Program | ConflictInput | None:
    """The input of a design; something has to depend on the parameters in `asked`."""
    if keys.conflicts is not None:
        return assemble_conflicts(keys, read_conflicts(keys.conflicts, keys.arrays, texts), texts)
    reading = None
    if keys.network is not None:
        reading = _network(keys, texts)
    elif keys.kernel is not None:
        reading = _kernel(keys, keys.kernel, texts, folder)
    if reading is None:
        return None
    for name in unused_parameters(reading, asked):
        texts.problem(f"nothing in the kernel depends on {name!r}", "check it", "params", name)
    return assemble_program(keys, reading, texts)


def _network(keys: DesignKeys, texts: Texts) -> Reading | None:
    found = read_network(keys.network or {}, keys.arrays, texts)
    if found is None:
        return None
    timing = _timing(keys, found.statements, texts)
    size = found.time_dimensions
    times = timing.dimensions if timing else size
    return Reading(
        arrays={
            name: with_stream_times(array, keys.arrays[name], texts, times)
            for name, array in found.arrays.items()
        },
        statements=found.statements,
        time_dimensions=size,
        iterator_names=time_names(size, {*texts.parameters.names, *found.arrays}),
        level=max(1, size - 1),
        levels=max(1, size),
        timing=timing,
    )


def _timing(keys: DesignKeys, statements: Sequence[Statement], texts: Texts) -> Timing | None:
    return None if keys.schedule in (None, SEARCH) else read_schedule(statements, texts)


def _kernel(keys: DesignKeys, kernel: KernelKeys, texts: Texts, folder: Path) -> Reading | None:
    # Only C kernels need the C reader.
    from hlsmem.read.c.kernel import read_kernel

    check_array_names(keys.arrays, texts)
    file = PurePosixPath(kernel.file)
    if file.is_absolute() or ".." in file.parts:
        what = f"{kernel.file!r} is not below the folder of the design"
        texts.problem(what, "move the design beside the kernel", "kernel", "file")
        return None
    if not (folder / file).is_file():
        what = f"there is no file {str(folder / file)!r}"
        texts.problem(what, "check the name; it counts from the design", "kernel", "file")
        return None
    try:
        found = read_kernel(
            folder=folder,
            file=kernel.file,
            function=kernel.function,
            cflags=kernel.cflags,
            parameters=texts.parameters.names,
            element_types=element_types(keys.arrays),
            extents=extents_of(keys.arrays, texts),
            context=texts.parameters.context,
        )
    except InputError as error:
        # What stands in no C file, such as a wrong flag, is said where the design names the kernel.
        place = texts.document.key_place("kernel")
        named = place if place.line else None
        for one in error.problems:
            texts.problems.add(one.what, one.remedy, one.place or named, one.notes)
        return None
    timing = _timing(keys, found.statements, texts)
    times = timing.dimensions if timing else found.time_dimensions
    arrays = {array.name: array for array in found.arrays}
    expanded = {values_name(name): name for name in keys.plan.expand if name in arrays}
    for name, settings in keys.arrays.items():
        if name not in arrays and name in expanded:
            arrays[expanded[name]] = with_settings_of_values(
                arrays[expanded[name]], name, settings, texts
            )
            continue
        if name not in arrays:
            place = texts.document.key_place("arrays", name)
            remedy = nearest(name, list(arrays), f"the arrays are: {', '.join(arrays)}")
            texts.problems.add(f"the kernel has no array {name!r}", remedy, place)
            continue
        array = with_settings(arrays[name], settings, texts)
        arrays[name] = with_stream_times(array, settings, texts, times)
    return Reading(
        arrays=arrays,
        statements=found.statements,
        time_dimensions=found.time_dimensions,
        iterator_names=found.iterator_names,
        level=found.depth,
        levels=found.depth,
        entries_per_level=2,
        kernel=found.kernel,
        timing=timing,
    )
