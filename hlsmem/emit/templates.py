"""The templates of generated files."""

from __future__ import annotations

from functools import cache
from typing import Any

from hlsmem.resources import resource_folder
from hlsmem.wording import counted, every


@cache
def templates(folder: str) -> Any:
    """jinja's environment for the templates in a folder; it keeps what it has compiled."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(resource_folder("templates") / folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {"counted": counted, "every": every}
    return environment
