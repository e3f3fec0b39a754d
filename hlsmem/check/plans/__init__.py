"""Claims of plan.json, held against the program."""
