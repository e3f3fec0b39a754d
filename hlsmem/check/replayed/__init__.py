"""The program run access by access over folded memory, with the values that it computes."""
