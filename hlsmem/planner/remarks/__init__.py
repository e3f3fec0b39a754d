"""Remarks of a plan: pragmas, depths of streams, variables of the datapath."""
