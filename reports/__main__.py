"""`make reports`: rebuild every table of this folder."""

from __future__ import annotations

from reports import classes, faults, formal, papers, tilings

REPORTS = {
    "papers.md": papers.main,
    "classes.md": classes.main,
    "tilings.md": tilings.main,
    "faults.md": faults.main,
    "formal.md": formal.main,
}

for name, build in REPORTS.items():
    print(f"reports/{name}", flush=True)
    build()
