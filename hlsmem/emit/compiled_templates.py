"""Compiled templates, kept where Python keeps compiled modules: compiling them takes longer than
many a plan."""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import tempfile
from importlib.util import cache_from_source
from pathlib import Path

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


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
