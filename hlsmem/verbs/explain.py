"""`hlsmem explain`: why an array is not smaller, what its reads cost, what would save."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.cli.request import Request
from hlsmem.verb import JSON, Verb, asked, document_text, of_a_design

if TYPE_CHECKING:
    from hlsmem.api import Settings
    from hlsmem.program.options import Design

_NONE: Mapping[str, Any] = {}


def explain(
    design: str | Path | Design,
    array: str | None = None,
    *,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
    lifetimes: bool = False,
) -> Any:
    """Why arrays are not smaller, what reads cost, what would save: a DesignExplained; `print` it.

    A folder OUT is explained as the design it was planned from. Prices are in cells. With
    `lifetimes` a Lifetimes an array instead: the first write and last read of every element.
    Raises InputError for an array that is not planned and, with `lifetimes`, for a conflict set.

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> text = str(explain(load(text=kernel, name="k.c")))
    >>> [line.strip() for line in text.splitlines() if line.endswith("of 3 cells")]
    ['1:114 t[i - 2] costs 2 of 3 cells']
    """
    from hlsmem.api import given_design
    from hlsmem.questions.method_comparison import explain_design, lifetimes_of

    given = given_design(design, params, settings)
    return lifetimes_of(given, array) if lifetimes else explain_design(given, array)


def _print(found: Any, *, lifetimes: bool, as_json: bool) -> int:
    """Print why arrays are not smaller, or the lifetimes of their elements."""
    if lifetimes:
        from hlsmem.emit.lifetime_text import lifetimes_text

        print("\n\n".join(map(lifetimes_text, found)))
        return 0
    from hlsmem.emit.explanation import design_document, design_text

    print(document_text(design_document(found)) if as_json else design_text(found))
    return 0


VERB = Verb(
    name="explain",
    summary="why an array is not smaller, what its reads cost, what would save",
    order=60,
    options=(
        *of_a_design("a design.yaml, a C file, or a folder written by `hlsmem plan`"),
        asked("array", nargs="?", metavar="ARRAY", help="default: every array"),
        asked(
            "--lifetimes",
            also_printed=True,
            action="store_true",
            help="first write and last read of every element, differences of conflicting elements",
        ),
        JSON,
    ),
    run=explain,
    print=_print,
    design=Request.load_or_open,
    reads=("design",),
    late="array",
)
