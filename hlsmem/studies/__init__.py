"""Studies beside planning: dataflow, tilings, occupancy vectors, networks, ranks."""
