"""The verbs as functions: `import hlsmem; hlsmem.plan("blur.c", params={"N": 64})`.

They stand in `hlsmem/verbs`; here are the values that they share, and `load` and `open_plan`.

A design is a path, a text with a name, or a Design that was loaded; OUT is a folder that `plan`
wrote. Everything heavy is imported on first use.
"""

from __future__ import annotations

import html
import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem import verb_names
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from hlsmem.check import Checks
    from hlsmem.emit.explanation import Explained
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.plan import ArrayPlan, Plan
    from hlsmem.plan.plan_difference import Difference
    from hlsmem.planner.plan_assembly import Planning as Worked
    from hlsmem.program.options import Design

Settings = Mapping[str, Any] | Sequence[str]
_NONE: Mapping[str, Any] = {}


def __getattr__(name: str) -> Callable[..., Any]:
    if name in verb_names():
        return _verb(name)
    raise AttributeError(f"module 'hlsmem.api' has no attribute {name!r}")


def _verb(name: str) -> Callable[..., Any]:
    """The function of a verb, by its name in Python."""
    from hlsmem.verb import VERBS

    verb = VERBS.get(name.replace("_", "-"))
    assert verb is not None
    return verb.function


def _checked(out: Path, only: Sequence[str]) -> Checks:
    found: Checks = _verb("check")(out, only=only)
    return found


def _viewed(out: Path) -> View:
    found: View = _verb("view")(out)
    return found


