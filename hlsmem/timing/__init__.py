"""When things happen: events of both orders, the dataflow of a program, arrival of streams."""
