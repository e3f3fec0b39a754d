"""The design that a file of C stands for by itself, or the project of a vendor's tool."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError, Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c.outline import Outline, outline_of
from hlsmem.read.design_folder import Folder
from hlsmem.read.design_names import C_KEYWORDS
from hlsmem.read.design_schema import FLAGS_REMEDY, is_flag
from hlsmem.read.document import read_file
from hlsmem.read.hls_projects import HlsProject, Setting, flags_of, project_of
from hlsmem.read.suffixes import CONFIGS

# Flags that alter nothing of what is read here.
_IDLE = re.compile(r"-(g\w*|[lL].*|w|O\w+|W.*|pthread|pedantic.*|f(PIC|pic|permissive)|m\w+=.*)")


@dataclass(frozen=True, slots=True)
class BareKernel:
    """A design's name and its keys of `kernel`."""

    name: str
    kernel: Mapping[str, Any]

    def design(self, parameters: Mapping[str, int], context: str | None = None) -> str:
        """The design.yaml that the kernel stands for.

        >>> print(BareKernel("k", {"file": "k.c", "cflags": ["-DT=a b"]}).design({"N": 4}), end="")
        hlsmem: 1
        name: k
        params: {N: 4}
        kernel: {file: k.c, cflags: ["-DT=a b"]}
        """
        values = ", ".join(f"{name}: {value}" for name, value in parameters.items())
        lines = ["hlsmem: 1", f"name: {self.name}", f"params: {{{values}}}"]
        if context is not None:
            lines.append(f"context: {json.dumps(context)}")
        kernel = ", ".join(f"{key}: {_yaml(value)}" for key, value in self.kernel.items())
        return "\n".join([*lines, f"kernel: {{{kernel}}}", ""])


def bare_kernel(path: Path, folder: Folder) -> BareKernel:
    """The kernel in a file of C, or that of a configuration, whose files lie below `folder`.

    Raises InputError with all that is wrong with a configuration.
    """
    text = read_file(path)
    if path.suffix not in CONFIGS:
        return BareKernel(design_name(path.stem), {"file": path.name})
    return _of_project(project_of(text, path.name), path.parent, folder)


def design_name(stem: str) -> str:
    """A C identifier close to the name of a file: heat-3d is heat_3d, 2mm is k2mm.

    >>> design_name("2mm")
    'k2mm'
    """
    name = re.sub(r"\W", "_", stem, flags=re.ASCII)
    if not re.match(r"[A-Za-z_]", name):
        name = f"k{name}"
    reserved = name in C_KEYWORDS or name.lower() in ("null", "true", "false")
    return f"{name}_" if reserved else name


def _yaml(value: str | Sequence[str]) -> str:
    """A text, or a list of them, in YAML; quoted where a comma, brace or colon means something."""
    if not isinstance(value, str):
        return f"[{', '.join(map(_yaml, value))}]"
    is_plain = re.fullmatch(r"\w[\w./-]*", value, flags=re.ASCII)
    return value if is_plain else json.dumps(value, ensure_ascii=False)


def _of_project(project: HlsProject, beside: Path, folder: Folder) -> BareKernel:
    problems = Problems()
    if not project.kernels:
        what = "no file of C or C++ is named by syn.file in [hls]"
        place = SourceLocation(file=project.file, line=1, column=1)
        raise InputError(Problem(what, "add syn.file=KERNEL.cpp below [hls]", place))
    top = project.top
    files = {}
    for one in project.kernels:
        name = _below(one, beside, folder, problems)
        if name is not None:
            files[name] = one
    problems.raise_if_any()
    file = _file_of(project, top, {name: folder / name for name in files}, problems)
    cflags = [*_cflags(project, beside, folder, problems)]
    problems.raise_if_any()
    kernel: dict[str, Any] = {"file": file}
    if top is not None:
        kernel["function"] = top.value
    others = [name for name in files if name != file]
    kernel |= {"sources": others} if others else {}
    kernel |= {"cflags": cflags} if cflags else {}
    stem = Path(file).stem if top is None else top.value.rpartition("::")[2]
    return BareKernel(design_name(stem), kernel)


def _below(one: Setting, beside: Path, folder: Folder, problems: Problems) -> str | None:
    """The name below `folder` of a file that a setting names; None, with a problem, without."""
    path = beside / one.value
    if not path.is_file():
        what, remedy = f"there is no file {str(path)!r}", "check the name; it counts from here"
        problems.add(what, remedy, one.source_location)
        return None
    return _name_of(path, path.parent, one, folder, problems)


def _name_of(
    path: Path, lying_in: Path, one: Setting, folder: Folder, problems: Problems
) -> str | None:
    name = folder.name_of(path)
    if name is None:
        what = f"{os.path.normpath(path)!r} is not below the folder of this file"
        remedy = f"plan with --include {os.path.normpath(lying_in)}"
        problems.add(what, remedy, one.source_location)
    return name


def _file_of(
    project: HlsProject, top: Setting | None, files: Mapping[str, Path], problems: Problems
) -> str:
    """The file that has the top, by its body or by a mark."""
    first = next(iter(files))
    if len(files) == 1:
        return first
    outlines = {name: outline_of(read_file(path, name)) for name, path in files.items()}

    def has_top(one: Outline) -> bool:
        return bool(one.marks) if top is None else one.defines(top.value)

    found = [name for name, one in outlines.items() if has_top(one)]
    if len(found) == 1 or (found and top is not None):
        return found[0]
    if top is None:
        what = f"which of {len(files)} files has the top is not said"
        problems.add(what, "add syn.top=NAME below [hls]", project.files[0].source_location)
    else:
        what = f"no file of syn.file has a function {top.value!r}"
        problems.add(what, "check the name, or add its file", top.source_location)
    return first


def _cflags(project: HlsProject, beside: Path, folder: Folder, problems: Problems) -> Iterator[str]:
    """The flags that mean something here, folders as they are called below `folder`."""
    for flag, one in flags_of([*project.flags, *_of_files(project, problems)]):
        if flag.startswith("-I"):
            path = beside / flag.removeprefix("-I")
            # Compilers pass over folders that are not there; those of --include are added anyway.
            name = _name_of(path, path, one, folder, problems) if path.is_dir() else None
            if name is not None and name not in folder.elsewhere:
                yield f"-I{name}"
        elif is_flag(flag):
            yield flag
        elif not _IDLE.fullmatch(flag):
            what = f"the flag {flag!r} is none of those of C here"
            problems.add(what, FLAGS_REMEDY, one.source_location)


def _of_files(project: HlsProject, problems: Problems) -> Sequence[Setting]:
    """The flags of single files, where they are those of all that there are."""
    own: dict[str, Setting] = {}
    for one in project.file_flags:
        file, _, flags = one.value.partition(",")
        if any(file.strip() == kernel.value for kernel in project.kernels):
            own[file.strip()] = Setting(flags.strip(), one.source_location)
    if own and (len(own) < len(project.kernels) or len({one.value for one in own.values()}) > 1):
        file, one = next(iter(own.items()))
        what = f"syn.file_cflags gives {file!r} flags that other files do not have"
        problems.add(what, "give all files the same in syn.cflags", one.source_location)
        return ()
    return [*own.values()][:1]
