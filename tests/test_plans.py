"""What sessions that were killed left behind goes away, and what others use stays."""

from __future__ import annotations

import os
from pathlib import Path

from tests.plans import remove_old


def test_folders_of_killed_sessions_are_removed_after_a_day(tmp_path: Path) -> None:
    ages = {"hlsmem-plans-killed": 25, "hlsmem-plans-running": 23, "of-somebody-else": 25}
    now = 1_800_000_000.0
    for name, hours in ages.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "plan").write_text("")
        os.utime(folder, (now - 3600 * hours,) * 2)
    remove_old(tmp_path, now)
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "hlsmem-plans-running",
        "of-somebody-else",
    ]
