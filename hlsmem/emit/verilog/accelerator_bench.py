"""The bench of a whole accelerator, in Verilog: recorded frames, which it compares by itself."""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.templates import templates
from hlsmem.plan import Plan, PlannedPort
from hlsmem.program.model import SourceFile

_BEHIND = 64
_PATIENCE = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchView:
    """The accelerator `top` between sources and sinks.

    A run is over so many cycles `behind` its last beat, or when nothing moves in those of its
    `patience`.
    """

    top: str
    ports: tuple[PlannedPort, ...]
    patience: int
    behind: int = _BEHIND

    @property
    def module(self) -> str:
        return f"tb_{self.top}"

    @property
    def outputs(self) -> tuple[PlannedPort, ...]:
        return tuple(one for one in self.ports if one.direction == "out")

    @property
    def frames(self) -> tuple[str, ...]:
        """The files of words beside it."""
        return tuple(f"{one.name}.hex" for one in self.ports)

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(f"{one.name}_moves" for one in self.ports)

    @property
    def done(self) -> tuple[str, ...]:
        """What holds when all words of the files have gone."""
        inputs = (one for one in self.ports if one.direction == "in")
        return (
            *(f"u_{one.name}.over & ~{one.name}_tvalid" for one in inputs),
            *(f"u_{one.name}.over" for one in self.outputs),
        )

    @property
    def wrong(self) -> tuple[str, ...]:
        return tuple(f"u_{one.name}.wrong" for one in self.ports)


def bench_of(plan: Plan) -> BenchView | None:
    """Return the bench of a plan's accelerator; None where it has none."""
    if plan.accelerator is None:
        return None
    cycles = None if plan.timing is None else plan.timing.cycles
    return BenchView(
        top=plan.accelerator.top,
        ports=plan.accelerator.ports,
        patience=_PATIENCE + 2 * (cycles or 0),
    )


def bench_files(bench: BenchView) -> tuple[SourceFile, ...]:
    """Return sim/tb_TOP.v, and a Makefile that compiles and runs it."""
    printed = templates("sim")
    names = {f"{bench.module}.v": "bench.v.j2", "Makefile": "Makefile.j2"}
    return tuple(
        SourceFile(name=f"sim/{name}", text=printed.get_template(template).render(bench=bench))
        for name, template in names.items()
    )
