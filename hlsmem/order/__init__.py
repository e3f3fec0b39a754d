"""When things happen: events of both orders, the dataflow of a program, arrival of streams."""

from __future__ import annotations

from hlsmem.order.dataflow import Dataflow, dataflow
from hlsmem.order.events import LIVE_IN, LIVE_OUT, Events, events, full_events
from hlsmem.order.streams import with_streams

__all__ = [
    "LIVE_IN",
    "LIVE_OUT",
    "Dataflow",
    "Events",
    "dataflow",
    "events",
    "full_events",
    "with_streams",
]
