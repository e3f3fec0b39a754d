// cells: m_a=1, m_b=6, z_a=3, z_b=3, flat_a=1, flat_b=3, listed_a=4, listed_b=7
typedef struct {
    short a;
    int b[2];
} Pair;
enum { FIRST, SECOND };

void structs_in_lists(const int in[12], int out[12])
{
    Pair m[3] = {[SECOND] = {.b = {7, 8}}, {5}, [FIRST] = {1, 2, in[0]}};
    Pair z[2][2] = {{{1, {2, 3}}}};
    Pair flat[2] = {1, 2, 3, {4, {5}}};
    Pair listed[] = {{1, {2}}, [2] = {3, {4, 5}}, {6}};
    for (int i = 0; i < 12; i++) {
        m[i % 3].b[0] += in[i];
        z[i % 2][1].a = i;
        out[i] = m[i % 3].b[0] + m[i % 3].b[1] + z[1][0].a + z[i % 2][0].b[1] + flat[i % 2].b[1]
            + listed[i % 4].a * listed[i % 4].b[i % 2];
    }
}
