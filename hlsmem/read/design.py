"""Reading a design: design.yaml, a bare C file or a project of Vitis, with the settings of the
command line."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from hlsmem.core.errors import InputError, Problem, Problems
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.core.source_location import SourceLocation, Span
from hlsmem.core.watchdog import scratch
from hlsmem.devices import family_of
from hlsmem.program.foreign_modules import ForeignModule
from hlsmem.program.model import (
    Array,
    Code,
    ConflictInput,
    Kernel,
    Program,
    SourceFile,
    Statement,
    values_name,
)
from hlsmem.program.options import (
    Design,
    PipelineOptions,
    PlanOptions,
    ReusedPlan,
    SearchOptions,
    SourceOptions,
    TargetOptions,
)
from hlsmem.program.schedule_classes import ScheduleClass
from hlsmem.read import renaming, suffixes
from hlsmem.read.array_keys import (
    check_array_names,
    element_types,
    extents_of,
    ranges_of,
    with_settings,
    with_settings_of_values,
    with_stream_times,
)
from hlsmem.read.as_written import holds_anyway
from hlsmem.read.assembly import (
    Reading,
    assemble_conflicts,
    assemble_program,
    unused_parameters,
)
from hlsmem.read.bare_kernels import bare_kernel
from hlsmem.read.body_code import read_code
from hlsmem.read.class_keys import read_class
from hlsmem.read.conflict_sets import read_conflicts
from hlsmem.read.datapath import kept_by_datapaths, refuse_other_datapaths
from hlsmem.read.design_folder import Folder, folder_with
from hlsmem.read.design_names import C_KEYWORDS, check_name, nearest
from hlsmem.read.design_schema import DesignKeys, KernelKeys, json_schema
from hlsmem.read.document import Document, override, read_document, read_file, with_names
from hlsmem.read.foreign_modules import read_modules
from hlsmem.read.host_keys import read_host
from hlsmem.read.limit_keys import read_limits
from hlsmem.read.multifor_blocks import Side, WrittenBlock, block_of_keys, side_by_side
from hlsmem.read.network_keys import read_network
from hlsmem.read.parameter_values import at_their_values, read_parameters
from hlsmem.read.pragma_keys import OF_STORAGE, followed
from hlsmem.read.program_keys import with_expansion
from hlsmem.read.schedule import Timing, is_given, is_searched, read_schedule, time_names
from hlsmem.read.steps import with_defaults
from hlsmem.read.texts import Texts
from hlsmem.read.tops import FoundTop, top_of
from hlsmem.read.undecided import with_streams
from hlsmem.read.undefined_windows import with_filled_windows, without_first_values
from hlsmem.read.validation import validate
from hlsmem.timing.undefined_values import without_undefined

if TYPE_CHECKING:
    from hlsmem.read.c.chained_functions import Chain
    from hlsmem.read.c.kernel import KernelReading
    from hlsmem.read.c.kernel_request import KernelRequest

__all__ = ["changed", "defined", "json_schema", "load", "seen_from"]

_DESIGN_FILE = "design.yaml"
_NO_PARAMETERS: Mapping[str, int] = {}


def load(
    path: Path,
    *,
    parameters: Mapping[str, int] = _NO_PARAMETERS,
    settings: Sequence[str] = (),
    includes: Sequence[Path] = (),
    conditional: bool = False,
) -> Design:
    """The design in `path`: a design.yaml, a C file, or an `hls_config.cfg`.

    `settings` are KEY=VALUE with dotted keys and values in YAML, and replace what the file
    says; `parameters` do so last. `includes` are folders of files that its C includes, anywhere:
    what is read of them is among `Design.sources`, as if they stood below the design. Loading a
    copy of `Design.sources` with `Design.overrides` as settings gives an equal design. A design
    that is `conditional` may have statements without end, and what its filters guard is written
    for sure where it runs; else it is written perhaps.
    Raises InputError with all problems found.
    """
    for one in includes:
        if not one.is_dir():
            what = f"--include: there is no folder {str(one)!r}"
            raise InputError(Problem(what, "check the name"))
    folder = folder_with(path.parent, includes)
    try:
        return _load_any(path, parameters, settings, folder, conditional=conditional)
    except InputError as error:
        # Inside a design, files are named as seen from its folder, so that a copy of the
        # folder gives an equal design. Messages name them as seen by the user.
        raise InputError(*(seen_from(folder, one) for one in error.problems)) from None


def changed(design: Design, settings: Sequence[str], *, option: str = "--set") -> Design:
    """The design with further settings, KEY=VALUE, as if it had been read with them.

    Messages call them `option`, and name files as seen from the folder of the design. Raises
    InputError with all problems found.
    """
    with scratch("hlsmem-design-") as folder:
        for source in design.sources:
            file = folder / source.name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(source.on_disk.encode())
        asked = [*design.overrides, *settings]
        copied = Folder(folder, holds=design.sources)
        return _load_any(folder / design.file, {}, asked, copied, option=option)


def _load_any(
    path: Path,
    parameters: Mapping[str, int],
    settings: Sequence[str],
    folder: Folder,
    *,
    option: str = "--set",
    conditional: bool = False,
) -> Design:
    """The design with as many macros as parameters as can be, where `kernel.macros` asks for it.

    With its loops and parameters as written where it is refused with those of defaults. Windows
    that are shifted by hand hold 0 at first where no output needs what they hold, and what then is
    static is no state.
    """
    asked = (path, parameters, settings, folder)
    read = partial(_load, *asked, option=option, conditional=conditional)
    try:
        plain = read()
    except InputError as error:
        from hlsmem.read.c.clang.reader_process import ENDS

        if error.problems[0].what.startswith(ENDS):
            raise
        read = partial(read, refused=error.problems[0])
        plain = read()
    found = with_filled_windows(plain, folder, read) or without_first_values(plain, folder, read)
    return found if conditional else defined(found)


def defined(design: Design) -> Design:
    """The design without the instances of its program that only hold undefined values; the one
    with the `numbers` of macros stays as it is."""
    given = design.program
    if given is None:
        return design
    left = without_undefined(given)
    return design if left is given else replace(design, input=left)


def _load(
    path: Path,
    parameters: Mapping[str, int],
    settings: Sequence[str],
    folder: Folder,
    *,
    option: str = "--set",
    conditional: bool = False,
    macros: Mapping[str, int] = _NO_PARAMETERS,
    context: str | None = None,
    refused: Problem | None = None,
    fills_windows: bool = False,
    fresh: Collection[str] = (),
) -> Design:
    problems = Problems()
    _check_suffix(path)
    bare = None if path.suffix in suffixes.DESIGNS else bare_kernel(path, folder)
    is_bare = bare is not None
    if bare is None:
        text = read_file(path)
        document = read_document(text, path.name)
    else:
        settings, parameters = _parameters_apart(settings, parameters)
        document = read_document(bare.design({}), str(path), numbered=False)
    document, settings = _with_all_settings(
        document, settings, folder, problems, option, any_name=is_bare
    )
    document = _with_parameters(document, parameters, problems, any_name=is_bare)
    if document.get("context") is not None:
        context = None
    document = _with_macro_values(document, macros, context)
    if fills_windows:
        document = override(document, "kernel.windows=zero", "kernel.windows")
    keys = validate(document, problems)
    if keys is None:
        problems.raise_if_any()
    assert keys is not None
    asked = tuple(parameters) if is_bare else ()
    is_function = keys.network is not None
    check_name("design", keys.name, document.place("name"), problems, is_function=is_function)
    known = read_parameters(keys, document, problems)
    reuse = _reused(keys, document, folder, problems)
    if reuse is not None:
        # Nothing that a mapping of another plan needs is looked at for other sizes.
        known = at_their_values(known)
    texts = Texts(document, known, problems)
    if refused is not None and not macros:
        keys = _with_values(keys)
    keys, top = _with_top(keys, folder)
    found, keys = _read(keys, texts, folder, asked, conditional, refused, fresh)
    if top is not None and isinstance(found, Program):
        found = replace(found, notes=(top.remark, *found.notes))
    program = with_expansion(keys, found, texts)
    schedules = read_class(keys, program, texts)
    _check_target(keys, document, problems)
    host = read_host(keys, document, program, known, problems)
    _check_split(keys, document, problems)
    _check_capacity(keys, document, problems)
    limits = read_limits(keys, document, program, problems)
    modules = read_modules(keys, program, texts, folder)
    problems.raise_if_any()
    assert program is not None
    if bare is not None:
        # In the order in which they were set: that of the parameters of all that isl prints.
        text = bare.design(document.get("params"), context)
    else:
        settings = [*settings, *(f"params.{name}={value}" for name, value in parameters.items())]
    source = SourceFile(name=_DESIGN_FILE if is_bare else path.name, text=text)
    return Design(
        file=source.name,
        input=program,
        plan=_plan_options(keys, schedules, reuse),
        pipeline=_pipeline_options(keys),
        build=keys.accelerator.build,
        modules=modules,
        source=SourceOptions(
            is_written=keys.source.write == "auto",
            dialect=keys.source.dialect,
            lines=keys.source.lines,
        ),
        target=_target(keys, document),
        host=host,
        limits=limits,
        sources=(source, *_sources_of(program), *_further_sources(reuse, top, modules)),
        overrides=_canonical(settings),
        macros_as_parameters=_macros_are_parameters(keys, bare=is_bare),
    )


def _with_all_settings(
    document: Document,
    settings: Sequence[str],
    folder: Folder,
    problems: Problems,
    option: str,
    *,
    any_name: bool,
) -> tuple[Document, Sequence[str]]:
    """The document with settings, and with flags for headers that its folder has; these all."""
    settings = [one for one in settings if not holds_anyway(one, document)]
    document = _with_settings(document, settings, problems, option, any_name=any_name)
    flags = _include_flags(document, folder)
    document = _with_settings(document, flags, problems, option, any_name=any_name)
    return document, [*settings, *flags]


def _pipeline_options(keys: DesignKeys) -> PipelineOptions:
    given = keys.pipeline
    return PipelineOptions(level=given.level, interval=given.interval, latency=dict(given.latency))


def _sources_of(program: Program | ConflictInput) -> tuple[SourceFile, ...]:
    """The files of C that a program was read from."""
    if not isinstance(program, Program):
        return ()
    return tuple(file for one in (program.kernel, program.code) if one for file in one.sources)


def _further_sources(
    reuse: ReusedPlan | None, top: FoundTop | None, modules: Sequence[ForeignModule]
) -> Iterator[SourceFile]:
    """A plan that is reused, a project that names the top, and the Verilog of foreign modules."""
    yield from {one.file.name: one.file for one in modules}.values()
    if reuse is not None:
        yield reuse.source
    if top is not None and top.source is not None:
        yield top.source


def _with_top(keys: DesignKeys, folder: Folder) -> tuple[DesignKeys, FoundTop | None]:
    """The keys with the function that pragmas or projects name, where they have none."""
    own = keys.kernel
    if own is None or own.function is not None or own.functions:
        return keys, None
    top = top_of(own.file, folder)
    if top is None:
        return keys, None
    return keys.model_copy(update={"kernel": own.model_copy(update={"function": top.name})}), top


def _with_macro_values(
    document: Document, macros: Mapping[str, int], context: str | None
) -> Document:
    """The document with macros of the C as parameters, and what holds for their values."""
    for name, value in macros.items():
        document = override(document, f"params.{name}={value}", f"kernel.macros {name}")
    if context is not None:
        document = override(document, f"context={json.dumps(context)}", "kernel.macros")
    return document


def _with_values(keys: DesignKeys) -> DesignKeys:
    """The keys of a design that is refused as it is: parameters may have their values."""
    if keys.kernel is None or "specialise" in keys.host.model_fields_set:
        return keys
    host = keys.host.model_copy(update={"specialise": "auto"})
    return keys.model_copy(update={"host": host})


def _plan_options(
    keys: DesignKeys, schedules: ScheduleClass, reuse: ReusedPlan | None
) -> PlanOptions:
    """The options of `plan:`, with the class of orders, and the plan whose cells are reused."""
    own = keys.plan
    return PlanOptions(
        method=own.method,
        strict=own.strict,
        slack=own.slack,
        budget=own.budget,
        round=own.round,
        dimensions=own.dimensions,
        objective=own.objective,
        schedules=schedules,
        search=SearchOptions(
            wanted=is_searched(keys.schedule, of_c=keys.kernel is not None),
            order=own.search.order,
            strips=own.search.strips,
        ),
        reuse=reuse,
        split=own.split == "auto",
        channels=own.channels,
        capacity=own.capacity,
        control=own.control,
    )


def _include_flags(document: Document, folder: Folder) -> list[str]:
    """The setting that has the C of a design look for files in the folders elsewhere."""
    content = document.value
    if not folder.elsewhere or not isinstance(content, dict):
        return []
    key = next((one for one in ("kernel", "code") if isinstance(content.get(one), dict)), None)
    if key is None:  # nothing of it is C
        return []
    known = content[key].get("cflags") or []
    if not isinstance(known, list):  # told where the keys are judged
        return []
    names = (*folder.elsewhere, *folder.folders_beside())
    return [f"{key}.cflags={json.dumps([*known, *(f'-I{name}' for name in names)])}"]


def _macros_are_parameters(keys: DesignKeys, *, bare: bool) -> bool:
    """True if a design wants macros as parameters; a C file by itself has nowhere to name them."""
    if keys.kernel is None:
        return False
    return bare if keys.kernel.macros is None else keys.kernel.macros == "parameters"


def _check_suffix(path: Path) -> None:
    """Refuse folders, and files that are sources of another kind, before they are taken for a
    design."""
    if path.is_dir():
        files = sorted(one.name for one in path.iterdir() if _is_read(one) and one.is_file())
        named = f": {', '.join(files[:4])}" if files else ""
        raise InputError(Problem(f"{path.name!r} is a folder", f"name a file in it{named}"))
    if _is_read(path):
        return
    what = f"{path.name!r} is neither C, C++ nor a design"
    remedy = (
        "C files end in .c, C++ in .cpp, .cc or .cxx, designs in .yaml or .yml, projects of Vitis"
        " in .cfg"
    )
    raise InputError(Problem(what, remedy, SourceLocation(file=path.name, line=1, column=1)))


def _is_read(path: Path) -> bool:
    return suffixes.is_c(path.name) or path.suffix in (*suffixes.DESIGNS, *suffixes.CONFIGS)


# What a reused plan is called beside the copy of a design.
_REUSED = "reused.plan.json"


def _reused(
    keys: DesignKeys, document: Document, folder: Folder, problems: Problems
) -> ReusedPlan | None:
    """The plan that `plan.reuse` names: the copy beside the design, if it is one of OUT.

    The name counts from the design, or from where the command runs.
    """
    name = keys.plan.reuse
    if name is None:
        return None
    source_location = document.place("plan", "reuse")
    for file in (folder / _REUSED, folder / name, Path(name)):
        if file.is_file():
            return ReusedPlan(
                source=SourceFile(name=_REUSED, text=read_file(file)),
                source_location=source_location,
            )
    problems.add(
        f"there is no plan {name!r}", "check the name; it counts from the design", source_location
    )
    return None


def _target(keys: DesignKeys, document: Document) -> TargetOptions:
    device = keys.target.device
    return TargetOptions(
        device=device,
        source_location=None if device is None else document.place("target", "device"),
        block_rams=keys.target.block_rams if keys.limits.blocks is None else keys.limits.blocks,
        output_register={"auto": None, "yes": True, "no": False}[keys.target.output_register],
        clock_mhz=keys.target.clock_mhz,
    )


def _check_target(keys: DesignKeys, document: Document, problems: Problems) -> None:
    """The device is one that is known; blocks are counted on one, which has to be named."""
    if keys.target.device is not None:
        try:
            family_of(keys.target.device, document.place("target", "device"))
        except InputError as error:
            problems.extend(error)
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


def _check_capacity(keys: DesignKeys, document: Document, problems: Problems) -> None:
    """Processes run by themselves where instances do, one by one, in one order."""
    if keys.plan.capacity == "schedule":
        return
    what = ""
    if keys.conflicts is not None:
        what = "a conflict set has no processes"
    elif keys.order != "sequential":
        what = f"order: {keys.order} says which instances run in one step"
    elif keys.plan.schedules != "given":
        what = f"plan.schedules: {keys.plan.schedules} is for many orders"
    if what:
        what = f"plan.capacity: selftimed lets processes run by themselves, and {what}"
        problems.add(what, "leave plan.capacity out", document.place("plan", "capacity"))


def seen_from(folder: Folder, problem: Problem) -> Problem:
    """A problem of a design in `folder` with files named as the user sees them."""

    def moved(source_location: SourceLocation | None) -> SourceLocation | None:
        if source_location is None:
            return None
        return source_location.with_files(lambda name: str(folder / name))

    notes = tuple(
        replace(note, source_location=moved(note.source_location)) for note in problem.notes
    )
    return replace(problem, source_location=moved(problem.source_location), notes=notes)


def _with_settings(
    document: Document,
    settings: Sequence[str],
    problems: Problems,
    option: str,
    *,
    any_name: bool,
) -> Document:
    """The document with settings; with `any_name` they may be of parameters that it does not name,
    as a kernel by itself names none."""
    known = _parameters_of(document)
    for setting in settings:
        named = f"{option} {setting}"
        key = setting.partition("=")[0]
        steps = [step.strip() for step in key.split(".")]
        if len(steps) == 2 and steps[0] == "params" and not any_name and steps[1] not in known:
            span = Span(file=named, source=setting, start=0, end=len(key), numbered=False)
            problems.add(*_unknown_parameter(steps[1], known), span.place())
            continue
        try:
            document = override(document, setting, named)
        except InputError as error:
            problems.extend(error)
    return document


def _parameters_apart(
    settings: Sequence[str], parameters: Mapping[str, int]
) -> tuple[list[str], dict[str, int]]:
    """Settings of other keys, and the parameters with those that settings give numbers.

    The design that a kernel by itself stands for names its parameters: settings of a copy of it
    may only change them.

    >>> _parameters_apart(["params.W=20", "plan.slack=1"], {"H": 8})
    (['plan.slack=1'], {'W': 20, 'H': 8})
    """
    found = {
        one: re.fullmatch(r"\s*params\s*\.\s*(\w+)\s*=\s*(-?\d{1,18})\s*", one) for one in settings
    }
    given = {own[1]: int(own[2]) for own in found.values() if own}
    return [one for one in settings if not found[one]], {**given, **parameters}


def _with_parameters(
    document: Document, parameters: Mapping[str, int], problems: Problems, *, any_name: bool
) -> Document:
    known = _parameters_of(document)
    for name, value in parameters.items():
        option = f"--param {name}={value}"
        if name in known or any_name:
            document = override(document, f"params.{name}={value}", option)
        else:
            what, remedy = _unknown_parameter(name, known)
            problems.add(f"{option}: {what}", remedy)
    return document


def _parameters_of(document: Document) -> list[str]:
    declared = document.get("params")
    return list(declared) if isinstance(declared, dict) else []


def _unknown_parameter(name: str, known: Sequence[str]) -> tuple[str, str]:
    """Return what is wrong with a value for an unknown parameter, and what to do."""
    remedy = nearest(name, known, f"the parameters are: {', '.join(known) or 'none'}")
    return f"the design has no parameter {name!r}", remedy


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
    folder: Folder,
    asked: tuple[str, ...],
    conditional: bool,
    refused: Problem | None,
    fresh: Collection[str],
) -> tuple[Program | ConflictInput | None, DesignKeys]:
    """The input of a design; something has to depend on the parameters in `asked`.

    The keys are those of the design, with what pragmas of the kernel say besides.
    """
    if keys.conflicts is not None:
        conflicts = read_conflicts(keys.conflicts, keys.arrays, texts)
        return assemble_conflicts(keys, conflicts, texts), keys
    reading = None
    code = read_code(keys, texts, folder)
    if keys.multifor and keys.kernel is None:
        what = "multifor is for the loops of a kernel; a network has its own schedules"
        texts.problem(what, "leave it out", "multifor")
    if keys.network is not None:
        reading, keys = _network(keys, texts, code)
    elif keys.kernel is not None:
        found = _kernel(keys, keys.kernel, texts, folder, refused, fresh)
        reading, keys = (None, keys) if found is None else found
    if reading is None:
        return None, keys
    for name in unused_parameters(reading, asked):
        texts.problem(f"nothing in the kernel depends on {name!r}", "check it", "params", name)
    return assemble_program(keys, reading, texts, conditional=conditional), keys


def _network(
    keys: DesignKeys, texts: Texts, code: Code | None
) -> tuple[Reading | None, DesignKeys]:
    found = read_network(keys.network or {}, keys.arrays, texts, code)
    if found is None:
        return None, keys
    timing = _timing(keys, found.statements, texts)
    size = found.time_dimensions
    times = timing.dimensions if timing else size
    new = renaming.other_names(found.statements, found.arrays)
    reading = Reading(
        arrays={
            name: with_stream_times(array, keys.arrays[name], texts, times)
            for name, array in found.arrays.items()
        },
        statements=renaming.renamed(found.statements, new),
        time_dimensions=size,
        iterator_names=time_names(size, {*texts.parameters.names, *found.arrays}),
        level=max(1, size - 1),
        levels=max(1, size),
        timing=renaming.times_renamed(timing, new),
        code=code,
        notes=tuple(renaming.remarks(found.statements, new)),
    )
    return reading, renaming.keys_renamed(keys, new)


def _timing(keys: DesignKeys, statements: Sequence[Statement], texts: Texts) -> Timing | None:
    return read_schedule(statements, texts) if is_given(keys.schedule) else None


def _are_files(kernel: KernelKeys, folder: Folder, texts: Texts) -> bool:
    """True if the C files are there, each once; problems where they are not."""
    paths: list[tuple[str, tuple[str | int, ...]]] = [(kernel.file, ("kernel", "file"))]
    paths += [(one, ("kernel", "sources", i)) for i, one in enumerate(kernel.sources)]
    before = len(texts.problems)
    known: set[PurePosixPath] = set()
    for name, path in paths:
        file = PurePosixPath(name)
        if file.is_absolute() or ".." in file.parts:
            what = f"{name!r} is not below the folder of the design"
            texts.problem(what, "move the design beside the kernel", *path)
        elif not (folder / file).is_file():
            what = f"there is no file {str(folder / file)!r}"
            texts.problem(what, "check the name; it counts from the design", *path)
        elif file in known:
            texts.problem(f"{name!r} is named twice", "leave one of them out", *path)
        known.add(file)
    return len(texts.problems) == before


def _side_by_side(keys: DesignKeys, found: KernelReading, texts: Texts) -> Side | None:
    """The times of multifor blocks: those of the design, else of pragmas; None without."""
    blocks: list[WrittenBlock | None] = [
        block_of_keys(one, ("multifor", position), found.statements, texts)
        for position, one in enumerate(keys.multifor)
    ]
    if not keys.multifor:
        blocks = [*found.blocks]
    known = [one for one in blocks if one is not None]
    if len(known) < len(blocks) or not blocks:
        return None
    if is_given(keys.schedule):
        what = "multifor blocks and schedule both say when statements run"
        texts.problem(what, "leave one of the two out", "schedule")
        return None
    return side_by_side(known, found.statements, found.trips, texts)


def _chain(keys: DesignKeys, kernel: KernelKeys, texts: Texts) -> Chain | None:
    """The calls of `kernel.functions`; None, with problems, where they cannot be had."""
    from hlsmem.read.c.chained_functions import Call, Chain

    what = ""
    if kernel.function is not None:
        what = "kernel.function and kernel.functions both say what runs"
        texts.problem(what, "leave one of the two out", "kernel", "function")
    if any(map(suffixes.is_cxx, (kernel.file, *kernel.sources))):
        what = "kernel.functions is for C; this file is C++"
        remedy = "write a function that makes the calls, and name it with kernel.function"
        texts.problem(what, remedy, "kernel", "functions")
    if what:
        return None
    storages = {name: one.storage for name, one in keys.arrays.items() if one.storage}
    return Chain(
        name=keys.name,
        calls=tuple(
            Call(text=one.call, source_location=texts.place("kernel", "functions", number, "call"))
            for number, one in enumerate(kernel.functions)
        ),
        inside=frozenset(
            name for name, one in storages.items() if one in ("memory", "state", "datapath")
        ),
        outside=frozenset(name for name, one in storages.items() if one in ("external", "stream")),
    )


def _trips(kernel: KernelKeys, texts: Texts) -> dict[str, QuasiPolynomial]:
    """The most turns of loops, by their labels."""
    from hlsmem.read.c.trips import HOW_MANY, check_most

    found = {}
    for label in kernel.trips:
        path = ("kernel", "trips", label)
        most = texts.quantity(*path, what=f"the trips of {label!r}")
        if most is None:
            continue
        try:
            check_most(most, texts.parameters.names, texts.parameters.context)
        except ValueError as error:
            texts.problem(f"the trips of {label!r}: {error}", f"write {HOW_MANY}", *path)
            continue
        found[label] = most
    return found


def _refuse_unheard(keys: DesignKeys, kernel: KernelKeys, texts: Texts, folder: Folder) -> None:
    """Tell arrays that nothing in a kernel is called, where it is refused for something else.

    Copies are called `a_2`, members `s_t`, and what decides T0; included files may name anything.
    """
    files = [read_file(folder / one) for one in (kernel.file, *kernel.sources)]
    if any(re.search(r'#\s*include\s*"', one) for one in files):
        return
    words = {word for one in files for word in re.findall(r"[A-Za-z_]\w*", one)} - C_KEYWORDS
    known = {*words, *map(values_name, keys.plan.expand)}
    for name in (one for one in keys.arrays if re.fullmatch(r"[A-Za-z_]\w*", one)):
        starts = (name[:at] for at, letter in enumerate(name) if letter == "_")
        if name in known or re.fullmatch(r"T\d+", name) or any(one in words for one in starts):
            continue
        source_location = texts.document.key_place("arrays", name)
        what = f"the kernel has no array {name!r}: nothing in {kernel.file!r} is called so"
        texts.problems.add(what, nearest(name, sorted(words), "check the name"), source_location)


def _under(renamed: Mapping[str, str], keys: DesignKeys, texts: Texts) -> tuple[DesignKeys, Texts]:
    """The settings of a design, with arrays by the names that the reader has for them."""
    arrays = {renamed.get(name, name): own for name, own in keys.arrays.items()}
    expand = tuple(renamed.get(name, name) for name in keys.plan.expand)
    plan = keys.plan.model_copy(update={"expand": expand})
    document = with_names(texts.document, renamed)
    return keys.model_copy(update={"arrays": arrays, "plan": plan}), replace(
        texts, document=document
    )


def _renamings(renamed: Mapping[str, str], arrays: Mapping[str, Array]) -> Iterator[Problem]:
    """A remark on each array that has another name here than in the user's file."""
    for own, here in renamed.items():
        what = f"{own!r} is called {here!r} in what is planned: generated C has that name itself"
        yield Problem(what, "settings go by either name", arrays[here].source_location)


