// plan: --param n=8
void f(int n, const int in[n], int out[n])
{
    int hlsmem_t[n];
#pragma scop
    for (int i = 0; i < n; i++)
        hlsmem_t[i] = in[i];
    for (int i = 0; i < n; i++)
        out[i] = hlsmem_t[i];
#pragma endscop
}
