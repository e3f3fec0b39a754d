"""The command line: one verb is run, its exit code returned; nothing that is slow to import.

Exit codes: 0 fine; 1 a check failed; 2 bad usage or input; 3 a tool is missing or too old;
4 a limit was hit; 70 our own bug; 130 interrupted; 143 terminated.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from hlsmem.cli.memory import text_of, usual_limit
from hlsmem.cli.options import options_of
from hlsmem.cli.request import Request
from hlsmem.errors import HlsmemError, InputError, Problem
from hlsmem.memory import limited
from hlsmem.version import TOOL


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code."""
    options = options_of(arguments)
    most = options.memory or usual_limit()
    try:
        with limited(most):
            code = _limited(options)
            sys.stdout.flush()
            return code
    except HlsmemError as error:
        from hlsmem.cli.text import print_error

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
        return _of_changed_plans(options, error) or _own_bug(error)


def _of_changed_plans(options: argparse.Namespace, error: Exception) -> int:
    """2 where a plan that the verb reads is not as hlsmem wrote it, which is said; else 0.

    A plan that has the shape of one may still make no sense: verbs that draw it trust it.
    """
    from hlsmem.emit.listed import is_as_made

    given = [getattr(options, name) for name in options.reads]
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


def _limited(options: argparse.Namespace) -> int:
    """The verb, with a limit on isl where it reads a design."""
    if options.verb in ("doctor", "schema"):
        return _dispatch(options)
    from hlsmem.polyhedra.limits import command

    with command():
        return _dispatch(options)


def _dispatch(options: argparse.Namespace) -> int:
    from hlsmem.cli import verbs

    match options.verb:
        case "plan":
            return verbs.plan(
                _request(options, method=options.method),
                out=options.out,
                as_json=options.json,
                debug=options.debug,
                profile=options.profile,
            )
        case "check":
            return verbs.check(
                options.out,
                only=options.only,
                as_json=options.json,
                waves=options.waves,
                orders=options.orders,
                beats=options.beats,
                trust=options.trust,
                foreign=options.foreign,
            )
        case "bench":
            return verbs.bench(
                [options.out, *options.against],
                parameters=_parameters(options.param),
                starts=options.starts,
                rounds=options.rounds,
                as_json=options.json,
            )
        case "synth":
            return verbs.synth(
                options.out,
                family=options.family,
                seeds=options.seeds,
                as_json=options.json,
                trust=options.trust,
            )
        case "compare":
            return verbs.compare(
                _request(options),
                as_json=options.json,
                classes=options.classes,
                variants=options.variants,
            )
        case "explain":
            return verbs.explain(
                _request(options),
                options.array,
                lifetimes=options.lifetimes,
                as_json=options.json,
            )
        case "vectors":
            return verbs.vectors(
                _request(options),
                array=options.array,
                kind=options.kind,
                stores=options.store,
                ranges=options.stores,
                most=options.length,
                as_json=options.json,
                picture=options.svg,
                force=options.force,
            )
        case "tiles":
            return verbs.tiles(
                _request(options),
                kind=options.kind,
                rows=options.rows,
                sizes=options.sizes,
                origin=options.origin,
                parallel=options.parallel,
                as_json=options.json,
                picture=options.svg,
                force=options.force,
            )
        case "network":
            return verbs.network(
                _request(options),
                grain=options.processes,
                capacities=options.capacities,
                out=options.out,
                as_json=options.json,
                force=options.force,
            )
        case "rank":
            return verbs.rank(
                _request(options),
                options.statement,
                parts=options.parts,
                verilog=options.verilog,
                as_json=options.json,
            )
        case "dataflow":
            return verbs.dataflow(
                _request(options),
                options.statement,
                control=options.control,
                as_json=options.json,
            )
        case "what-if":
            return verbs.what_if(
                _request(options),
                kinds=options.kind,
                order=options.order,
                top=options.top,
                attempt=options.attempt,
                apply=options.apply,
                out=options.out,
                as_json=options.json,
                force=options.force,
            )
        case "view":
            return verbs.view(
                options.out,
                file=options.file,
                array=options.array,
                steps=options.steps,
                opened=options.open,
                force=options.force,
            )
        case "diff":
            return verbs.diff(
                options.old,
                options.new,
                form=options.format,
                rules=options.fail_on,
                as_json=options.json,
            )
        case "doctor":
            return verbs.doctor()
        case _:
            return verbs.plan_schema() if options.of == "plan" else verbs.schema()


def _request(options: argparse.Namespace, method: str | None = None) -> Request:
    """The design asked about; --method is a setting like others."""
    chosen = [f"plan.method={method}"] if method else []
    return Request(
        path=options.design,
        parameters=_parameters(options.param),
        settings=[*options.as_written, *options.set, *chosen],
        includes=options.include,
    )


def _parameters(texts: Sequence[str]) -> dict[str, int]:
    values: dict[str, int] = {}
    problems = []
    for text in texts:
        name, equals, value = text.partition("=")
        try:
            if not equals or not name.strip():
                raise ValueError(text)
            values[name.strip()] = int(value, 0)
        except ValueError:
            problems.append(
                Problem(f"--param {text}: not NAME=INTEGER", "write it like --param N=64")
            )
    if problems:
        raise InputError(*problems)
    return values


def _own_bug(error: Exception) -> int:
    import tempfile
    import traceback

    handle, file = tempfile.mkstemp(prefix="hlsmem-", suffix=".txt")
    with os.fdopen(handle, "w") as stream:
        stream.write(f"{TOOL}\n{' '.join(sys.argv)}\n\n")
        traceback.print_exception(error, file=stream)
    print(
        f"hlsmem: a bug of ours ({type(error).__name__}); please report it with {file}",
        file=sys.stderr,
    )
    return 70
