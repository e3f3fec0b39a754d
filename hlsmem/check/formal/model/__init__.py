"""The model that proofs hold a buffer against: beats, orders, cells and ghosts."""
