struct pixel { unsigned char r; int g; };
static int grey(struct pixel p) { return p.r + p.g; }
void f(const struct pixel in[16], int out[16])
{
#pragma scop
    for (int i = 0; i < 16; i++)
        out[i] = grey(in[i]);
#pragma endscop
}
