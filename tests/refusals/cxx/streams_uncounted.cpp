#include <hls_stream.h>
void top(int in[8], int out[8]) {
    hls::stream<int> s;
    for (int i = 0; i < 8; i++)
        if (in[i] > 2)
            s.write(in[i]);
    for (int i = 3; i < 8; i++)
        out[i] = s.read();
}
