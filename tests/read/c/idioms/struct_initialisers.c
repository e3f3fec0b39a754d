// cells: s_t=3, s_g=1, s_in_a=1, s_in_b=2, z_t=3, z_g=1, z_in_a=1, z_in_b=1, e_t=3, e_g=1, u_w=2
struct S { int t[3]; short g; struct { int a, b[2][2]; } in; };
struct T { int t[3]; short g; };
void f(const int in[16], int out[16], int k)
{
    struct S s = {{1, k, 3}, .in = {.b = {{k}, {4, 5}}}};
    struct S z = {0};
    struct T e = {7, 8, k, 9};
    for (int i = 0; i < 16; i++) {
        struct { int w[2]; } u = {{in[i], [1] = 2}};
        out[i] = in[i] * s.t[i % 3] + s.in.b[i % 2][1] + u.w[1] + u.w[0] + s.g + s.in.a;
        out[i] += z.t[i % 3] + e.t[i % 3] * e.g;
    }
}
