// cells: z_x=4, z_w=8, acc=1
// Members that are written keep what they hold; c is a table that nothing writes.
struct tap { int c; short x; float w[2]; };

void struct_state(const short in[16], float out[16])
{
    static struct tap z[4] = {{1, -2, {0.5f}}, {3, 4}, [3] = {.c = 5, .w = {1.5f, -2}}};
    for (int i = 0; i < 16; i++) {
        float acc = 0;
        for (int k = 0; k < 4; k++)
            acc += z[k].c * z[k].x * z[k].w[i % 2];
        for (int k = 3; k > 0; k--) {
            z[k].x = z[k - 1].x;
            z[k].w[i % 2] = z[k - 1].w[i % 2];
        }
        z[0].x = in[i];
        z[0].w[i % 2] = in[i] * 0.25f;
        out[i] = acc;
    }
}
