"""`hlsmem compare`: every method on every array, beside the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.cli.request import Request
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.wording import WITH_EXPANSION
from hlsmem.verb import JSON, Verb, asked, document_text, of_a_design, shown

if TYPE_CHECKING:
    from hlsmem.api import Settings
    from hlsmem.program.options import Design

_NONE: Mapping[str, Any] = {}


def compare(
    design: str | Path | Design,
    *,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
    classes: bool = False,
    variants: bool = False,
) -> tuple[Any, ...]:
    """Every method on every array of a design, in cells beside the bounds: a Comparison an array.

    With `variants` each published variant of the methods, too; with `classes` a ClassRow for every
    array and class of orders instead. Raises InputError for a design that cannot be read and, with
    `classes`, for one that needs a single schedule.

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> *_, one = compare(load(text=kernel, name="k.c"))
    >>> one.array.name, one.chosen.cells, len(one.answers) > 3
    ('t', 3, True)
    """
    from hlsmem.api import given_design

    given = given_design(design, params, settings)
    if classes:
        from hlsmem.questions.method_comparison import compare_classes

        return tuple(compare_classes(given))
    from hlsmem.questions.method_comparison import compare_methods

    return compare_methods(given, variants=variants)


def _before(*, variants: bool, each: bool, **_: object) -> None:
    if each and not variants:
        what = "--all shows each variant in a line of its own"
        raise InputError(Problem(what, "add --variants"))


def _print(
    found: tuple[Any, ...], *, classes: bool, variants: bool, each: bool, as_json: bool
) -> int:
    """Print every method's answer for every array, or that of every class."""
    del variants  # `found` has them
    if not found and not as_json:
        print(f"no array is planned; {WITH_EXPANSION}")
        return 0
    if classes:
        from hlsmem.emit.class_table import classes_document, classes_text

        print(document_text(classes_document(found)) if as_json else classes_text(found))
        return 0
    from hlsmem.emit.method_table import comparison_document, comparison_text

    if as_json:
        arrays = {one.array.name: comparison_document(one) for one in found}
        print(document_text({"arrays": arrays}))
    else:
        print("\n\n".join(comparison_text(one, joined=not each) for one in found))
    return 0


VERB = Verb(
    name="compare",
    summary="every method on every array, beside the bounds",
    order=50,
    options=(
        *of_a_design(),
        asked(
            "--classes",
            also_printed=True,
            action="store_true",
            help="classes of orders instead of methods: what independence of the schedule costs",
        ),
        asked(
            "--variants",
            also_printed=True,
            action="store_true",
            help="each published variant of the methods too, as published; those of one mapping in"
            " one line",
        ),
        shown(
            "--all",
            keyword="each",
            action="store_true",
            help="with --variants: each in a line of its own",
        ),
        JSON,
    ),
    run=compare,
    print=_print,
    before=_before,
    design=Request.load,
)
