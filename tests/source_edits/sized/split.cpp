#include <hls_stream.h>
#define N 64
#define ROWS 8

// A pixel goes two ways: as it is, and through rows that are turned round.
static void part(const int in[ROWS * N], hls::stream<int> &a, hls::stream<int> &b)
{
    for (int i = 0; i < ROWS * N; i++) {
#pragma HLS PIPELINE II=1
        const int pixel = in[i];
        a.write(pixel);
        b.write(pixel);
    }
}

static void turn(hls::stream<int> &b, hls::stream<int> &c)
{
    for (int y = 0; y < ROWS; y++) {
        int row[N];
        for (int x = 0; x < N; x++)
            row[x] = b.read();
        for (int x = 0; x < N; x++)
            c.write(row[N - 1 - x]);
    }
}

static void join(hls::stream<int> &a, hls::stream<int> &c, int out[ROWS * N])
{
    for (int i = 0; i < ROWS * N; i++)
        out[i] = a.read() - c.read();
}

void split(const int in[ROWS * N], int out[ROWS * N])
{
#pragma HLS DATAFLOW
    hls::stream<int> a, b, c;
#pragma HLS STREAM variable=a depth=2
    part(in, a, b);
    turn(b, c);
    join(a, c, out);
}
