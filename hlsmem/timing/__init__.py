"""Times of a program: events of both orders, the dataflow of a program, arrival of streams."""
