"""OUT/verify.py: the package `hlsmem_verify` as one file that Python runs."""

from __future__ import annotations

import io
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from hlsmem.core.user_files import from_bytes

_PACKAGE = "hlsmem_verify"
_MAIN = f"import sys\n\nfrom {_PACKAGE}.command import main\n\nsys.exit(main())\n"
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that an archive can have


@cache
def verifier() -> str:
    """An archive of the modules and what runs them, its bytes as `files.from_bytes` writes them.

    Stored, as compressed bytes differ between versions of zlib; in the order of names, with one
    date: two archives of equal modules have equal bytes.
    """
    found = find_spec(_PACKAGE)
    assert found is not None
    assert found.origin is not None
    folder = Path(found.origin).parent
    texts = {
        file.relative_to(folder.parent).as_posix(): file.read_bytes()
        for file in folder.rglob("*.py")
    }
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_STORED) as archive:
        for name, text in sorted({"__main__.py": _MAIN.encode(), **texts}.items()):
            entry = ZipInfo(name, _DATE)
            entry.create_system = 3  # Unix, wherever it is written
            archive.writestr(entry, text)
    return from_bytes(content.getvalue())
