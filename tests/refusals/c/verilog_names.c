// plan: --param reg=8
void module(int reg, const int in[reg], int out[reg])
{
    int wire[reg];
#pragma scop
    for (int posedge = 0; posedge < reg; posedge++)
        wire[posedge] = in[posedge];
    for (int i = 0; i < reg; i++)
        out[i] = wire[i];
#pragma endscop
}
