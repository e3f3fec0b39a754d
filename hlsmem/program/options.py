"""Options of the planner in a design, apart from the program itself: frozen, with defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.foreign_modules import ForeignModule
from hlsmem.program.model import ConflictInput, Kernel, Program, SourceFile
from hlsmem.program.schedule_classes import GIVEN, ScheduleClass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReusedPlan:
    """The `plan.reuse` key: a plan.json as it was read, and where the design names it."""

    source: SourceFile
    source_location: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The `plan.search` key, and whether `schedule` is auto (`wanted`).

    `order` is kept or any: whether statements that touch streams or external arrays keep their
    order. `strips` are widths that the innermost common loop may be cut into.
    """

    wanted: bool = False
    order: str = "kept"
    strips: tuple[int, ...] = (32, 64, 128)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """The `plan` key: method name, read-and-overwrite rule, slack in beats, work budget.

    `round` is none or pow2 (every modulus a power of two); `dimensions` the most components
    that a mapping may have, None for any number. `objective` is what hardware makes small: auto
    (LUTs and blocks of the target, words without one), cells, words, cycles, which are not given
    for words by another order, or blocks, the block RAMs of the target's device, for which mappings
    are chosen too. `schedules` are the orders
    that the cells have to be right for; `reuse` has mappings to take over; `split` tries cells of
    their own for borders of arrays. `channels` is auto, memory or dedicated: which kinds of storage
    are left out where an array's own settings leave it to the plan. `capacity` is schedule or
    selftimed: the words of FIFOs. `control` is skip, predicate, or auto: skip where that can be.
    """

    method: str = "auto"
    strict: bool = False
    slack: int = 0
    budget: int = 1_000_000
    round: str = "none"
    dimensions: int | None = None
    objective: str = "auto"
    schedules: ScheduleClass = GIVEN
    search: SearchOptions = SearchOptions()
    reuse: ReusedPlan | None = None
    split: bool = False
    channels: str = "auto"
    capacity: str = "schedule"
    control: str = "auto"

    @property
    def effort(self) -> int:
        """Factor of a budget above the default: other limits of work rise with it."""
        return max(1, self.budget // PlanOptions().budget)


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineOptions:
    """The `pipeline` key: latency in cycles by statement, and the most cycles between two steps.

    `level` is None where the design leaves it to the default; what it means for the program
    is in `Program.step_dimensions`.
    """

    level: int | None = None
    interval: int | None = None
    latency: dict[str, int] = field(default_factory=dict)


CLOCK_MHZ = 140
"""The clock of datapaths where a design names none, in MHz."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """The `target` key: the device or family, None for none in particular, and its budget.

    `block_rams` is the number of block RAMs that may be used, in the family's smallest, also where
    `limits.blocks` says so; `output_register` says whether RAMs have one, None where the plan
    decides. Stages of datapaths are made for `clock_mhz`. `source_location` is where the design
    names the device.
    """

    device: str | None = None
    source_location: SourceLocation | None = None
    block_rams: int | None = None
    output_register: bool | None = None
    clock_mhz: int = CLOCK_MHZ


@dataclass(frozen=True, slots=True, kw_only=True)
class HostChoice:
    """Choice of host C for an array: a `method`, a `shape`, None for any of them.

    `source_location` is where the design says so, `method_place` where it names the method.
    """

    method: str | None
    shape: str | None
    source_location: SourceLocation | None = field(default=None, compare=False)
    method_place: SourceLocation | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTile:
    """Iterations of a tile of a statement's vector loop, and of its outermost one;
    `source_location` is where the design says so."""

    vector: int
    outer: int
    source_location: SourceLocation | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostMachine:
    """Caches in KiB and vector registers in bits, None where the machine that plans is asked, and
    the share of the first cache that tiles may fill. `places` are those of the keys; `read` is
    what the machine has answered already, where somebody knows."""

    l1_kib: int | None = 32
    l2_kib: int | None = 256
    simd_bits: int | None = 256
    rho: Fraction = Fraction(9, 10)
    places: Mapping[str, SourceLocation] = field(default_factory=dict, compare=False)
    read: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOptions:
    """The `host` key: where the wrapper's workspace lives (auto, stack, static or malloc).

    `tiled` adds a function that runs the tiles of a class, whatever their sizes. `order` is given,
    or auto where C may run loops apart, inside of others or in strips. `objective` is
    plan, ram for fewest bytes, or speed where C may have mappings of its own with `extra_cells`
    percent more cells; `sizes` are values of parameters that these are scored at, none for the
    default, and `choice` says of arrays by name what to take. `tile` is auto, none, sica, sica-min,
    sica-max, or tiles of the vector loop and the outermost one by statement, `jams` whether
    iterations of a serial loop run in one, `machine` what sizes of tiles come from. `inputs` are
    the least and the greatest value that checks give parameters of floats. `versions` are the
    values that C has versions for, by parameters that have their values in place of their names;
    `profile` adds a counting build.
    `alias` says what C does where arguments overlap: auto, check, stop or refuse.
    `storage_place` is where the design says `storage`.
    """

    storage: str = "auto"
    storage_place: SourceLocation | None = field(default=None, compare=False)
    stack_kib: int = 64
    tiled: bool = False
    order: str = "auto"
    objective: str = "speed"
    extra_cells: int = 35
    sizes: tuple[Mapping[str, int], ...] = ()
    choice: Mapping[str, HostChoice] = field(default_factory=dict)
    tile: str | Mapping[str, HostTile] = "auto"
    jams: bool = True
    machine: HostMachine = field(default_factory=lambda: HostMachine())
    inputs: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    versions: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    profile: bool = False
    alias: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a plan, or of one array of it; None where nothing is asked.

    `standing` is optimal or modular. `places` are those of the keys, by their last name.
    """

    cells: int | None = None
    words: int | None = None
    bits: int | None = None
    blocks: int | None = None
    cycles: int | None = None
    standing: str | None = None
    places: Mapping[str, SourceLocation] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOptions:
    """The `limits` key: of the whole plan, and of arrays by name."""

    whole: Limits = Limits()
    arrays: Mapping[str, Limits] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """The `source` key: whether the user's text comes back with the storage, with pragmas of which
    dialect (auto: the user's), with lines of a row each or as few words as the plan has (`lines`:
    auto, rows or ring)."""

    is_written: bool = True
    dialect: str = "auto"
    lines: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Design:
    """Everything read from a design: the input, the options, the files and the overrides.

    `file` names the design.yaml in `sources`; `overrides` are the --param and --set
    arguments that were applied to it, as KEY=VALUE texts. `build` says what is made beside the
    memories (auto, whole or memories), `modules` are those of the user in its datapath.
    `macros_as_parameters` says that macros of the kernel were made parameters where that can be
    read; the design with their `numbers` is for where that cannot be analysed.
    """

    file: str
    input: Program | ConflictInput
    plan: PlanOptions = PlanOptions()
    pipeline: PipelineOptions = PipelineOptions()
    target: TargetOptions = TargetOptions()
    host: HostOptions = HostOptions()
    limits: LimitOptions = LimitOptions()
    build: str = "memories"
    modules: tuple[ForeignModule, ...] = ()
    source: SourceOptions = SourceOptions()
    sources: tuple[SourceFile, ...] = ()
    overrides: tuple[str, ...] = ()
    macros_as_parameters: bool = field(default=False, compare=False)
    numbers: Design | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Design {self.input.name} of {self.file}>"

    @property
    def program(self) -> Program | None:
        """Its program; None where it is a conflict set."""
        return self.input if isinstance(self.input, Program) else None

    @property
    def kernel(self) -> Kernel | None:
        """The kernel in C of its program; None where it has none."""
        return None if self.program is None else self.program.kernel
