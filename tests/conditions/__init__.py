"""Programs under conditions, planned."""
