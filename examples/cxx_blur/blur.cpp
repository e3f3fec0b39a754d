// A blur over three rows of grey frames with an alpha channel, as it is written for HLS: a line
// buffer of any type as a class template, weights in fixed point, structs through streams, and
// three functions side by side. Frames have H x W pixels.
#include <ap_fixed.h>
#include <ap_int.h>
#include <hls_stream.h>

constexpr int H = 24, W = 32;

typedef ap_ufixed<2, 0> weight;

// The two channels of a pixel, or of a sum of pixels.
template <typename T> struct channels {
    T grey, alpha;

    channels operator+(const channels &other) const
    {
        return {T(grey + other.grey), T(alpha + other.alpha)};
    }
};

typedef channels<ap_uint<8>> pixel;
typedef channels<ap_ufixed<10, 8>> sum;

sum scaled(const pixel &one, weight k) { return {k * one.grey, k * one.alpha}; }

// The last ROWS rows of a picture, column by column.
template <int ROWS, int WIDTH, typename T> class line_buffer {
    T rows[ROWS][WIDTH];

public:
    void shift(int column, const T &next)
    {
        for (int row = 0; row < ROWS - 1; row++)
            rows[row][column] = rows[row + 1][column];
        rows[ROWS - 1][column] = next;
    }

    const T &get(int row, int column) const { return rows[row][column]; }
};

// The middle row is twice as heavy.
template <int WIDTH> sum weighted(const line_buffer<3, WIDTH, pixel> &lines, int x)
{
    return scaled(lines.get(0, x), 0.25) + scaled(lines.get(1, x), 0.5)
        + scaled(lines.get(2, x), 0.25);
}

pixel rounded(const sum &one)
{
    typedef ap_ufixed<8, 8, AP_RND, AP_SAT> whole;
    return {whole(one.grey), whole(one.alpha)};
}

void load(const unsigned char in[H][W][2], hls::stream<pixel> &out)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II = 1
            pixel one = {in[y][x][0], in[y][x][1]};
            out.write(one);
        }
}

void blur(hls::stream<pixel> &in, hls::stream<pixel> &out)
{
    line_buffer<3, W, pixel> lines;

    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II = 1
            lines.shift(x, in.read());
            if (y >= 2)
                out.write(rounded(weighted(lines, x)));
        }
}

void store(hls::stream<pixel> &in, unsigned char out[H - 2][W][2])
{
    for (int y = 0; y < H - 2; y++)
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II = 1
            pixel one = in.read();
            out[y][x][0] = one.grey;
            out[y][x][1] = one.alpha;
        }
}

void cxx_blur(const unsigned char in[H][W][2], unsigned char out[H - 2][W][2])
{
#pragma HLS DATAFLOW
    hls::stream<pixel> pixels, blurred;
    load(in, pixels);
    blur(pixels, blurred);
    store(blurred, out);
}
