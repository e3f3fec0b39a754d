"""Siemens Catapult HLS; spellings as public sources have them, no page of the vendor was found."""

from __future__ import annotations

from hlsmem.read.c.dialect import Dialect

DIALECT = Dialect(
    name="catapult",
    page="public sources of Catapult users",
    marks=r"^[ \t]*#[ \t]*pragma[ \t]+hls_\w+|\bac_channel\b"
    r"|#[ \t]*include[ \t]*[<\"]ac_(?:int|fixed|channel)\.h",
    interval=r"# ?pragma hls_pipeline_init_interval (\d+)",
    pipeline="#pragma hls_pipeline_init_interval {interval}",
)
