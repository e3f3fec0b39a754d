// plan: --param n=12
// cells: t=3, u=3
#define LEN(a) (sizeof(a) / sizeof((a)[0]))
enum { ROWS = 8 };
void f(int n, const short in[ROWS][n], short out[ROWS][n])
{
    short t[n], u[ROWS][16];
    for (int y = 0; y < (int)LEN(u); y++)
        for (unsigned x = 0; x < LEN(u[0]) && x < sizeof t / sizeof *t; x++) {
            t[x] = 2 * in[y][x];
            u[y][x] = in[y][x] + 1;
            if (x >= sizeof(short)) {
                out[y][x] = t[x - sizeof(short)] + u[y][x - 2];
            }
        }
    for (int ROWS = 0; ROWS < (int)(sizeof(u) / sizeof(u[0])); ROWS++)
        out[ROWS][0] = 7;
}
