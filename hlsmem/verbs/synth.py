"""`hlsmem synth`: the Verilog in OUT is synthesised."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hlsmem.cli.folder import begin, drawn, print_kept
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.verb import OUT, TRUST, Verb, WholeNumber, asked, shown

if TYPE_CHECKING:
    from hlsmem.check import DesignUnderCheck
    from hlsmem.core.errors import Problem
    from hlsmem.synthesis import ExpectedResources, Figures

_TEXT = "synth.md"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Synthesis:
    """Synthesis by Yosys and nextpnr of the Verilog in OUT for a `family`, module by module.

    `expected` is what the plan says of its block RAMs, where it says anything; `unplaced` why
    clocks that were asked for are not there.
    """

    subject: DesignUnderCheck
    family: str
    figures: tuple[Figures, ...]
    expected: ExpectedResources | None
    unplaced: Problem | None

    def __repr__(self) -> str:
        return f"<Synthesis of {self.subject.plan.design} for {self.family}>"


def synth(out: str | Path, *, family: str | None = None, seeds: int = 5) -> Synthesis:
    """Area and clock of the Verilog in OUT; nothing is written.

    Area is in cells of the family, the clock in MHz: the median of so many `seeds`, None with 0.
    Without a family it is that of the plan's target, else DEFAULT_FAMILY. Raises InputError where
    OUT has no plan, or Verilog that hlsmem never writes; ToolError where a tool is missing or
    refuses the design; LimitError where the chip is too small, or a tool runs out of time.

    >>> synth("build/blur", seeds=0).figures[0].area.luts  # doctest: +SKIP
    84
    """
    from hlsmem.check import load_subject
    from hlsmem.devices import DEFAULT_FAMILY, family_of
    from hlsmem.synthesis import expected_resources, sources_of, synthesise, unplaced

    out = Path(out)
    subject = load_subject(out)
    plan = subject.plan
    if family is None:
        family = family_of(plan.target.device).name if plan.target else DEFAULT_FAMILY
    sources = sources_of(out / "rtl", family)
    tops = [f"{plan.design}_mem"]
    if not (out / "rtl" / f"{tops[0]}.v").is_file():  # a conflict set: RAMs and their steppers
        names = [f"{plan.design}_{array}" for array in plan.arrays]
        tops = [f"{name}{suffix}" for name in names for suffix in ("", "_step")]
    chosen = tuple(range(1, seeds + 1))
    figures = tuple(synthesise(sources, top, family, seeds=chosen) for top in tops)
    return Synthesis(
        subject=subject,
        family=family,
        figures=figures,
        expected=expected_resources(plan, figures),
        unplaced=unplaced(family) if seeds else None,
    )


def text_of_synthesis(out: Path) -> str:
    """Text of the synthesis of OUT; empty where it has not run."""
    from hlsmem.core.user_files import read_text

    file = out / _TEXT
    return read_text(file) if file.is_file() else ""


def _before(*, out: Path, trust: bool, **_: object) -> None:
    begin(out, trust=trust)


def _print(found: Synthesis, *, out: Path, as_json: bool, **_: object) -> int:
    """Write synth.json, synth.md and the report, print the figures.

    Block RAMs that are not those of the plan are exit code 1, clocks that are asked for (seeds)
    where nothing places and routes the family are exit code 3.
    """
    import json

    from hlsmem.check import read_verdicts
    from hlsmem.core.errors import ToolError
    from hlsmem.emit.output_folder import rewrite_files
    from hlsmem.synthesis import synthesis_document, synthesis_text

    document = json.dumps(synthesis_document(found.figures), indent=1)
    text, expected = synthesis_text(found.figures), found.expected
    if expected is not None:
        text = f"{text}\n\n{expected.text()}"
    texts = {"synth.json": document + "\n", _TEXT: text + "\n"}
    texts |= drawn(out, found.subject, read_verdicts(out), text)
    print_kept(out, rewrite_files(out, texts))
    print(document if as_json else text)
    if expected is not None and not expected.kept:
        print(f"the plan is wrong: {expected.text()} Please report this.", file=sys.stderr)
        return 1
    if found.unplaced is not None:
        raise ToolError(found.unplaced)
    return 0


def _families() -> tuple[str, ...]:
    from hlsmem.devices import FAMILIES

    return tuple(FAMILIES)


def _help_of_family() -> str:
    from hlsmem.core.wording import listed
    from hlsmem.devices import DEFAULT_FAMILY, FAMILIES

    placed = [family.name for family in FAMILIES.values() if family.router is not None]
    default = f"default: that of the target, else {DEFAULT_FAMILY};"
    return f"{default} {listed(placed)} are also placed and routed"


VERB = Verb(
    name="synth",
    summary="area and clock of the Verilog in OUT, by Yosys",
    order=40,
    options=(
        OUT,
        asked("--family", choices=_families, help=_help_of_family),
        asked(
            "--seeds",
            type=WholeNumber(0, 99, "number of seeds", "0 (area alone) to 99"),
            default=5,
            metavar="N",
            help="the clock is the median of N, default 5",
        ),
        shown("--json", keyword="as_json", action="store_true", help="print the figures as JSON"),
        TRUST,
    ),
    run=synth,
    print=_print,
    before=_before,
    reads=("out",),
)
