"""When things happen: events of both orders, the dataflow of a program, arrival of streams."""

from __future__ import annotations

from hlsmem.order.arrangement import arranged, arranged_within, in_the_order_of_c
from hlsmem.order.dataflow import Dataflow, dataflow
from hlsmem.order.events import LIVE_IN, LIVE_OUT, Events, events, full_events
from hlsmem.order.legality import same_values
from hlsmem.order.serial import one_after_the_other
from hlsmem.order.streams import with_streams

__all__ = [
    "LIVE_IN",
    "LIVE_OUT",
    "Dataflow",
    "Events",
    "arranged",
    "arranged_within",
    "dataflow",
    "events",
    "full_events",
    "in_the_order_of_c",
    "one_after_the_other",
    "same_values",
    "with_streams",
]
