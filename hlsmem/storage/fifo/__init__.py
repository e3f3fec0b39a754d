"""FIFOs: every value is read once, in the order of the writes."""
