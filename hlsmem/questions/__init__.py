"""Questions on a design beside its plan: one module a question, over the steps of `pipeline`.

Nothing here makes a plan of its own, and nothing in `pipeline` knows of it.
"""
