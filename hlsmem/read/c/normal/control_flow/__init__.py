"""Control flow in normal form: conditions, break, continue, select."""
