// cells: t_colour_r=3, t_colour_gb=6, t_w=3, p_colour_r=1, p_colour_gb=2, p_w=1, q_both_r=2, q_both_gb=4, q2_both_r=1, q2_both_gb=2, old_colour_r=1, old_colour_gb=2, old_w=1
struct colour { unsigned char r, gb[2]; };
struct pixel { struct colour colour; signed char w; };
struct pair { struct colour both[2]; };

void f(const unsigned char in[16], int out[16])
{
    struct pixel t[16], p;
    struct pair q, q2;
    for (int i = 0; i < 16; i++) {
        p.w = i;
        p.colour.r = in[i];
        for (int k = 0; k < 2; k++)
            p.colour.gb[k] = in[i] + k;
        t[i] = p;
        q.both[0] = p.colour;
        q.both[1] = t[i].colour;
        q2 = q;
        if (i >= 2) {
            struct pixel old = t[i - 2];
            out[i] = old.colour.r + old.colour.gb[0] + 2 * old.colour.gb[1] + old.w + t[i].w + q2.both[0].gb[1] + q2.both[1].r;
        }
    }
}
