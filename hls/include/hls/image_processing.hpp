/* hls::LineBuffer of SmartHLS: a window of K x K pixels of an image W wide. */
#pragma once
namespace hls {
template <class t_, unsigned w_, unsigned k_> class LineBuffer {
    t_ rows[k_ - 1][w_];
    unsigned col;

public:
    t_ window[k_][k_];
    LineBuffer() : col(0) {}
    void ShiftInPixel(t_ x) {
        for (unsigned i = 0; i < k_; i++)
            for (unsigned j = 0; j < k_ - 1; j++)
                window[i][j] = window[i][j + 1];
        for (unsigned i = 0; i < k_ - 1; i++)
            window[i][k_ - 1] = rows[i][col];
        window[k_ - 1][k_ - 1] = x;
        for (unsigned i = 0; i < k_ - 2; i++)
            rows[i][col] = rows[i + 1][col];
        rows[k_ - 2][col] = x;
        col = col == w_ - 1 ? 0 : col + 1;
    }
};
}
