"""What plan.json says, held against the program."""
