"""The program run access by access over folded memory."""
