"""Files that travel with hlsmem: templates, hand-written Verilog, simulation benches."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def resource_folder(name: str) -> Path:
    """The folder `templates`, `rtl` or `sim`: inside an installed wheel, else in the checkout."""
    installed = _PACKAGE / "data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
