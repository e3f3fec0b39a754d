"""The files below OUT that have to do with Verilog: texts from views by templates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hlsmem.emit.verilog.buffer import BufferView, PortGroup, buffer_view, port_group
from hlsmem.gates.circuit import MemoryCircuit, circuits
from hlsmem.plan import Plan
from hlsmem.predict import Prediction, latencies, predict_circuits
from hlsmem.program import Program, SourceFile
from hlsmem.resources import resource_folder
from hlsmem.walk.model import bits_for

SIMULATION_FORMAT = "hlsmem-sim/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopView:
    design: str
    module: str
    arrays: str
    has_fill: bool
    buffers: tuple[BufferView, ...]
    streams: tuple[PortGroup, ...]


def emit_rtl(program: Program, plan: Plan) -> tuple[SourceFile, ...]:
    """rtl/*.v, rtl/files.f, rtl/README.md, <design>.core and sim/<design>.json of a plan.

    Empty where no array has a stream. Raises InputError where the streams cannot hold together.
    """
    memories = circuits(program, plan)
    if not memories:
        return ()
    prediction = predict_circuits(memories, latencies(program))
    return rtl_files(plan, memories, prediction)


def rtl_files(
    plan: Plan, memories: Sequence[MemoryCircuit], prediction: Prediction
) -> tuple[SourceFile, ...]:
    """The files of these circuits."""
    templates = _environment()
    buffers = tuple(buffer_view(plan.design, memory) for memory in memories)
    top = TopView(
        design=plan.design,
        module=f"{plan.design}_mem",
        arrays=", ".join(memory.array for memory in memories),
        has_fill=any(s.is_fill or s.is_drain for m in memories for s in m.streams),
        buffers=buffers,
        streams=tuple(port_group(m, s) for m in memories for s in m.streams),
    )
    modules = {top.module: templates.get_template("top.v.j2").render(top=top)}
    for buffer in buffers:
        text = templates.get_template("buffer.v.j2").render(buffer=buffer)
        modules[buffer.module] = text
        for walker in buffer.walkers:
            modules[walker.module] = templates.get_template("walker.v.j2").render(walker=walker)
    library = _library(modules.values())
    names = [f"{name}.v" for name in (*library, *reversed(modules))]
    beats = {s.name: s.beats for m in memories for s in m.streams}
    context = {"top": top, "tool": plan.tool, "files": names, "prediction": prediction}
    readme = templates.get_template("README.md.j2").render(beats=beats, **context)
    core = templates.get_template("core.j2").render(**context)
    files = [SourceFile(name=f"rtl/{name}.v", text=text) for name, text in modules.items()]
    files += [
        SourceFile(name=f"rtl/{name}.v", text=(resource_folder("rtl") / f"{name}.v").read_text())
        for name in library
    ]
    files += [
        SourceFile(name="rtl/files.f", text="".join(f"{name}\n" for name in names)),
        SourceFile(name="rtl/README.md", text=readme),
        SourceFile(name=f"{plan.design}.core", text=core),
        SourceFile(
            name=f"sim/{plan.design}.json",
            text=json.dumps(simulation_document(top, memories, prediction), indent=1) + "\n",
        ),
    ]
    return tuple(files)


def simulation_document(
    top: TopView, memories: Sequence[MemoryCircuit], prediction: Prediction
) -> dict[str, Any]:
    """What a bench must know of the top, as in docs/decisions/0003-elastic-buffers.md."""
    return {
        "format": SIMULATION_FORMAT,
        "top": top.module,
        "streams": [
            {
                "name": stream.name,
                "path": f"u_{memory.array}",
                "array": memory.array,
                "statement": stream.statement,
                "direction": "write" if stream.is_write else "read",
                "beats": stream.beats,
                "idle": stream.walker.idle,
                "bits": port_group(memory, stream).data_bits,
                "tuser": port_group(memory, stream).user_bits,
                "operands": [] if stream.is_write else [{"copy": o.copy} for o in stream.operands],
            }
            for memory in memories
            for stream in memory.streams
        ],
        "memories": [
            {
                "array": memory.array,
                "path": f"u_{memory.array}",
                "copies": memory.copies,
                "address_bits": 0 if memory.is_register else bits_for(0, memory.depth - 1),
                "base": memory.base,
            }
            for memory in memories
        ],
        "prediction": {
            "cycles": prediction.cycles,
            "interval": prediction.interval,
            "reason": prediction.reason,
        },
    }


# Library modules and what they use themselves.
_LIBRARY = ("hlsmem_ram", "hlsmem_register", "hlsmem_skid", "hlsmem_gate", "hlsmem_gate_count")


def _library(texts: Any) -> tuple[str, ...]:
    joined = "\n".join(texts)
    return tuple(name for name in _LIBRARY if f"    {name} #(" in joined)


def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(resource_folder("templates") / "rtl"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
