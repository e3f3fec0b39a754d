#include <ap_int.h>
#define H 24
#define W 32
#define K 5
typedef ap_int<9> word;
void conv(const word in[H][W], const word taps[K][K], int out[H][W]) {
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II=1
            int sum = 0;
            for (int i = 0; i < K; i++)
                for (int j = 0; j < K; j++) {
                    if (y + i >= 2 && y + i - 2 < H && x + j >= 2 && x + j - 2 < W)
                        sum += in[y + i - 2][x + j - 2] * taps[i][j];
                }
            out[y][x] = sum >> 4;
        }
    }
}
