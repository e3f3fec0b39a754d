"""Naive models of the library's modules, one class a module, cycle by cycle.

A model draws the inputs of the next cycle (`inputs`), tells the outputs those give before the
clock edge (`outputs`; None: not promised) and takes the edge (`tick`). They know the promises of
rtl/README.md and nothing of the Verilog. They run inside the simulator: plain Python only.
"""

from __future__ import annotations

from random import Random
from typing import Any

Values = dict[str, int]
Promised = dict[str, int | None]


class Model:
    """Parameters of one instance, a random source of its own, and the cycle reached."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        self.parameters = parameters
        self.random = random
        self.cycle = 0

    def word(self, bits: int) -> int:
        return self.random.getrandbits(bits)

    def often(self, share: float) -> int:
        return int(self.random.random() < share)

    @property
    def pace(self) -> float:
        """How eager the other side is: phases without stalls, with many, with few."""
        return (1.0, 0.3, 0.8)[self.cycle // 60 % 3]


class Ram(Model):
    """A dict of cells; the latch and the output register each with its own enable."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.cells: dict[int, int] = {}
        self.latch: int | None = None
        self.out: int | None = None

    def inputs(self) -> Values:
        depth = self.parameters["DEPTH"]
        values = {
            "w_en": self.often(0.5),
            "w_addr": self.random.randrange(depth),
            "w_data": self.word(self.parameters["WIDTH"]),
            "r_en": self.often(0.6),
            "r_addr": self.random.randrange(depth),
            "o_en": self.often(0.7),
        }
        collision = values["w_addr"] == values["r_addr"] and values["w_en"]
        if collision and not self.parameters["COLLISION"]:
            values["r_en"] = 0
        return values

    def outputs(self, _: Values) -> Promised:
        return {"r_data": self.out if self.parameters["OUTREG"] else self.latch}

    def tick(self, values: Values) -> None:
        if values["o_en"]:
            self.out = self.latch
        if values["r_en"]:
            self.latch = self.cells.get(values["r_addr"])
        if values["w_en"]:
            self.cells[values["w_addr"]] = values["w_data"]


class Register(Model):
    """One cell; a latch and an output register a reader, each with its own enable."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.value: int | None = None
        self.latches: list[int | None] = [None] * parameters["READERS"]
        self.outs = list(self.latches)

    def enables(self, share: float) -> int:
        return sum(self.often(share) << k for k in range(self.parameters["READERS"]))

    def inputs(self) -> Values:
        return {
            "w_en": self.often(0.5),
            "w_data": self.word(self.parameters["WIDTH"]),
            "r_en": self.enables(0.6),
            "o_en": self.enables(0.7),
        }

    def outputs(self, _: Values) -> Promised:
        shown = self.outs if self.parameters["OUTREG"] else self.latches
        if None in shown:
            return {"r_data": None}
        width = self.parameters["WIDTH"]
        return {"r_data": sum((one or 0) << k * width for k, one in enumerate(shown))}

    def tick(self, values: Values) -> None:
        for k in range(self.parameters["READERS"]):
            if values["o_en"] >> k & 1:
                self.outs[k] = self.latches[k]
            if values["r_en"] >> k & 1:
                self.latches[k] = self.value
        if values["w_en"]:
            self.value = values["w_data"]


class Skid(Model):
    """A list of (cycle its data comes, side, data); data is given in that one cycle only."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.beats: list[tuple[int, int, int]] = []

    def room(self) -> int:
        return int(len(self.beats) < self.parameters["LATENCY"] + 1)

    def inputs(self) -> Values:
        values = {
            "rst": int(self.cycle < 2 or self.cycle == 100),
            "issue": self.room() & self.often(0.9),
            "issue_side": self.word(self.parameters["SIDE"]),
            "data": self.word(self.parameters["WIDTH"]),
            "tready": self.often(self.pace),
        }
        for when, _, data in self.beats:
            if when == self.cycle:
                values["data"] = data
        return values

    def outputs(self, values: Values) -> Promised:
        if values["rst"]:
            return {}
        there = bool(self.beats) and self.beats[0][0] <= self.cycle
        return {
            "room": self.room(),
            "tvalid": int(there),
            "tdata": self.beats[0][2] if there else None,
            "tside": self.beats[0][1] if there else None,
        }

    def tick(self, values: Values) -> None:
        if values["rst"]:
            self.beats = []
        else:
            if self.outputs(values)["tvalid"] and values["tready"]:
                self.beats.pop(0)
            if values["issue"]:
                due = self.cycle + self.parameters["LATENCY"]
                data = self.word(self.parameters["WIDTH"])
                self.beats.append((due, values["issue_side"], data))
        self.cycle += 1


