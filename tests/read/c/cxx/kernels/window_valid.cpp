#include <hls_stream.h>
#define W 16
#define H 12
void win(hls::stream<int> &in, hls::stream<int> &out) {
  int lb[2][W] = {0};
  int w[3][3] = {0};
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II=1
      int v = in.read();
      for (int r = 0; r < 3; r++) { w[r][0] = w[r][1]; w[r][1] = w[r][2]; }
      w[0][2] = lb[0][x]; w[1][2] = lb[1][x]; w[2][2] = v;
      lb[0][x] = lb[1][x]; lb[1][x] = v;
      if (y >= 2 && x >= 2)
        out.write(w[0][0] + w[1][1] + w[2][2] + w[0][2] + w[2][0]);
    }
}
