"""The command line: one verb is run, its exit code returned, problems told in lines of their own.

Nothing here is slow to import.

Exit codes: 0 fine; 1 a check failed; 2 bad usage or input; 3 a tool is missing or too old;
4 a limit was hit; 70 our own bug; 130 interrupted; 143 terminated.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TextIO

from hlsmem.cli.parser import options_of, text_of, usual_limit
from hlsmem.cli.request import Request, parameters_of
from hlsmem.core.errors import HlsmemError, Note, Problem
from hlsmem.core.memory_limit import limited
from hlsmem.core.rewrites import Moved
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.wording import visible
from hlsmem.verb import VERBS, Verb
from hlsmem.version import TOOL


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code."""
    verb, options = options_of(arguments)
    most = options.memory or usual_limit()
    try:
        with limited(most):
            code = _limited(verb, options)
            sys.stdout.flush()
            return code
    except HlsmemError as error:
        print_error(error)
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output went away: that is its right, and no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if isinstance(error, MemoryError):
            more = "more memory" if most is None else f"allow more than {text_of(most)} by --memory"
            what = "there is no memory left; take smaller parameters (`--param N=..`)"
            print(f"hlsmem: {what}, or {more}", file=sys.stderr)
            return 4
        if isinstance(error, OSError):
            return _of_the_system(error)
        changed = _of_changed_plans(verb, options, error)
        return changed or _of_others(verb, error) or _of_isl(error) or _own_bug(error)


def _of_changed_plans(verb: Verb, options: argparse.Namespace, error: Exception) -> int:
    """2 where a plan that the verb reads is not as hlsmem wrote it, which is said; else 0.

    A plan that has the shape of one may still make no sense: verbs that draw it trust it.
    """
    from hlsmem.emit.output_listing import is_as_made

    given = [getattr(options, name) for name in verb.reads]
    paths = [path for one in given for path in (one if isinstance(one, list) else [one])]
    plans = [path / "plan.json" if path.is_dir() else path for path in paths]
    changed = [
        file
        for file in plans
        if file.suffix == ".json" and file.is_file() and not is_as_made(file.parent, file.name)
    ]
    for file in changed:
        what = f"{file}: it is not as hlsmem wrote it, and nothing more can be made of it"
        print(f"{what} ({type(error).__name__}: {str(error)[:80]}); plan again", file=sys.stderr)
    return 2 if changed else 0


def _of_the_system(error: OSError) -> int:
    if error.filename is not None:
        what = f"cannot read or write '{os.fsdecode(error.filename)}': {error.strerror}"
        print(f"{what}; check it, or plan again", file=sys.stderr)
        return 2
    # Only the standard streams fail without a name: a full disk behind a redirection.
    print(f"hlsmem: cannot write the output: {error.strerror}", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2


def _limited(verb: Verb, options: argparse.Namespace) -> int:
    """The verb, with a limit on isl where it reads a design."""
    if not verb.is_limited:
        return _run(verb, options)
    from hlsmem.polyhedra.limits import command

    with command():
        return _run(verb, options)


def _run(verb: Verb, options: argparse.Namespace) -> int:
    """The exit code of a verb; what it is asked, and what is done with the answer, are its own."""
    given = vars(options)
    values = {
        one.keyword: given[one.keyword] if one.value is None else one.value(given[one.keyword])
        for one in verb.options
    }
    asked = {one.keyword: values[one.keyword] for one in verb.options if one.of_run}
    shown = {one.keyword: values[one.keyword] for one in verb.options if one.of_print}
    naming: AbstractContextManager[None] = nullcontext()
    if verb.design is not None:
        request = _request(verb, values)
        asked["design"] = verb.design(request)
        if "design" in shown:
            del shown["design"]
            shown["request"] = request
        if verb.names_files:
            naming = request.naming_files()
    if verb.before is not None:
        verb.before(**shown)
    with naming:
        value = verb.run(**asked)
    return verb.print(value, **shown)


def _request(verb: Verb, values: Mapping[str, Any]) -> Request:
    """The design asked about; options such as --method are settings like others."""
    chosen = [
        f"{one.setting}={values[one.keyword]}"
        for one in verb.options
        if one.setting and values[one.keyword]
    ]
    return Request(
        path=values["design"],
        parameters=parameters_of(values["param"]),
        settings=[*values["as_written"], *values["set"], *chosen],
        includes=values["include"],
    )


def _of_others(verb: Verb, error: Exception) -> int:
    """3 where a verb from outside broke, which is said: it is no bug of ours; else 0."""
    origin = VERBS.found().origins.get(verb.name)
    if origin is None:
        return 0
    print(f"{origin} broke: {type(error).__name__}: {error}; mend it", file=sys.stderr)
    return 3


def _of_isl(error: Exception) -> int:
    """4 where isl fails at what it was asked, which is said; else 0.

    Some of its operations know no answer for sets of many pieces, as `coalesce`.
    """
    # Who has not loaded isl has not asked it.
    failed = getattr(sys.modules.get("hlsmem.polyhedra"), "PolyhedralError", ())
    if not isinstance(error, failed):
        return 0
    what = f"hlsmem: isl fails at it ({' '.join(str(error).split())[:80]})"
    remedy = "take simpler subscripts and conditions, or numbers for parameters"
    print(f"{what}; {remedy}, and please report it with {_reported(error)}", file=sys.stderr)
    return 4


def _own_bug(error: Exception) -> int:
    what = f"hlsmem: a bug of ours ({type(error).__name__})"
    print(f"{what}; please report it with {_reported(error)}", file=sys.stderr)
    return 70


def _reported(error: Exception) -> str:
    """A new file that tells of an error what a report of it needs."""
    import tempfile
    import traceback

    handle, file = tempfile.mkstemp(prefix="hlsmem-", suffix=".txt")
    with os.fdopen(handle, "w") as stream:
        stream.write(f"{TOOL}\n{' '.join(sys.argv)}\n\n")
        traceback.print_exception(error, file=stream)
    return file


def print_error(error: HlsmemError, stream: TextIO | None = None) -> None:
    """Every problem on a line of its own, with its source line and carets where known."""
    stream = stream or sys.stderr
    colour = wants_colour(stream)
    for problem in error.problems:
        print(problem_text(problem, colour=colour), file=stream)


def problem_text(problem: Problem, *, colour: bool = False) -> str:
    """A problem as text of one or more lines, of which a terminal obeys nothing but the colour."""
    lines = []
    if problem.source_location and problem.source_location.carets():
        lines.append(problem.source_location.carets())
    for note in (*_calls(problem.source_location), *problem.notes):
        lines.append(
            f"  {note.source_location}: {note.text}" if note.source_location else f"  {note.text}"
        )
    return "\n".join([_bold(visible(str(problem)), colour), *map(visible, lines)])


def _calls(source_location: SourceLocation | None) -> list[Note]:
    """The calls that led to a place and the turns of loops, of many the innermost."""
    through = () if source_location is None else source_location.through
    told, at = [], source_location
    for one in through:  # what headers of ours call stands where they are called
        if not isinstance(one, Moved) and one.at != at:
            told.append(one)
            at = one.at
    notes = [Note(str(one), one.at) for one in told[:_CALLS]]
    more = len(told) - len(notes)
    return [*notes, Note(f"and {more} more")] if more else notes


_CALLS = 6
"""Calls that led to a problem, beyond which the others are counted."""


def wants_colour(stream: TextIO) -> bool:
    """Colour only on a terminal, and not where NO_COLOR is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def _bold(text: str, colour: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if colour else text
