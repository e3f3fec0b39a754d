"""The templates of generated files."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from typing import Any

from hlsmem.core.data_files import resource_folder
from hlsmem.core.wording import counted, every

OPTIONS = {
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "autoescape": False,
}


@cache
def templates(folder: str) -> Any:
    """jinja's environment for the templates in a folder; it keeps what it has compiled."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from hlsmem.emit.compiled_templates import Compiled

    own = resource_folder("templates") / folder
    options = hashlib.sha256(repr(OPTIONS).encode()).hexdigest()[:8]
    environment = Environment(
        loader=FileSystemLoader(own),
        undefined=StrictUndefined,
        bytecode_cache=Compiled(own, options),
        **OPTIONS,  # type: ignore[arg-type]
    )
    environment.filters |= {"counted": counted, "every": every}
    return environment


def compile_all() -> None:
    """Compile every template and keep it, as `python -m compileall` does with modules."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        for file in sorted(resource_folder("templates").glob("*/*.j2")):
            templates(file.parent.name).get_template(file.name)
    finally:
        sys.dont_write_bytecode = before


if __name__ == "__main__":
    compile_all()
