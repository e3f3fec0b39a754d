// cells: last=1, z=2, in_2=1, b_2=1, x=1, y=1, fir_2=1, last_2=1, v=1, keep_2=1
// What stands ahead of a call is read before the call stores.
static int last;

static int fir(int x)
{
    static int z[2];
    int y = z[0] - z[1] + x;
    z[1] = z[0];
    z[0] = x;
    return y;
}

static int keep(int v)
{
    last = v;
    return v / 2;
}

void read_ahead(const int in[17], const int b[2], int out[16], int more[16])
{
    for (int i = 0; i < 16; i++) {
        out[i] = (in[i + 1] / 4) * (b[0] & 15) + fir(in[i] / 4);
        more[i] = last - keep(in[i] / 2);
    }
}
