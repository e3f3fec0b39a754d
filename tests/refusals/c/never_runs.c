/* A loop that never runs, and a constant condition that never holds: nothing is left to plan. */
void f(int n, int out[4]) {
    int a;
    for (int i = 0; i < 0; i++)
        a = 5;
    for (int i = 0; i < 4; i++)
        if (i > 7) out[i] = a;
}