def _kernel(
    keys: DesignKeys,
    kernel: KernelKeys,
    texts: Texts,
    folder: Folder,
    refused: Problem | None,
    fresh: Collection[str],
) -> tuple[Reading, DesignKeys] | None:
    check_array_names(keys.arrays, texts, of_kernel=True)
    if not _are_files(kernel, folder, texts):
        return None
    chain = None
    if kernel.functions:
        chain = _chain(keys, kernel, texts)
        if chain is None:
            return None
    request = replace(_request(keys, kernel, texts, folder, chain), fresh=_fresh(keys, fresh))
    try:
        found, defaults, told = with_defaults(request, keys, kernel, refused)
    except InputError as error:
        _tell(error, texts)
        if chain is None:
            _refuse_unheard(keys, kernel, texts, folder)
        return None
    kernel = kernel.model_copy(update=defaults)
    if found.renamed:
        keys, texts = _under(found.renamed, keys, texts)
    timing = _timing(keys, found.statements, texts)
    side = _side_by_side(keys, found, texts)
    if side is not None:
        timing = side.timing
    times = timing.dimensions if timing else found.time_dimensions
    arrays = {array.name: array for array in found.arrays}
    if timing is not None:  # the times are others than those it was read with
        arrays = {name: replace(array, arrival=None) for name, array in arrays.items()}
    own, keys, remarks = _with_pragmas(found.kernel, kernel, keys, arrays)
    arrays = _with_own_settings(arrays, keys, texts, times)
    if kernel.loops == "pipelined" and keys.plan.schedules == "given" and keys.plan.tile is None:
        stored = {one.array for one in own.pragmas if one.name in OF_STORAGE and one.array}
        others = stored | set(keys.plan.expand)
        arrays = kept_by_datapaths(arrays, found.statements, keys.arrays, others)
    refuse_other_datapaths(arrays, found.statements, texts)
    own, arrays = with_streams(own, kernel.parameters, arrays, found.renamed, keys, texts)
    if kernel.windows is not None:
        defaults = {**defaults, "windows": kernel.windows}
    own = replace(own, defaults=tuple(f"kernel.{key}={value}" for key, value in defaults.items()))
    reading = Reading(
        arrays=arrays,
        statements=found.statements,
        time_dimensions=found.time_dimensions,
        iterator_names=found.iterator_names,
        level=found.depth,
        levels=found.depth,
        entries_per_level=2,
        kernel=own,
        notes=(*found.notes, *told, *remarks, *_renamings(found.renamed, arrays)),
        timing=timing,
        nests=side.nests if side is not None else (),
        condition=found.condition,
    )
    return reading, keys


