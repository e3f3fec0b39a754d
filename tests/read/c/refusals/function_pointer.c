// params: n
static int sq(int v) { return v * v; }
void f(int in[16], int out[16])
{
    int (*op)(int) = sq;
    int t[16];
    for (int i = 0; i < 16; i++) {
        t[i] = op(in[i]);
        out[i] = t[i];
    }
}