def load(
    path: str | Path | None = None,
    *,
    text: str | None = None,
    name: str | None = None,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
) -> Design:
    """The design in a file, or in a text that `name` (k.c, design.yaml) says how to read.

    `settings` are keys of design.yaml with values, or KEY=VALUE texts. Raises InputError with all
    problems found.

    >>> kernel = "void k(const int in[8], int out[8])"
    >>> kernel += "{ int t[8]; for (int i = 0; i < 8; i++) { t[i] = in[i]; out[i] = t[i]; } }"
    >>> load(text=kernel, name="k.c").input.name
    'k'
    """
    from hlsmem.read.design import load as read

    given = _settings(settings)
    if text is None:
        if path is None:
            raise InputError(Problem("load: nothing to load", "give a path, or text and name"))
        return read(Path(path), parameters=params, settings=given)
    if path is not None or not name or Path(name).name != name:
        raise InputError(
            Problem("load: text without a file name", 'add name="k.c" or name="design.yaml"')
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_text(text, encoding="utf-8")
        try:
            return read(file, parameters=params, settings=given)
        except InputError as error:
            raise InputError(*(_inside(Path(folder), one) for one in error.problems)) from None


def open_plan(out: str | Path) -> Planning:
    """The plan of a folder OUT, as it stands in plan.json.

    Raises InputError where that cannot be read, or has another format.

    >>> import tempfile
    >>> from hlsmem import load, plan
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plan(load(text=kernel, name="k.c")).write(f"{folder}/out")
    ...     open_plan(f"{folder}/out")
    <Planning of k: in 1, out 1, t 3 words>
    """
    from hlsmem.plan import read_plan

    return Planning(plan=read_plan(Path(out)), folder=Path(out))


@dataclass(frozen=True, slots=True, repr=False)
class DiffReport:
    """The difference of two plans: `found` has it as values, `str` as text."""

    found: Difference

    def __repr__(self) -> str:
        return repr(self.found)

    def __str__(self) -> str:
        from hlsmem.emit.difference_text import difference_text

        return difference_text(self.found)


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """A page: `html` is the whole file. A notebook shows it in a frame of its own."""

    html: str = field(repr=False)

    def __repr__(self) -> str:
        return f"<View of {len(self.html)} characters>"

    def write(self, file: str | Path, *, force: bool = False) -> None:
        """Write the page to a file, in whose last line it says that hlsmem made it.

        Raises InputError where another file is there, unless by `force`.
        """
        from hlsmem.emit import marked

        marked.write_marked(Path(file), self.html, marked.XML, force=force)

    def _repr_html_(self) -> str:
        return (
            '<iframe sandbox="allow-scripts" style="width:100%;height:900px;border:0"'
            f' srcdoc="{html.escape(self.html, quote=True)}"></iframe>'
        )


@dataclass(frozen=True, slots=True, repr=False)
class PlannedArray:
    """An array of a plan: what holds it, the bound of that, and the cell of an element in C."""

    planning: Planning
    plan: ArrayPlan

    def __repr__(self) -> str:
        return f"<{self.plan.name}: {self.words} words, {self.standing}>"

    @property
    def cells(self) -> int | None:
        """Cells of the C; None where there is none."""
        return None if self.plan.host is None else self.plan.host.words

    @property
    def words(self) -> int:
        """Words of all memories that hold it in hardware."""
        return self.plan.hardware.words

    @property
    def bound(self) -> Bound | None:
        """The words that no hardware for it goes below; None where none are known."""
        return self.plan.hardware.bound

    @property
    def standing(self) -> str:
        """Standing of the words: their distance to the bounds."""
        return self.plan.hardware.standing

    def cell(self, *element: int) -> int:
        """The number of the cell of an element in C, row-major over the components of its piece.

        Raises InputError where the element has another number of indices, lies outside of the
        array, or has no cell.
        """
        import numpy as np

        from hlsmem.check.plans.plan_mapping import addresses, read_folding
        from hlsmem.core.quasi_polynomial import parse_quasi_polynomial

        index = self.plan.index
        if len(element) != len(index):
            what = f"{self.plan.name} has {len(index)} indices, and {len(element)} are given"
            raise InputError(Problem(what, f"give {', '.join(index) or 'none'}"))
        document = self.planning.document()["arrays"][self.plan.name]
        extents = [
            parse_quasi_polynomial(one).evaluate(self.planning.plan.params)
            for one in document["extents"] or ()
        ]
        if any(not 0 <= one < size for one, size in zip(element, extents, strict=False)):
            shape = "".join(f"[{size}]" for size in extents)
            what = f"{self.plan.name}{list(element)} is outside of {self.plan.name}{shape}"
            raise InputError(Problem(what, "give indices from 0 up to the extents"))
        points = np.array([element], dtype=np.int64).reshape(1, -1)
        (part, *_) = (document["holdings"]["host"] or document["holdings"]["hardware"])["parts"]
        folding = read_folding(self.plan.name, {**document, **part})
        found = addresses(folding, points, self.planning.plan.params)
        if found[0] < 0:
            what = f"{self.plan.name}{list(element)} has no cell"
            raise InputError(Problem(what, "the mapping's pieces do not hold it"))
        return int(found[0])

    def explain(self) -> Explained:
        """Why it is not smaller, and what its reads cost; `print` it."""
        from hlsmem.questions.method_comparison import explain_arrays

        (found,) = explain_arrays(self.planning.worked(), self.plan.name)
        return found


@dataclass(frozen=True, slots=True, repr=False)
class Planning:
    """A plan, with what can be asked of it. `folder` is the OUT that it was read from, if any."""

    plan: Plan
    folder: Path | None = None
    _known: list[Worked] = field(default_factory=list)

    def __repr__(self) -> str:
        cells = [f"{name} {one.hardware.words}" for name, one in self.plan.arrays.items()]
        shown = ", ".join(cells[:5]) + (f" and {len(cells) - 5} more" if len(cells) > 5 else "")
        text = f"<Planning of {self.plan.design}: {shown or 'no arrays'} words>"
        return text if len(text) <= 200 else f"{text[:196]}...>"

    @property
    def arrays(self) -> dict[str, PlannedArray]:
        """The planned arrays by name."""
        return {name: PlannedArray(self, one) for name, one in self.plan.arrays.items()}

    def worked(self) -> Worked:
        """Everything worked out on the way to the plan; of a folder it is planned once more."""
        if not self._known:
            from hlsmem.planner.planning_sequence import plan_design

            assert self.folder is not None
            self._known.append(plan_design(given_design(self.folder, _NONE, ())))
        return self._known[0]

    def document(self) -> dict[str, Any]:
        """The content of plan.json."""
        from hlsmem.plan import to_json

        found: dict[str, Any] = json.loads(to_json(self.plan))
        return found

    def write(self, out: str | Path) -> None:
        """Write the folder OUT as `hlsmem plan` does.

        Raises InputError where a folder with other content is there.
        """
        from hlsmem.emit.output_folder import write_folder
        from hlsmem.questions.run_page import plan_files

        write_folder(Path(out), plan_files(self.worked()))

    def check(self, *, only: Sequence[str] = ()) -> Checks:
        """The verdicts of the checks, on a folder that is there for as long as they run."""
        if self.folder is not None:
            return _checked(self.folder, only)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / self.plan.design
            self.write(out)
            return _checked(out, only)

    def diff(self, other: str | Path | Planning, *, rules: Sequence[str] = ()) -> DiffReport:
        """Differences to another plan."""
        found: DiffReport = _verb("diff")(self, other, rules=rules)
        return found

    def report(self) -> str:
        """The memory report, in Markdown."""
        from hlsmem.emit.report import report

        return report(self.plan)

    @property
    def patch(self) -> str:
        """The patches of the user's files, for `git apply`; empty where nothing changes.

        >>> from hlsmem import load, plan
        >>> kernel = "void k(const int in[9], int out[9]) {\\n    int t[9];\\n"
        >>> kernel += "    for (int i = 0; i < 9; i++) {\\n        t[i] = in[i];\\n"
        >>> kernel += "        out[i] = 2 * t[i];\\n    }\\n}\\n"
        >>> print(plan(load(text=kernel, name="k.c")).patch.splitlines()[4])
        -    int t[9];
        """
        from hlsmem.planner.output_files import source_files

        files = source_files(self.worked())
        return "".join(text for name, text in files.items() if name.endswith(".patch"))

    def view(self) -> View:
        """The page on which the run is seen, cell by cell."""
        if self.folder is not None:
            return _viewed(self.folder)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / self.plan.design
            self.write(out)
            return _viewed(out)

    def _repr_html_(self) -> str:
        rows = [("array", "words", "bound", "standing", "C cells", "C bound")]
        for name, array in self.plan.arrays.items():
            held, host = array.hardware, array.host
            bounds = [None if one is None else one.bound for one in (held, host)]
            bound, of_c = ("" if one is None else str(one.cells) for one in bounds)
            cells = "" if host is None else str(host.words)
            rows.append((name, str(held.words), bound, held.standing, cells, of_c))
        lines = [
            "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"
            for row, tag in zip(rows, ["th"] + ["td"] * len(self.plan.arrays), strict=True)
        ]
        return f"<table>{''.join(lines)}</table>"


def given_design(
    given: str | Path | Design,
    params: Mapping[str, int],
    settings: Settings,
    *,
    conditional: bool = False,
) -> Design:
    """The design of a path, an OUT, or one that was loaded, with further settings.

    One that is read may be `conditional`: have filters, and statements without end.
    """
    from hlsmem.program.options import Design
    from hlsmem.read.design import changed

    if isinstance(given, Design):
        more = [*_settings(settings), *(f"params.{name}={value}" for name, value in params.items())]
        return changed(given, more, option="settings:") if more else given
    from hlsmem.questions.opened_design import design_of

    return design_of(Path(given), params, _settings(settings), conditional=conditional)


def _settings(given: Settings) -> list[str]:
    """KEY=VALUE texts; values that are no plain words are written as JSON, which YAML reads."""
    if not isinstance(given, Mapping):
        return list(given)
    return [
        f"{key}={value}"
        if isinstance(value, str) and re.fullmatch(r"[\w.-]+", value)
        else f"{key}={json.dumps(value)}"
        for key, value in given.items()
    ]


def _inside(folder: Path, problem: Problem) -> Problem:
    """A problem of a file in a folder, with the file's own name."""
    from dataclasses import replace

    place = problem.source_location
    if place is None:
        return problem
    name = place.file.removeprefix(f"{folder}/")
    return replace(problem, source_location=replace(place, file=name))
