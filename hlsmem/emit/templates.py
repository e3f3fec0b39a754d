"""The templates of generated files; compiled ones are kept where Python keeps compiled modules, as
compiling them takes longer than many a plan."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from hlsmem.core.data_files import resource_folder
from hlsmem.core.wording import counted, every

OPTIONS = {
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "autoescape": False,
}


class Compiled(BytecodeCache):
    """The compiled templates of a folder, in its `__pycache__`.

    As for modules, nothing is written where `sys.dont_write_bytecode` says so, or the folder cannot
    be written, and `sys.pycache_prefix` holds. jinja compares the text of the template, and its own
    version and that of Python; `options` tells the settings of the environment apart.
    """

    def __init__(self, folder: Path, options: str) -> None:
        self.folder, self.options = folder, options

    def file(self, bucket: Bucket) -> Path:
        return Path(cache_from_source(str(self.folder / f"{bucket.key}-{self.options}.j2")))

    def load_bytecode(self, bucket: Bucket) -> None:
        broken = (OSError, EOFError, ValueError, TypeError, pickle.UnpicklingError)
        with contextlib.suppress(*broken), self.file(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        target = self.file(bucket)
        with contextlib.suppress(OSError):
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
                bucket.write_bytecode(file)
            os.replace(file.name, target)


@cache
def templates(folder: str) -> Any:
    """jinja's environment for the templates in a folder; it keeps what it has compiled."""
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
