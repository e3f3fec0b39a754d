"""Mappings are proved again with isl, from conflicts that are computed on a path of its own."""

from __future__ import annotations

from dataclasses import replace

from hlsmem.verdict import Check, Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.verdict import Verdict
    from hlsmem.verification.subject import Subject


def _run(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.exact import check_exact

    if Kind.CLASS in subject.kinds:
        return _of_the_class(subject)
    found = check_exact(subject.design, subject.program, subject.plan, subject.document)
    return (*found, *_in_the_order_of_c(subject), *_of_the_class(subject))


def _of_the_class(subject: Subject) -> tuple[Verdict, ...]:
    """For all orders of the class that the design asks for."""
    from hlsmem.verification.classes import check_class_exact

    if subject.program is None:
        return ()
    return check_class_exact(subject.design, subject.program, subject.document)


def _in_the_order_of_c(subject: Subject) -> tuple[Verdict, ...]:
    """Once more where the C in OUT/host puts equal times into an order."""
    from hlsmem.program import Program
    from hlsmem.verification.exact import check_exact
    from hlsmem.verification.rules import Rules, rules_of, with_rules
    from hlsmem.verification.serial import in_the_order_of_c

    program, given = subject.program, subject.design.input
    if program is None or not isinstance(given, Program):
        return ()
    if not (subject.out / "host" / f"{program.name}.c").is_file():
        return ()
    serial = in_the_order_of_c(given, program)
    if serial is program:
        return ()
    # C has no ports and no beats: neither `strict` nor slack says anything about it.
    options = replace(subject.design.plan, strict=False, slack=0)
    design = replace(subject.design, plan=options)
    document = with_rules(subject.document, Rules(rules_of(subject.document).order))
    found = check_exact(design, serial, subject.plan, document, hardware=False)
    return tuple(replace(one, subject=f"{one.subject} in C") for one in found)


CHECK = Check(
    name="exact",
    order=50,
    proves="no two elements that are alive together share a cell",
    on_whose_word="the design as it is read, isl",
    run=_run,
)