class OutputRegister(Model):
    """[stage, side, data] of every beat: stages up to LATENCY are in the RAM, one more is held."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.end = parameters["LATENCY"]
        self.beats: list[list[int]] = []

    def room(self) -> int:
        return int(len(self.beats) < self.end + 1)

    def at(self, stage: int) -> list[int] | None:
        return next((beat for beat in self.beats if beat[0] == stage), None)

    def inputs(self) -> Values:
        ready = self.at(self.end)
        return {
            "rst": int(self.cycle < 2 or self.cycle == 100),
            "issue": self.room() & self.often(0.8),
            "issue_side": self.word(self.parameters["SIDE"]),
            "data": ready[2] if ready else self.word(self.parameters["WIDTH"]),
            "tready": self.often(self.pace),
        }

    def outputs(self, values: Values) -> Promised:
        if values["rst"]:
            return {}
        there = bool(self.beats) and self.beats[0][0] >= self.end
        goes = there and values["tready"] and self.beats[0][0] == self.end
        free = values["issue"] or goes or self.at(2) is None
        return {
            "room": self.room(),
            "tvalid": int(there),
            "tdata": self.beats[0][2] if there else None,
            "tside": self.beats[0][1] if there else None,
            "move": int(self.end == 2 and self.at(1) is not None and bool(free)),
        }

    def tick(self, values: Values) -> None:
        self.cycle += 1
        if values["rst"]:
            self.beats = []
            return
        promised = self.outputs(values)
        if promised["tvalid"] and values["tready"]:
            self.beats.pop(0)
        if promised["move"] or (self.end == 1 and values["issue"]):
            for beat in self.beats:
                beat[0] += 1
        if values["issue"]:
            self.beats.append([1, values["issue_side"], self.word(self.parameters["WIDTH"])])


class Wrap(Model):
    """One number and `%`."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.value: int | None = None

    def inputs(self) -> Values:
        first = self.value is None
        return {
            "load": 1 if first else self.often(0.03),
            "load_value": self.random.randrange(self.parameters["MODULUS"]),
            "step": self.often(0.8),
        }

    def following(self) -> int | None:
        if self.value is None:
            return None
        return (self.value + self.parameters["STEP"]) % self.parameters["MODULUS"]

    def outputs(self, _: Values) -> Promised:
        return {"value": self.value, "next": self.following()}

    def tick(self, values: Values) -> None:
        if values["load"]:
            self.value = values["load_value"]
        elif values["step"]:
            self.value = self.following()


class Multiply(Model):
    """Python's product of numbers of two's complement, two enabled edges later."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.factors: tuple[int, int] | None = None
        self.product: int | None = None

    def inputs(self) -> Values:
        a, b = (self.factor(self.parameters[name]) for name in ("A_BITS", "B_BITS"))
        return {"ce": self.often(0.8), "a": a, "b": b}

    def factor(self, bits: int) -> int:
        ends = (0, 1, (1 << bits) - 1, 1 << (bits - 1))
        return self.random.choice(ends) if self.often(0.3) else self.random.getrandbits(bits)

    def outputs(self, _: Values) -> Promised:
        return {"q": self.product}

    def number(self, pattern: int, bits: int) -> int:
        is_negative = self.parameters["SIGNED"] and pattern >> (bits - 1)
        return pattern - (1 << bits) if is_negative else pattern

    def tick(self, values: Values) -> None:
        self.cycle += 1
        if not values["ce"]:
            return
        self.product = None
        if self.factors is not None:
            a, b = self.factors
            self.product = a * b % (1 << self.parameters["Q_BITS"])
        sizes = (self.parameters["A_BITS"], self.parameters["B_BITS"])
        self.factors = (self.number(values["a"], sizes[0]), self.number(values["b"], sizes[1]))


class Gate(Model):
    """Tuples of integers, compared as Python compares tuples. WIDTHS, SIGNED: per component."""

    def inputs(self) -> Values:
        mine, theirs = self.vector(), self.vector()
        if self.often(0.5):  # equal leading components, so that later ones decide
            kept = self.random.randrange(len(mine) + 1)
            theirs = mine[:kept] + theirs[kept:]
        return {
            "time_vector": self.packed(mine),
            "progress": self.packed(theirs),
            "done": self.often(0.1),
        }

    def vector(self) -> tuple[int, ...]:
        return tuple(self.component(*kind) for kind in self.kinds())

    def kinds(self) -> list[tuple[int, bool]]:
        return list(zip(self.parameters["WIDTHS"], self.parameters["SIGNED"], strict=True))

    def component(self, width: int, signed: bool) -> int:
        low = -(1 << (width - 1)) if signed else 0
        high = low + (1 << width) - 1
        corner = self.random.choice((low, high, 0, max(low, -1)))
        return corner if self.often(0.3) else self.random.randint(low, high)

    def packed(self, vector: tuple[int, ...]) -> int:
        word = 0
        for value, (width, _) in zip(vector, self.kinds(), strict=True):
            word = word << width | value & (1 << width) - 1
        return word

    def unpacked(self, word: int) -> tuple[int, ...]:
        vector: list[int] = []
        for width, signed in reversed(self.kinds()):
            value = word & (1 << width) - 1
            word >>= width
            vector.insert(0, value - (1 << width) if signed and value >> (width - 1) else value)
        return tuple(vector)

    def outputs(self, values: Values) -> Promised:
        before = self.unpacked(values["time_vector"]) < self.unpacked(values["progress"])
        return {"open": int(bool(values["done"] or before))}

    def tick(self, _: Values) -> None:
        pass


class GateCount(Model):
    """An unbounded integer, kept within what WIDTH bits hold by the inputs drawn."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.count: int | None = None

    def inputs(self) -> Values:
        half = 1 << (self.parameters["WIDTH"] - 1)
        count = self.parameters["START"] if self.count is None else self.count
        rising = self.cycle // 40 % 2 == 0
        return {
            "rst": int(self.cycle == 0),
            "load": self.often(0.01),
            "up": self.often(0.7 if rising else 0.3) if count < half - 1 else 0,
            "down": self.often(0.3 if rising else 0.7) if count > 2 - half else 0,
            "done": self.often(0.05),
        }

    def outputs(self, values: Values) -> Promised:
        if self.count is None:
            return {}
        counted = self.count + (values["up"] if self.parameters["BYPASS"] else 0)
        return {"open": int(bool(values["done"]) or counted > 0)}

    def tick(self, values: Values) -> None:
        if values["rst"] or values["load"]:
            self.count = self.parameters["START"]
        elif self.count is not None:
            self.count += values["up"] - values["down"]
        self.cycle += 1


