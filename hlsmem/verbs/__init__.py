"""The verbs, one a file: `VERB` of each module is found by `hlsmem.verb.VERBS`."""
