"""RAMs split into banks, so that the reads of a beat never collide."""
