// A gradient of a video stream as it is written for AXI: beats, a window class, lines of a picture.
#include <ap_int.h>
#include <hls_stream.h>
#include <ap_axi_sdata.h>
#include <hls_math.h>

constexpr int WIDTH = 8, HEIGHT = 6;
using pixel_t = ap_uint<8>;
using beat_t = ap_axiu<8, 1, 1, 1>;

template <int ROWS, int COLS, typename T>
class Window {
public:
    void shift_left() {
#pragma HLS INLINE
        for (int r = 0; r < ROWS; ++r)
            for (int c = 0; c < COLS - 1; ++c) {
#pragma HLS UNROLL
                v[r][c] = v[r][c + 1];
            }
    }
    T &at(int r, int c) { return v[r][c]; }
private:
    T v[ROWS][COLS];
};

static pixel_t gradient(Window<3, 3, pixel_t> &w) {
    ap_int<11> gx = w.at(0, 2) + 2 * w.at(1, 2) + w.at(2, 2) - w.at(0, 0) - 2 * w.at(1, 0) - w.at(2, 0);
    ap_int<11> gy = w.at(2, 0) + 2 * w.at(2, 1) + w.at(2, 2) - w.at(0, 0) - 2 * w.at(0, 1) - w.at(0, 2);
    ap_uint<12> mag = hls::abs((int)gx) + hls::abs((int)gy);
    return mag > 255 ? pixel_t(255) : pixel_t(mag);
}

void sobel(hls::stream<beat_t> &src, hls::stream<beat_t> &dst) {
#pragma HLS INTERFACE axis port=src
#pragma HLS INTERFACE axis port=dst
#pragma HLS INTERFACE ap_ctrl_none port=return
    pixel_t lines[2][WIDTH];
#pragma HLS ARRAY_PARTITION variable=lines dim=1 complete
    Window<3, 3, pixel_t> win;

    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
#pragma HLS PIPELINE II=1
            beat_t in = src.read();
            win.shift_left();
            win.at(0, 2) = lines[0][x];
            win.at(1, 2) = lines[1][x];
            win.at(2, 2) = in.data;
            lines[0][x] = lines[1][x];
            lines[1][x] = in.data;
            beat_t out = in;
            out.data = (y >= 2 && x >= 2) ? gradient(win) : pixel_t(0);
            dst.write(out);
        }
    }
}
