"""Random programs, whose meaning is enumerated without isl or hlsmem, and broken texts."""
