// cells: t_r=2, t_g=2, t_b=2, p_r=1, p_g=1, p_b=1, p_2_r=1, p_2_g=1, p_2_b=1, q_r=1, q_g=1, q_b=1, grey_2=1, p_3_r=1, p_3_g=1, p_3_b=1, grey_3=1, p_4_r=1, p_4_g=1, p_4_b=1
#define N 16
typedef struct { int r, g, b; } pixel;

static pixel half(pixel p)
{
    pixel q = {.b = p.b / 2, .r = p.r / 2};
    q.g = p.g / 2;
    return q;
}

static int grey(pixel p)
{
    if (p.r < 0)
        return 0;
    return (77 * p.r + 150 * p.g + 29 * p.b) >> 8;
}

void k(const int in[3][N], int out[N])
{
    pixel t[N];
    for (int i = 0; i < N; i++) {
        pixel p = {in[0][i], in[1][i], in[2][i]};
        t[i] = half(p);
        if (i > 0)
            out[i] = grey(t[i - 1]) - grey(t[i]);
    }
}
