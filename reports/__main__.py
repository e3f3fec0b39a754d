"""`make reports`: rebuild every table of this folder."""

from __future__ import annotations

from reports import classes, faults, formal, papers

REPORTS = {
    "papers.md": papers.main,
    "classes.md": classes.main,
    "faults.md": faults.main,
    "formal.md": formal.main,
}

for name, build in REPORTS.items():
    print(f"reports/{name}", flush=True)
    build()
