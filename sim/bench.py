"""Drives the streams of any generated memory and checks every beat that comes out.

HLSMEM_VECTORS names a JSON file with the streams and their beats, the statements whose datapath
is played, and the runs (stalls, seed, latency). The top is a frame around the generated one with
all handshakes in four vectors. What happened goes to HLSMEM_RESULTS, run by run; a run that makes
no progress is stopped and its open streams are named.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from datapath import Pipeline, Source, pipelines_of

PORTS = ("start", "mark", "busy", "s_tvalid", "s_tready", "m_tvalid", "m_tready", "tdone")
# How often start is high in a run with stalls.
START_AGAIN = 0.25
OTHER_SEEDS = 100  # of runs that a reset breaks off
QUIET = 6  # cycles in which nothing moves any more while one side holds back
BURSTS = (1, 1, 1, 2, 4, 12)  # cycles of a stall
# Ready passes from chain to chain in a cycle, a step each: all of them within the low phase.
PERIOD_NS = 1000
SETTLE = Timer(2, "ns")


class Fault(Exception):
    """What the memory did wrong: a record for the results file."""

    def __init__(self, **record: Any) -> None:
        super().__init__(record["what"])
        self.record = record


@cocotb.test()
async def drive(dut: Any) -> None:
    vectors = json.loads(Path(os.environ["HLSMEM_VECTORS"]).read_text())
    results: list[dict[str, Any]] = []
    Clock(dut.clk, PERIOD_NS, "ns", impl="gpi").start(start_high=False)
    setting = vectors["setting"]
    await reset(dut, setting)
    try:
        for place, run in enumerate(vectors["runs"]):
            if setting and place:  # every run begins with the first state
                await reset(dut, setting)
            for number, beats in enumerate(run["resets"]):
                bench = Bench(dut, vectors, {**run, "seed": OTHER_SEEDS + number})
                results.append(bench.record | {"partial": True})
                await bench.break_off(beats)
            for frame in range(run["frames"]):
                bench = Bench(dut, vectors, run, frame)
                results.append(bench.record)
                await bench.run(frame, run["frames"])
    except Fault as fault:
        results[-1]["fault"] = fault.record
        raise
    finally:
        Path(os.environ["HLSMEM_RESULTS"]).write_text(json.dumps(results))


async def reset(dut: Any, setting: int, *, forget: bool = False) -> None:
    """Three cycles of reset, and those in which state is set; with `forget` what the log has of the
    run counts for nothing."""
    dut.rst.value = 1
    for port in (dut.start, dut.s_tvalid, dut.m_tready):
        port.value = 0
    dut.mark.value = int(forget)
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    dut.mark.value = 0
    for _ in range(setting):
        await FallingEdge(dut.clk)


class Bench:
    """One run: the streams' progress, the datapath, and the handshakes of the current cycle."""

    def __init__(
        self, dut: Any, vectors: dict[str, Any], run: dict[str, Any], frame: int = 0
    ) -> None:
        self.low = FallingEdge(dut.clk)
        self.dut = dut
        self.streams = vectors["streams"]
        if frame and vectors["later"]:  # what state left makes other values
            words = vectors["later"][frame - 1]
            self.streams = [
                {**one, "beats": own} for one, own in zip(self.streams, words, strict=True)
            ]
        self.setting = vectors["setting"]
        self.whole = vectors["whole"]  # else the beats are the first ones of a longer run
        self.stall = run["stall"]
        self.random = Random(run["seed"])
        self.again = Random(run["seed"])
        self.stalled: dict[object, int] = {}  # until which cycle a side does not go on
        self.passes_through = vectors["passes_through"]  # ready reaches an input's ready
        self.wired = set(vectors["wired"])  # outputs that show an input of the same cycle
        self.holding: dict[int, float] = dict(run["holds"])  # stream -> share of beats held back
        self.held: dict[int, tuple[int, bool]] = {}  # stream -> beat, and whether it is held
        self.now = 0
        self.patience = vectors["patience"] * (20 if self.stall or run["holds"] else 1)
        self.record: dict[str, Any] = {
            "name": run["name"],
            "frame": frame,
            "cycles": None,
            "fault": None,
        }
        self.passed = [0] * len(self.streams)  # beats that went over each stream
        statements = [] if run["eager"] else vectors["statements"]
        self.pipelines = pipelines_of(statements, run["latency"])
        ports = [ports for pipeline in self.pipelines for ports in set(pipeline.instances)]
        driven = {write for one in ports for write in one.writes}
        taken = {read for one in ports for read in one.reads}
        inputs = [i for i, s in enumerate(self.streams) if s["direction"] == "s"]
        outputs = [i for i, s in enumerate(self.streams) if s["direction"] == "m"]
        self.sources = [Source(i, len(self.streams[i]["beats"])) for i in inputs if i not in driven]
        self.early = [source for source in self.sources if self.streams[source.stream]["early"]]
        self.free = [i for i in outputs if i not in taken]  # read by nobody's datapath: drains
        self.inputs, self.outputs = inputs, outputs
        self.beats = [getattr(dut, f"{s['direction']}{i}_beat") for i, s in enumerate(self.streams)]
        self.ports = {port: getattr(dut, port) for port in PORTS}
        self.shown: dict[int, int] = {}  # the beat last put on each input
        self.driven_valid = self.driven_ready = -1
        # Streams whose last beat is told by a wire: it is not known before.
        self.told = [i for i, s in enumerate(self.streams) if s["skips"]]
        self.still = 0  # cycles without any handshake
        self.cycle = -1

    async def run(self, frame: int = 0, frames: int = 1) -> None:
        """Fill, start, and go on until busy falls; without stalls the fill is complete first.

        Of several `frames` each but the last ends with start high, and the next begins at once.
        """
        if frame == 0:
            await self.fill()
        await self.start(hold=frame < frames - 1, behind=frame > 0)
        if not self.whole:
            await self.run_beginning()
            return
        while self.sampled("busy"):
            self.cycle += 1
            if frames == 1:
                self.start_again()
            await self.step(running=True)
        self.record["cycles"] = self.cycle + 1
        if frame < frames - 1:
            self.demand_all_gone()
            return
        self.ports["start"].value = 0
        await self.finish()

    async def break_off(self, beats: int) -> None:
        """Go on until so many beats have gone over all streams together, then reset."""
        await self.fill(beats)
        if sum(self.passed) < beats:
            await self.start()
        while sum(self.passed) < beats and self.sampled("busy"):
            self.cycle += 1
            self.start_again()
            await self.step(running=True)
        await reset(self.dut, self.setting, forget=True)

    async def fill(self, most: int | None = None) -> None:
        """What comes before start: all of it without stalls, else some; at most so many beats."""
        begin = self.random.randrange(50) if self.stall else None
        while self.early and not all(source.done for source in self.early) and begin != 0:
            if most is not None and sum(self.passed) >= most:
                return
            await self.step(running=False)
            begin = None if begin is None else begin - 1

    async def run_beginning(self) -> None:
        """Go on until every beat there is has gone, while busy stays high; then reset."""
        while not all(self.is_done(stream) for stream in range(len(self.streams))):
            if not self.sampled("busy"):
                raise Fault(what="busy falls too early", cycle=self.cycle, blocked=self.blocked())
            self.cycle += 1
            self.start_again()
            await self.step(running=True)
        self.ports["start"].value = 0
        self.record["cycles"] = self.cycle + 1
        await reset(self.dut, self.setting)  # first: what was read ahead belongs to this run
        await self.mark()

    async def start(self, *, hold: bool = False, behind: bool = False) -> None:
        """A pulse of start, or more with `hold`; ends in the middle of the first cycle with busy.

        `behind` another frame this cycle is the first since busy fell, and start is high already:
        the log has its mark here.
        """
        if self.sampled("busy"):
            raise Fault(what="busy is high before start", cycle=-1)
        self.ports["start"].value = 1
        self.ports["mark"].value = int(behind)
        await self.step(running=False)
        self.ports["mark"].value = 0
        self.ports["start"].value = int(hold)
        if not self.sampled("busy"):
            raise Fault(what="busy does not rise after start", cycle=-1)

    def start_again(self) -> None:
        """While busy, start does nothing; with stalls it is high now and then."""
        if self.stall:
            self.ports["start"].value = int(self.again.random() < START_AGAIN)

    async def step(self, *, running: bool) -> None:
        """One cycle, from the middle of its low phase: offer, see what is accepted, take."""
        self.now += 1
        there = self.valid() - self.wired
        offered = self.offer(there, running)
        while self.wired:  # what is offered shows itself, and with it more may be offered
            await SETTLE
            if self.valid() == there:
                break
            there = self.valid()
            offered = self.offer(there, running)
        for stream in there:
            self.check(stream)
        if running:
            self.check_done()
        willing = self.willing(there, running)
        await SETTLE
        accepted = self.accepted(offered)
        while self.passes_through and self.show_ready(self.would_take(accepted, willing)):
            await SETTLE
            accepted = self.accepted(offered)
        taken = self.take(accepted, willing, running)
        await self.low
        for stream in accepted | taken:
            self.passed[stream] += 1
        self.still = 0 if accepted or taken else self.still + 1
        if self.still > self.patience:
            raise Fault(what="no progress", cycle=self.cycle, blocked=self.blocked())

    def valid(self) -> set[int]:
        """The outputs that show a beat."""
        valid = self.sampled("m_tvalid")
        return {i for n, i in enumerate(self.outputs) if valid >> n & 1}

    def offer(self, there: set[int], running: bool) -> set[int]:
        """Put this cycle's beats on the inputs. Once offered, a beat stays until accepted."""
        wanted: list[int] = []
        for source in self.sources:
            if running or source in self.early:
                wanted += source.offer()
        if running:
            for pipeline in self.pipelines:
                wanted += pipeline.offer(there)
        offered = {stream for stream in wanted if self.is_shown(stream) or self.goes(stream)}
        for stream in offered:
            beat = self.passed[stream]
            if self.shown.get(stream) != beat:
                self.shown[stream] = beat
                record = self.streams[stream]
                last = int(beat == record["total"] - 1)
                users = record["users"]  # of a guarded write: whether its instance runs
                above = last if users is None else users[beat] | last << 1
                self.beats[stream].value = record["beats"][beat] | above << record["bits"]
        valid = sum(1 << n for n, i in enumerate(self.inputs) if i in offered)
        if valid != self.driven_valid:
            self.driven_valid = valid
            self.ports["s_tvalid"].value = valid
        return offered

    def accepted(self, offered: set[int]) -> set[int]:
        ready = self.sampled("s_tready")
        return {i for n, i in enumerate(self.inputs) if i in offered and ready >> n & 1}

    def willing(self, there: set[int], running: bool) -> set[object]:
        """The pipelines whose input goes on in this cycle, and the drains with a beat."""
        if not running:
            return set()
        found: set[object] = {pipeline for pipeline in self.pipelines if self.goes(pipeline)}
        drains = (stream for stream in self.free if stream in there and not self.is_done(stream))
        return found | {stream for stream in drains if self.goes(stream)}

    def would_take(self, accepted: set[int], willing: set[object]) -> set[int]:
        """The outputs that are taken if these inputs are accepted: more if more are."""
        taken = {stream for stream in self.free if stream in willing}
        for pipeline in self.pipelines:
            if pipeline in willing:
                taken.update(pipeline.would_take(accepted))
        return taken

    def take(self, accepted: set[int], willing: set[object], running: bool) -> set[int]:
        """Set ready for the beats that are taken in this cycle, and tell which."""
        taken: set[int] = set()
        for source in self.sources:
            source.accept(accepted)
        if running:
            for pipeline in self.pipelines:
                mine = accepted & self.writes_at_end(pipeline)
                taken.update(pipeline.accept(mine, may_take=pipeline in willing))
            taken.update(stream for stream in self.free if stream in willing)
        self.show_ready(taken)
        return taken

    def show_ready(self, taken: set[int]) -> bool:
        """Set ready of the outputs; whether that changed anything."""
        ready = sum(1 << n for n, i in enumerate(self.outputs) if i in taken)
        if ready == self.driven_ready:
            return False
        self.driven_ready = ready
        self.ports["m_tready"].value = ready
        return True

    def writes_at_end(self, pipeline: Pipeline) -> set[int]:
        return set(pipeline.instances[pipeline.at_end].writes) if pipeline.at_end >= 0 else set()

    def is_shown(self, stream: int) -> bool:
        """Whether the next beat of an input is offered already and was not accepted."""
        return self.shown.get(stream) == self.passed[stream]

    def goes(self, side: object) -> bool:
        """Whether a source or a sink goes on in this cycle; stalls come singly and in bursts."""
        if isinstance(side, int) and self.is_held(side):
            return self.still >= QUIET
        if not self.stall:
            return True
        if self.now < self.stalled.get(side, 0):
            return False
        if self.random.random() >= self.stall:
            return True
        self.stalled[side] = self.now + self.random.choice(BURSTS)
        return False

    def is_held(self, stream: int) -> bool:
        """Whether the next beat of a stream waits until nothing else can go on."""
        if stream not in self.holding:
            return False
        beat, held = self.held.get(stream, (-1, False))
        if beat != self.passed[stream]:
            held = self.random.random() < self.holding[stream]
            self.held[stream] = (self.passed[stream], held)
        return held

    def check(self, stream: int) -> None:
        """Compare what an output shows with its next beat, whether it is taken or not."""
        record, beat = self.streams[stream], self.passed[stream]
        if beat == len(record["beats"]) < record["total"]:
            return  # what comes behind the beginning is not looked at, and not taken
        if beat >= len(record["beats"]):
            raise Fault(what="a beat too many", stream=stream, beat=beat, cycle=self.cycle)
        text = str(self.beats[stream].value)
        width, users = record["bits"], record["users"]
        last, user, data = text[0], text[1 : len(text) - width], text[len(text) - width :]
        wanted = record["beats"][beat]
        if record["masks"] is None:
            right = number(data) == wanted
        else:
            mask = record["masks"][beat]
            kept = "".join(d if mask >> (width - 1 - n) & 1 else "0" for n, d in enumerate(data))
            right = number(kept) == wanted
        place = {"stream": stream, "beat": beat, "cycle": self.cycle}
        if not right:
            raise Fault(what="data", seen=data, wanted=wanted, **place)
        is_last = beat == record["total"] - 1 and not record["skips"]
        if last != str(int(is_last)):
            raise Fault(what="tlast", seen=last, **place)
        if users is not None and number(user) != users[beat]:
            raise Fault(what="tuser", seen=user, wanted=users[beat], **place)

    async def finish(self) -> None:
        """Busy has fallen: no beat comes any more."""
        self.demand_all_gone()
        for _ in range(4):
            await self.step(running=False)
        if self.sampled("busy"):
            raise Fault(what="busy rises without start", cycle=self.cycle)
        await self.mark()

    def check_done(self) -> None:
        """No stream says that it is done before its last beat has gone."""
        if not self.told:
            return
        done = self.sampled("tdone")
        for stream in self.told:
            if done >> stream & 1 and not self.is_done(stream):
                beat = self.passed[stream]
                raise Fault(what="done too early", stream=stream, beat=beat, cycle=self.cycle)

    def demand_all_gone(self) -> None:
        """Busy has fallen: every beat of every stream must have gone, and be told."""
        done = self.sampled("tdone") if self.told else 0
        for stream in self.told:
            if self.is_done(stream) and not done >> stream & 1:
                beat = self.passed[stream]
                raise Fault(what="not told as done", stream=stream, beat=beat, cycle=self.cycle)
        left = self.blocked()
        if left:
            raise Fault(what="busy falls too early", cycle=self.cycle, blocked=left)

    async def mark(self) -> None:
        """A line in the log behind the accesses of this run."""
        self.ports["mark"].value = 1
        await self.step(running=False)
        self.ports["mark"].value = 0

    def blocked(self) -> list[dict[str, int]]:
        return [
            {"stream": i, "beat": beats}
            for i, beats in enumerate(self.passed)
            if not self.is_done(i)
        ]

    def is_done(self, stream: int) -> bool:
        return self.passed[stream] >= len(self.streams[stream]["beats"])

    def sampled(self, port: str) -> int:
        """The value of a handshake vector of the frame; x there is a fault of its own."""
        text = str(self.ports[port].value)
        value = number(text)
        if value is None:
            raise Fault(what="unknown", port=port, seen=text, cycle=self.cycle)
        return value


def number(binary: str) -> int | None:
    """The value of a vector as cocotb prints it; None if a bit is unknown.

    Far cheaper than asking a LogicArray bit by bit whether it is resolvable.
    """
    try:
        return int(binary, 2)
    except ValueError:
        return None
