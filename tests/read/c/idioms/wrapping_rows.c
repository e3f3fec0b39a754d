// plan: --param N=6 --param M=5
// cells: buf=15
// Three rows turned by branches on a counter that is masked as one of 13 bits, from row 1 on.
void wrapping_rows(int N, int M, const unsigned char in[N][M], unsigned char out[N][M])
{
    unsigned char buf[3][M];
    unsigned short turn = 1, above, middle, below;
    for (int x = 0; x < M; x++) {
        buf[0][x] = 0;
        buf[turn][x] = in[0][x];
    }
    turn = (turn + 1) & 0x1fff;
    for (int y = 1; y < N + 1; y++) {
        if (turn == 2) {
            above = 0;
            middle = 1;
            below = 2;
        } else if (turn == 0) {
            above = 1;
            middle = 2;
            below = 0;
        } else if (turn == 1) {
            above = 2;
            middle = 0;
            below = 1;
        }
        for (int x = 0; x < M; x++) {
            if (y < N)
                buf[turn][x] = in[y][x];
            else
                buf[below][x] = 0;
            out[y - 1][x] = (buf[above][x] + 2 * buf[middle][x] + buf[below][x]) / 4;
        }
        for (unsigned char x = 0; x < 1; x++)
            out[y - 1][x] = 0;
        turn = (turn + 1) & 0x1fff;
        if (turn == 3)
            turn = 0;
    }
}
