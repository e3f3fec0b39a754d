"""`make mutants`: every planted fault, and reports/trust.md.

    python -m tests.mutants [WORD]...

Two faults are judged at a time. What is known is kept in build/trust.json until a file of the
package or of its tests changes, so that a run that was ended goes on where it was. With words only
faults whose kind, subject or name contain one of them are run, and no report is written. Exit
status 1 where one is not caught.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path

from tests.mutants.campaign import EQUIVALENT, MISSED, ROOT, Row, Task, fingerprint, tasks

STATE = ROOT / "build" / "trust.json"
REPORT = ROOT / "reports" / "trust.md"
KINDS = {"plan.json": 100, "Verilog": 40, "host C": 30, "sources": 30}
_WORKERS = 2
_WORDS = 130


def main(words: Sequence[str]) -> int:
    """Judge what is not known yet, or is asked for; the exit status."""
    start = time.monotonic()
    every = tasks()
    chosen = [one for one in every if not words or any(word in one.key for word in words)]
    known = _known()
    left = [one.key for one in chosen if one.key not in known]
    with ProcessPoolExecutor(_WORKERS) as pool:
        running = {pool.submit(_judged, key): key for key in left}
        for done in as_completed(running):
            key, row = running[done], done.result()
            known[key] = row
            print(f"{row.verdict:18} {key}: {row.by[:_WORDS]}", flush=True)
            _keep(known)
    missed = [one.key for one in chosen if known[one.key].verdict == MISSED]
    seconds = time.monotonic() - start
    print(f"{len(chosen) - len(missed)} of {len(chosen)} faults accounted for, {seconds:.0f} s")
    if not words:
        REPORT.write_text(report(every, known), encoding="utf-8")
    return 1 if missed else 0


@cache
def _by_key() -> dict[str, Task]:
    return {one.key: one for one in tasks()}


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder of this worker's own, which ends with it."""
    return tempfile.TemporaryDirectory(prefix="hlsmem-mutants-")


def _judged(key: str) -> Row:
    return _by_key()[key].judge(Path(_folder().name))


def _known() -> dict[str, Row]:
    """The rows of an earlier run on the same files."""
    try:
        kept = json.loads(STATE.read_text(encoding="utf-8"))
        return {key: Row(**row) for key, row in kept["rows"].items()} if _is_ours(kept) else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _is_ours(kept: dict[str, str]) -> bool:
    return kept["files"] == fingerprint()


def _keep(known: dict[str, Row]) -> None:
    rows = {key: {"verdict": row.verdict, "by": row.by} for key, row in known.items()}
    STATE.parent.mkdir(exist_ok=True)
    part = STATE.with_suffix(".part")
    part.write_text(json.dumps({"files": fingerprint(), "rows": rows}), encoding="utf-8")
    part.replace(STATE)


def report(every: Sequence[Task], known: dict[str, Row]) -> str:
    """reports/trust.md."""
    lines = [
        "# Planted faults, and what catches each",
        "",
        "Rebuilt by `make mutants`. Faults in plan.json are judged by `exact`, then `source` and",
        "`proof`, then the other checks; faults in the Verilog by `rtl`, then `formal`; in host C",
        "by `host`; in the sources by the tests named for them. A fault that passes all is",
        "equivalent, by the proof beside it, or another right plan: OUT is another, all",
        "checks pass on it, and only the record of generated files fails.",
        "",
    ]
    for kind in KINDS:
        own = [one for one in every if one.kind == kind]
        counts = [(v, sum(known[one.key].verdict == v for one in own)) for v in _verdicts(known)]
        said = ", ".join(f"{many} {verdict}" for verdict, many in counts if many)
        lines += [f"## {kind}", "", f"{len(own)} faults: {said}.", ""]
        lines += ["| in | fault | verdict | by |", "|---|---|---|---|"]
        for one in own:
            row = known[one.key]
            by = " ".join(row.by.split())[:_WORDS].replace("|", "\\|")
            name = one.name.replace("|", "\\|")
            lines.append(f"| {one.subject} | {name} | {row.verdict} | {by} |")
        lines.append("")
    return "\n".join(lines)


def _verdicts(known: dict[str, Row]) -> list[str]:
    return sorted({row.verdict for row in known.values()}, key=lambda v: (v == EQUIVALENT, v))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
