// plan: --param n=64
// cells: t=3
// What is tested behind a step, and a parameter that goes on from loop to loop.
void stepped_down(const int *restrict in, int *restrict out, unsigned n)
{
    int t[66];
    unsigned k = 0;
    t[0] = t[1] = 0;
    do {
        t[k + 2] = in[k];
        out[k] = t[k + 2] - t[k];
        k++;
    } while (--n);
}
