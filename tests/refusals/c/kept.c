// plan: --set kernel.loops=written --set arrays.s.storage=datapath --set arrays.r.storage=datapath --set arrays.in.storage=datapath --set arrays.c.storage=datapath
void kept(const int in[16], int out[16])
{
    int s, r[4], c;
#pragma scop
    s = 0;
    for (int i = 0; i < 16; i++)
        s += in[i];
    for (int i = 0; i < 16; i++) {
        r[i & 3] = in[i];
        c = in[i] + s;
        if (c > 3)
            out[i] = r[i & 3];
    }
#pragma endscop
}
