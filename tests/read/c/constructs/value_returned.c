// plan: --param n=8
double value_returned(int n, const double in[n])
{
    double best, t[n];
    int i;
    if (n > 1000)
        return -1;
#pragma scop
    for (i = 0; i < n; i++)
        t[i] = in[i] * in[i];
    best = t[0];
    for (i = 1; i < n; i++)
        best = t[i] > best ? t[i] : best;
#pragma endscop
    return best;
}
