#include "ap_int.h"
#include "hls_streamofblocks.h"
const int B = 5;
const int N = 4 * B;
struct pixel { ap_int<9> r; short g; };
typedef int row[B];
typedef pixel tile[2][B];
static void split(const int in[N], hls::stream_of_blocks<row> &to, hls::stream_of_blocks<row, 4> &more) {
    for (int k = 0; k < 4; k++) {
        hls::write_lock<row> own(to);
        hls::write_lock<row> other(more);
        for (int j = 0; j < B; j++) {
            own[B - 1 - j] = in[B * k + j];
            other[j] = 0;
        }
        for (int j = 0; j < B; j++) other[j] += own[j] >> 3;
    }
}
static void pair(hls::stream_of_blocks<row> &from, hls::stream_of_blocks<tile> &to) {
    for (int k = 0; k < 2; k++) {
        hls::write_lock<tile> both(to);
        for (int h = 0; h < 2; h++) {
            hls::read_lock<row> one(from);
            for (int j = 0; j < B; j++) {
                both[h][j].r = one[j];
                pixel &own = both[h][j];
                own.g = one[B - 1 - j] * own.r;
            }
        }
    }
}
void top(const int in[N], int out[N]) {
#pragma HLS DATAFLOW
    hls::stream_of_blocks<row> rows("rows");
    hls::stream_of_blocks<row, 4> more;
    hls::stream_of_blocks<tile> tiles;
    split(in, rows, more);
    pair(rows, tiles);
    for (int k = 0; k < 2; k++) {
        hls::read_lock<tile> both(tiles);
        for (int h = 0; h < 2; h++) {
            hls::read_lock<row> one(more);
            for (int j = 0; j < B; j++) {
                pixel own = both[h][j];
                out[(2 * k + h) * B + j] = own.r + own.g - one[j];
            }
        }
    }
}
