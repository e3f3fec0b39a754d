"""`make mutants`: every planted fault, and reports/trust.md.

    python -m tests.mutants [--keep] [WORD]...

Two faults are judged at a time. What is known is kept in build/trust.json until a file of the
package or of its tests changes, so that a run that was ended goes on where it was; with `--keep`
rows of an earlier commit stay but for faults that nothing caught: they are judged again. The report
says which commit each row is of. With words only faults whose kind, subject or name contain one of
them are run, and the report has what is known. Exit status 1 where one is not caught, or not known.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

from tests.mutants.campaign import (
    EQUIVALENT,
    LIMIT,
    MISSED,
    ROOT,
    Row,
    Task,
    fingerprint,
    host_tasks,
    normal_tasks,
    plan_tasks,
    rtl_tasks,
)
from tests.mutants.sources import source_tasks

STATE = ROOT / "build" / "trust.json"
REPORT = ROOT / "reports" / "trust.md"
KINDS = {"plan.json": 100, "normal.c": 30, "Verilog": 40, "host C": 30, "sources": 30}
_WORKERS = 2
_WORDS = 130
_UNKNOWN = Row("not judged", "")
_UNACCOUNTED = (MISSED, LIMIT, _UNKNOWN.verdict)


def main(arguments: Sequence[str]) -> int:
    """Judge what is not known yet, or is asked for; the exit status."""
    start = time.monotonic()
    words = [one for one in arguments if one != "--keep"]
    every = [*_by_key().values()]  # before the workers, which find them there
    chosen = [one for one in every if not words or any(word in one.key for word in words)]
    known = {k: row for k, row in _known(keep="--keep" in arguments).items() if k in _by_key()}
    left = [one.key for one in chosen if one.key not in known]
    with ProcessPoolExecutor(_WORKERS) as pool:
        running = {pool.submit(_judged, key): key for key in left}
        for done in as_completed(running):
            key = running[done]
            try:
                row = known[key] = replace(done.result(), at=_commit())
            except Exception as error:
                pool.shutdown(cancel_futures=True)
                raise RuntimeError(f"{key}: nothing judged it") from error
            print(f"{row.verdict:18} {key}: {row.by[:_WORDS]}", flush=True)
            _keep(known)
    missed = [one.key for one in every if known.get(one.key, _UNKNOWN).verdict in _UNACCOUNTED]
    seconds = time.monotonic() - start
    print(f"{len(every) - len(missed)} of {len(every)} faults accounted for, {seconds:.0f} s")
    REPORT.write_text(report(every, known), encoding="utf-8")
    return 1 if missed else 0


def tasks() -> list[Task]:
    return [*plan_tasks(), *normal_tasks(), *rtl_tasks(), *host_tasks(), *source_tasks()]


@cache
def _commit() -> str:
    """The commit of the files that are judged; "" where there is no git."""
    words = ["git", "log", "-1", "--format=%h", "--", "hlsmem", "hlsmem_verify", "tests"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


@cache
def _by_key() -> dict[str, Task]:
    return {one.key: one for one in tasks()}


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder of this worker's own, which ends with it."""
    return tempfile.TemporaryDirectory(prefix="hlsmem-mutants-")


def _judged(key: str) -> Row:
    row = _by_key()[key].judge(Path(_folder().name))
    return replace(row, verdict=LIMIT) if f"{LIMIT}: " in row.by else row


def _known(*, keep: bool) -> dict[str, Row]:
    """The rows of an earlier run on the same files, or on others but for what nothing caught."""
    try:
        kept = json.loads(STATE.read_text(encoding="utf-8"))
        read = {key: Row(**row) for key, row in kept["rows"].items()}
        rows = {key: row for key, row in read.items() if row.verdict != LIMIT}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    if _is_ours(kept):
        return rows
    return {key: row for key, row in rows.items() if keep and row.verdict != MISSED}


def _is_ours(kept: dict[str, str]) -> bool:
    return kept["files"] == fingerprint()


def _keep(known: dict[str, Row]) -> None:
    rows = {key: asdict(row) for key, row in known.items()}
    STATE.parent.mkdir(exist_ok=True)
    part = STATE.with_suffix(".part")
    part.write_text(json.dumps({"files": fingerprint(), "rows": rows}), encoding="utf-8")
    part.replace(STATE)


def report(every: Sequence[Task], known: dict[str, Row]) -> str:
    """reports/trust.md."""
    lines = [
        "# Planted faults, and what catches each",
        "",
        "Rebuilt by `make mutants`. Faults in OUT are judged by the checks of `hlsmem check`, one",
        "by one until one fails: those first that share least with the planner, and `generated`,",
        "which plans again, where these cannot tell. Faults in plan.json are judged by `source`",
        "and `proof` (what a run or a tool measures by `rtl` too), in the normal form by",
        "`reading`, in the Verilog by `rtl` and `formal`, in host C by `host`. What all pass in",
        "the Verilog is equivalent, by the proof beside it. Faults in the sources are judged by",
        "tests named for them; what passes is another right plan: OUT of a design is another, and",
        "all checks pass on it.",
        "",
        f"Commits that were judged: {_commits(known)}.",
        "",
    ]
    for kind in KINDS:
        own = [one for one in every if one.kind == kind]
        counted = Counter(known.get(one.key, _UNKNOWN).verdict for one in own)
        counts = [(v, counted[v]) for v in (*_verdicts(known), _UNKNOWN.verdict)]
        said = ", ".join(f"{many} {verdict}" for verdict, many in counts if many)
        lines += [f"## {kind}", "", f"{len(own)} faults: {said}{_by_generated(own, known)}.", ""]
        lines += ["| in | fault | verdict | by |", "|---|---|---|---|"]
        for one in own:
            row = known.get(one.key, _UNKNOWN)
            by = " ".join(row.by.split())[:_WORDS].replace("|", "\\|")
            name = one.name.replace("|", "\\|")
            lines.append(f"| {one.subject} | {name} | {row.verdict} | {by} |")
        lines.append("")
    return "\n".join(lines)


def _commits(known: dict[str, Row]) -> str:
    many = Counter(row.at for row in known.values())
    return ", ".join(f"{at} ({number} faults)" for at, number in many.most_common())


def _by_generated(own: Sequence[Task], known: dict[str, Row]) -> str:
    many = sum(known.get(one.key, _UNKNOWN).by.startswith("generated: ") for one in own)
    return f"; {many} by `generated` alone" * bool(many)


def _verdicts(known: dict[str, Row]) -> list[str]:
    return sorted({row.verdict for row in known.values()}, key=lambda v: (v == EQUIVALENT, v))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
