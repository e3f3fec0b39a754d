"""Classes of C constructs that the front end refuses, each with a remedy.

Source of the classes: Doerfert, Hammacher, Streit, Hack, "SPolly: Speculative Optimizations
in the Polyhedral Model" (IMPACT 2013), table 1.
"""

from __future__ import annotations

from enum import Enum


class Refusal(Enum):
    """A class of constructs outside static control."""

    NON_AFFINE_EXPRESSION = "non-affine expression"
    ALIASING = "aliasing"
    NON_AFFINE_BOUND = "non-affine bound"
    FUNCTION_CALL = "function call"
    LOOP_VARIABLE = "non-canonical loop variable"
    CONTROL_FLOW = "complex control flow"
    UNSIGNED_WRAP = "unsigned wrap-around"
    OTHER = "not supported"

    @property
    def remedy(self) -> str:
        """The remedy where no more precise one is known."""
        return _REMEDIES[self]


_REMEDIES = {
    Refusal.NON_AFFINE_EXPRESSION: (
        "use sums of loop variables and params with constant factors, or move it out of the region"
    ),
    Refusal.ALIASING: "declare the pointers restrict, or as arrays with their extents",
    Refusal.NON_AFFINE_BOUND: (
        "bound the loop by outer loop variables and params with constant factors"
    ),
    Refusal.FUNCTION_CALL: (
        "write its body in place, or move the call out of the region; functions of math.h, "
        "and static ones that only compute a number from numbers, are accepted"
    ),
    Refusal.LOOP_VARIABLE: (
        "write for (int i = first; i < end; i += step) with a constant step, "
        "and leave the variable alone in the body"
    ),
    Refusal.CONTROL_FLOW: "use only for, if and assignments in the region",
    Refusal.UNSIGNED_WRAP: (
        "use a signed type that is wide enough, or state in context the parameters for which "
        "it does not wrap"
    ),
    Refusal.OTHER: "rewrite it, or move it out of the region",
}
