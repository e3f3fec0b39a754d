"""The checks, one a file: `CHECK` of each module is found by `hlsmem.core.verdict.CHECKS`."""
