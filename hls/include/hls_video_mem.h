/* hls::Window and hls::LineBuffer: arrays whose cells move by one. */
#pragma once
namespace hls {
template <int rows_, int cols_, class t_> class Window {
public:
    t_ val[rows_][cols_];
    t_ &getval(int row, int col) { return val[row][col]; }
    t_ &operator()(int row, int col) { return val[row][col]; }
    void insert_pixel(t_ x, int row, int col) { val[row][col] = x; }
#define HLSMEM_MOVED(name, start, end, step, to, from) \
    void name() { \
        for (int i = 0; i < rows_; i++) \
            for (int j = start; end; step) \
                val[i][to] = val[i][from]; \
    }
    HLSMEM_MOVED(shift_pixels_left, 0, j < cols_ - 1, j++, j, j + 1)
    HLSMEM_MOVED(shift_left, 0, j < cols_ - 1, j++, j, j + 1)
    HLSMEM_MOVED(shift_pixels_right, cols_ - 1, j > 0, j--, j, j - 1)
    HLSMEM_MOVED(shift_right, cols_ - 1, j > 0, j--, j, j - 1)
#undef HLSMEM_MOVED
#define HLSMEM_MOVED(name, start, end, step, to, from) \
    void name() { \
        for (int i = start; end; step) \
            for (int j = 0; j < cols_; j++) \
                val[to][j] = val[from][j]; \
    }
    HLSMEM_MOVED(shift_pixels_up, 0, i < rows_ - 1, i++, i, i + 1)
    HLSMEM_MOVED(shift_up, 0, i < rows_ - 1, i++, i, i + 1)
    HLSMEM_MOVED(shift_pixels_down, rows_ - 1, i > 0, i--, i, i - 1)
    HLSMEM_MOVED(shift_down, rows_ - 1, i > 0, i--, i, i - 1)
#undef HLSMEM_MOVED
#define HLSMEM_INSERTED(name, n, row, col) \
    void name(const t_ (&x)[n]) { \
        for (int i = 0; i < n; i++) \
            val[row][col] = x[i]; \
    }
    HLSMEM_INSERTED(insert_top_row, cols_, 0, i)
    HLSMEM_INSERTED(insert_top, cols_, 0, i)
    HLSMEM_INSERTED(insert_bottom_row, cols_, rows_ - 1, i)
    HLSMEM_INSERTED(insert_bottom, cols_, rows_ - 1, i)
    HLSMEM_INSERTED(insert_left_col, rows_, i, 0)
    HLSMEM_INSERTED(insert_left, rows_, i, 0)
    HLSMEM_INSERTED(insert_right_col, rows_, i, cols_ - 1)
    HLSMEM_INSERTED(insert_right, rows_, i, cols_ - 1)
#undef HLSMEM_INSERTED
};
template <int rows_, int cols_, class t_, int reshape_ = 0> class LineBuffer {
public:
    t_ val[rows_][cols_];
    t_ &getval(int row, int col) { return val[row][col]; }
    t_ &operator()(int row, int col) { return val[row][col]; }
    void insert_top_row(t_ x, int col) { val[0][col] = x; }
    void insert_top(t_ x, int col) { val[0][col] = x; }
    void insert_bottom_row(t_ x, int col) { val[rows_ - 1][col] = x; }
    void insert_bottom(t_ x, int col) { val[rows_ - 1][col] = x; }
    void get_col(t_ (&x)[rows_], int col) {
        for (int i = 0; i < rows_; i++)
            x[i] = val[i][col];
    }
#define HLSMEM_MOVED(name, start, end, step, from) \
    void name(int col) { \
        for (int i = start; end; step) \
            val[i][col] = val[from][col]; \
    }
    HLSMEM_MOVED(shift_pixels_up, 0, i < rows_ - 1, i++, i + 1)
    HLSMEM_MOVED(shift_up, 0, i < rows_ - 1, i++, i + 1)
    HLSMEM_MOVED(shift_pixels_down, rows_ - 1, i > 0, i--, i - 1)
    HLSMEM_MOVED(shift_down, rows_ - 1, i > 0, i--, i - 1)
#undef HLSMEM_MOVED
};
}
