void twice(const int x[8], int y[8]) {
    for (int i = 0; i < 8; i++)
        y[i] = 2 * x[i];
}
void rows(int x[8][8], int y[8][8]) {
    for (int i = 0; i < 8; i++)
        y[i][0] = x[i][0];
}
void last(int x[8][8], int y[8][9]) {
    y[0][8] = x[0][0];
}
void fill(int *x) {
    for (int i = 0; i < 8; i++)
        x[i] = i;
}
void copy(const int *x, int y[8]) {
    for (int i = 0; i < 8; i++)
        y[i] = x[i];
}
