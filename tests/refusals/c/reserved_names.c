// plan: --param n=8 --param f_ws=2
#define f_ws 2
int hlsmem_seen[8];
void f(int n, const int in[n], int out[n])
{
    int hlsmem_t[n], malloc;
#pragma scop
hlsmem_label:
    for (int i = 0; i < n; i++)
        hlsmem_t[i] = in[i] + f_ws;
    for (int i = 0; i < n; i++) {
        malloc = hlsmem_t[i];
        hlsmem_seen[i] = malloc;
        out[i] = malloc;
    }
#pragma endscop
}
