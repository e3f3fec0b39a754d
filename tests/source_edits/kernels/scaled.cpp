#include <ap_int.h>
#define N 16

template <int BITS>
void scale(const ap_uint<BITS> in[N][N], ap_uint<BITS> out[N][N])
{
    ap_uint<BITS> row[N][N], twice[N][N]; // one line alone is alive
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++)
            row[y][x] = in[y][x] >> 1;
        for (int x = 0; x < N; x++)
            twice[y][x] = row[y][N - 1 - x] + row[y][x];
        for (int x = 0; x < N; x++)
            out[y][x] = twice[y][N - 1 - x];
    }
}

void top(const ap_uint<10> in[N][N], ap_uint<10> out[N][N])
{
    scale<10>(in, out);
}