class Fifo(Model):
    """A list of words, and behind it the places of the latch and of the output register."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.depth = parameters["DEPTH"]
        self.words: list[int] = []
        self.places: list[int | None] = [None] * (1 + parameters.get("OUTREG", 0))
        self.beats, self.sent = parameters.get("BEATS", 0), 0

    def inputs(self) -> Values:
        fill = self.cycle // 60 % 4 == 1  # a phase that fills it to the brim
        return {
            "rst": int(self.cycle < 2 or self.cycle == 200),
            "s_tdata": self.word(self.parameters["WIDTH"]),
            "s_tvalid": self.often(0.95 if fill else 0.7),
            "m_tready": 0 if fill else self.often(self.pace),
        }

    def outputs(self, values: Values) -> Promised:
        if values["rst"]:
            return {}
        last = self.places[-1]
        behind = any(place is not None for place in self.places[:-1]) or bool(self.words)
        return {
            "s_tready": int(len(self.words) < self.depth),
            "s_last": int(self.sent + 1 == self.beats)
            if not self.beats or self.sent < self.beats
            else None,
            "m_tvalid": int(last is not None),
            "m_tdata": last,
            "m_only": int(not behind),
        }

    def tick(self, values: Values) -> None:
        promised = self.outputs(values)
        if values["rst"]:
            self.words, self.places, self.sent = [], [None] * len(self.places), 0
        else:
            if values["m_tready"]:
                self.places[-1] = None
            for place in range(len(self.places) - 1, 0, -1):
                if self.places[place] is None:
                    self.places[place], self.places[place - 1] = self.places[place - 1], None
            if self.places[0] is None and self.words:
                self.places[0] = self.words.pop(0)
            if values["s_tvalid"] and promised["s_tready"]:
                self.sent += 1
                self.words.append(values["s_tdata"])
        self.cycle += 1


class Delay(Model):
    """The beats so far: out comes the one DEPTH - 1 beats before the last."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.beats: list[int] = []

    def inputs(self) -> Values:
        return {
            "rst": int(self.cycle < 2),
            "en": self.often(self.pace),
            "d": self.word(self.parameters["WIDTH"]),
        }

    def outputs(self, values: Values) -> Promised:
        if values["rst"]:
            return {}
        depth = self.parameters["DEPTH"]
        return {"q": self.beats[-depth] if len(self.beats) >= depth else None}

    def tick(self, values: Values) -> None:
        if values["en"] and not values["rst"]:
            self.beats.append(values["d"])
        self.cycle += 1


