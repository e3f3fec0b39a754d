void f(const int in[16], int out[16])
{
    int i;
#pragma scop
    for (i = 0; i < sizeof(in) / sizeof(in[0]); i++)
        out[i] = in[i];
    for (i = 0; i < sizeof(&in[2]); i++)
        out[i] = in[i];
#pragma endscop
}
