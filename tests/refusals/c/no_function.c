// There is nothing to plan in a file of tables.
static const int weights[3] = {1, 2, 1};
