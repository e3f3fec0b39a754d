#include <hls_stream.h>
hls::stream<int> shared;
void top(hls::stream<int> &in, int out[8]) {
    for (int i = 0; i < 8; i++) {
        int x = 0;
        if (!in.empty())
            x = in.read();
        if (in.read_nb(x))
            out[i] = x;
    }
}