class Rotator(Model):
    """[stage, side, turn, words] of every beat: with data at stage 1 + LATENCY, 4 at the end."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.beats: list[list[Any]] = []

    def moves(self, tready: int) -> int:
        return int(not self.beats or self.beats[0][0] < 4 or bool(tready))

    def inputs(self) -> Values:
        lanes, width = self.parameters["LANES"], self.parameters["WIDTH"]
        tready = self.often(self.pace)
        ready = next((b for b in self.beats if b[0] == 1 + self.parameters["LATENCY"]), None)
        words = ready[3] if ready else [self.word(width) for _ in range(lanes)]
        return {
            "rst": int(self.cycle < 2 or self.cycle == 100),
            "issue": self.moves(tready) & self.often(0.8),
            "issue_side": self.word(self.parameters["SIDE"]),
            "issue_turn": self.random.randrange(lanes),
            "data": sum(word << (i * width) for i, word in enumerate(words)),
            "tready": tready,
        }

    def outputs(self, values: Values) -> Promised:
        if values["rst"]:
            return {}
        there = bool(self.beats) and self.beats[0][0] == 4
        promised: Promised = {"room": self.moves(values["tready"]), "tvalid": int(there)}
        if there:
            _, side, turn, words = self.beats[0]
            turned = words[turn:] + words[:turn]
            width = self.parameters["WIDTH"]
            promised["tdata"] = sum(word << (i * width) for i, word in enumerate(turned))
            promised["tside"] = side
        return promised

    def tick(self, values: Values) -> None:
        self.cycle += 1
        if values["rst"]:
            self.beats = []
            return
        if not self.moves(values["tready"]):
            return
        self.beats = [beat for beat in self.beats if beat[0] < 4]
        for beat in self.beats:
            beat[0] += 1
        if values["issue"]:
            words = [self.word(self.parameters["WIDTH"]) for _ in range(self.parameters["LANES"])]
            self.beats.append([1, values["issue_side"], values["issue_turn"], words])


class Tags(Model):
    """A dict from cells to tags."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.tags: dict[int, int] = {}
        self.foreign: int | None = 0

    def inputs(self) -> Values:
        cell = self.random.randrange(self.parameters["DEPTH"])
        expected = self.word(self.parameters["WIDTH"])
        if self.often(0.6):
            expected = self.tags.get(cell, expected)
        return {
            "w_en": self.often(0.4),
            "w_addr": self.random.randrange(self.parameters["DEPTH"]),
            "w_tag": self.word(self.parameters["WIDTH"]),
            "r_en": self.often(0.7),
            "r_addr": cell,
            "r_tag": expected,
        }

    def outputs(self, _: Values) -> Promised:
        return {"foreign": self.foreign}

    def tick(self, values: Values) -> None:
        met = self.tags.get(values["r_addr"])
        self.foreign = int(bool(values["r_en"]) and met != values["r_tag"])
        if values["w_en"]:
            self.tags[values["w_addr"]] = values["w_tag"]


class Branch(Model):
    """A list of beats, DEPTH of them at most; a full one takes a beat as another goes out."""

    def __init__(self, parameters: dict[str, Any], random: Random) -> None:
        super().__init__(parameters, random)
        self.beats: list[tuple[int, int]] = []  # with tlast

    def inputs(self) -> Values:
        """Behind the last beat of a run none comes until that has left."""
        ended = any(last for _, last in self.beats)
        return {
            "rst": int(self.cycle < 2 or self.cycle == 100),
            "s_tdata": self.word(self.parameters["WIDTH"]),
            "s_tlast": self.often(0.1),
            "s_tvalid": 0 if ended else self.often(0.8),
            "m_tready": self.often(self.pace),
        }

    def outputs(self, values: Values) -> Promised:
        if values["rst"]:
            return {}
        full = len(self.beats) == self.parameters["DEPTH"]
        return {
            "s_tready": int(not full or bool(values["m_tready"])),
            "m_tvalid": int(bool(self.beats)),
            "m_tdata": self.beats[0][0] if self.beats else None,
            "m_tlast": self.beats[0][1] if self.beats else None,
        }

    def tick(self, values: Values) -> None:
        if values["rst"]:
            self.beats = []
        else:
            taken = self.outputs(values)["s_tready"] and values["s_tvalid"]
            if self.beats and values["m_tready"]:
                self.beats.pop(0)
            if taken:
                self.beats.append((values["s_tdata"], values["s_tlast"]))
        self.cycle += 1


MODELS: dict[str, type[Any]] = {
    "hlsmem_ram": Ram,
    "hlsmem_ram_output": Ram,
    "hlsmem_register": Register,
    "hlsmem_skid": Skid,
    "hlsmem_output_register": OutputRegister,
    "hlsmem_wrap": Wrap,
    "hlsmem_multiply": Multiply,
    "hlsmem_gate": Gate,
    "hlsmem_gate_count": GateCount,
    "hlsmem_branch": Branch,
    "hlsmem_fifo": Fifo,
    "hlsmem_delay": Delay,
    "hlsmem_rotator": Rotator,
    "hlsmem_tags": Tags,
}