def _tell(error: InputError, texts: Texts) -> None:
    """Add what a kernel is refused for to the problems of a design.

    What stands in no C file, such as a wrong flag, is said where the design names the kernel.
    """
    source_location = texts.document.key_place("kernel")
    named = source_location if source_location.line else None
    for one in error.problems:
        texts.problems.add(one.what, one.remedy, one.source_location or named, one.notes)


def _with_pragmas(
    read: Kernel, kernel: KernelKeys, keys: DesignKeys, arrays: Mapping[str, Array]
) -> tuple[Kernel, DesignKeys, tuple[Problem, ...]]:
    """The kernel as it was read, the keys with what its pragmas set, and remarks on them."""
    own = replace(read, pragmas=()) if kernel.pragmas == "ignore" else read
    obeys = kernel.pragmas == "obey"
    given = keys.pipeline.interval
    keys, remarks = followed(keys, own.pragmas, arrays, obeys=obeys)
    judges = not obeys and keys.pipeline.interval != given
    return replace(own, obeys_pragmas=obeys, judges_interval=judges), keys, remarks


def _fresh(keys: DesignKeys, names: Collection[str]) -> frozenset[str]:
    """The arrays of some `names` that the design does not ask to be state."""
    asked = {one for one, own in keys.arrays.items() if own.storage == "state"}
    return frozenset(names) - asked


