"""The arrows in order: design -> storage problems -> mappings -> placement -> plan -> files.

The only room that knows every step. All functions are pure; `cli` writes what they return.
"""

from hlsmem.pipeline.checks import run_checks
from hlsmem.pipeline.diff import Side, diff, side_of
from hlsmem.pipeline.hardware import plan_design, plan_hardware
from hlsmem.pipeline.host import with_host
from hlsmem.pipeline.limits import broken_limits
from hlsmem.pipeline.opening import design_of
from hlsmem.pipeline.output import output_files, played_files
from hlsmem.pipeline.private import cells_if_static
from hlsmem.pipeline.questions import compare_methods, explain_arrays, explain_design, lifetimes_of
from hlsmem.pipeline.runs import with_runs
from hlsmem.pipeline.storage import Planning, analyse, plan_storage
from hlsmem.pipeline.view import page_of_checked, plan_files, view_page
from hlsmem.pipeline.what_if import change_of, changes, figures, hint

__all__ = [
    "Planning",
    "Side",
    "analyse",
    "broken_limits",
    "cells_if_static",
    "change_of",
    "changes",
    "compare_methods",
    "design_of",
    "diff",
    "explain_arrays",
    "explain_design",
    "figures",
    "hint",
    "lifetimes_of",
    "output_files",
    "page_of_checked",
    "plan_design",
    "plan_files",
    "plan_hardware",
    "plan_storage",
    "played_files",
    "run_checks",
    "side_of",
    "view_page",
    "with_host",
    "with_runs",
]
