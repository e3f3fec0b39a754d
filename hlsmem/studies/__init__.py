"""Studies beside planning: dataflow, tilings, occupancy vectors, networks, ranks.

Each is asked by a verb that is found as those of other packages are, by an entry point in
`entry_points.txt`; nothing else of hlsmem imports them. Of the rest they import:

    core: errors, expression, lazy_dataclass, quasi_polynomial, source_location, watchdog, wording
    polyhedra: itself, cardinality, codes, enclosing_instances, enumeration, extremes,
        generated_loops, isl_text, lattices, limits, memoized, quantities, relations, sets,
        summation
    program: model, options, schedule_classes
    read: c.c_text, c.expression_parser, c.headers, c.names, c.tree, c.trees, design,
        design_names, program_keys, schedule, writing
    verb: itself
    timing: class_dependences, class_relations, events, instance_text, planned_program, value_flow
    lifetime: storage_problems
    mapping: portfolio, shortest_differences, vectors, vectors.answer, vectors.validity
    plan: itself
    addressing: address_generator, generator_compiler, state_changes, time_walk
    host_loops: symbolic_sizes
    dependences: beat_ranks
    network: channels, firing, listed_channels, processes
    verilog: generator_view
    emit: c.c_syntax, c.cell_names, c.fragments, c.loop_names, c.loop_printer, c.statement_text,
        expression_text, markdown_table, marked, picture.svg, templates
    planner: array_folding, planning_sequence
    api: itself
    cli: request
"""