def _request(
    keys: DesignKeys, kernel: KernelKeys, texts: Texts, folder: Folder, chain: Chain | None
) -> KernelRequest:
    """What the C reader is asked for: the keys of the kernel, and those of its arrays."""
    # Only C kernels need the C reader.
    from hlsmem.read.c.kernel_request import KernelRequest

    return KernelRequest(
        folder=folder,
        file=kernel.file,
        function=kernel.function,
        sources=kernel.sources,
        cflags=kernel.cflags,
        parameters=texts.parameters.names,
        element_types=element_types(keys.arrays),
        extents=extents_of(keys.arrays, texts),
        context=texts.parameters.context,
        values=texts.parameters.values,
        refuses_pointers=keys.host.alias == "refuse",
        trips=_trips(kernel, texts),
        ranges=ranges_of(keys.arrays, texts),
        chain=chain,
        follows_pragmas=kernel.pragmas != "ignore",
        kept=frozenset(keys.arrays),
        fills_windows=kernel.windows == "zero",
    )


def _with_own_settings(
    arrays: Mapping[str, Array], keys: DesignKeys, texts: Texts, times: int
) -> dict[str, Array]:
    """The arrays of a kernel with the settings of `arrays:`; names of no array are a problem."""
    found = dict(arrays)
    expanded = {values_name(name): name for name in keys.plan.expand if name in found}
    for name, settings in keys.arrays.items():
        if name not in found and name in expanded:
            own = expanded[name]
            found[own] = with_settings_of_values(found[own], name, settings, texts)
            continue
        if name not in found:
            source_location = texts.document.key_place("arrays", name)
            remedy = nearest(name, list(found), f"the arrays are: {', '.join(found)}")
            texts.problems.add(f"the kernel has no array {name!r}", remedy, source_location)
            continue
        array = with_settings(found[name], settings, texts)
        found[name] = with_stream_times(array, settings, texts, times)
    return found
