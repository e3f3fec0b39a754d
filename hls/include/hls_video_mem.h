/* hls::Window and hls::LineBuffer: arrays whose cells move by one. */
#pragma once
#define HLSMEM_MOVED(name, rows_from, rows_end, rows_step, cols_from, cols_end, cols_step, to, from) \
    void name() { \
        for (int i = rows_from; rows_end; rows_step) \
            for (int j = cols_from; cols_end; cols_step) \
                val to = val from; \
    }
#define HLSMEM_INSERTED(name, number, at) \
    void name(const t_ *x) { \
        for (int i = 0; i < number; i++) \
            val at = x[i]; \
    }
#define HLSMEM_COLUMN(name, start, end, step, from) \
    void name(int col) { \
        for (int i = start; end; step) \
            val[i][col] = val[from][col]; \
    }
namespace hls {
template <int rows_, int cols_, class t_> class Window {
public:
    t_ val[rows_][cols_];
    t_ &getval(int row, int col) { return val[row][col]; }
    t_ &operator()(int row, int col) { return val[row][col]; }
    void insert_pixel(t_ x, int row, int col) { val[row][col] = x; }
    void insert(t_ x, int row, int col) { val[row][col] = x; }
    HLSMEM_MOVED(shift_pixels_left, 0, i < rows_, i++, 0, j < cols_ - 1, j++, [i][j], [i][j + 1])
    HLSMEM_MOVED(shift_pixels_right, 0, i < rows_, i++, cols_ - 1, j > 0, j--, [i][j], [i][j - 1])
    HLSMEM_MOVED(shift_pixels_up, 0, i < rows_ - 1, i++, 0, j < cols_, j++, [i][j], [i + 1][j])
    HLSMEM_MOVED(shift_pixels_down, rows_ - 1, i > 0, i--, 0, j < cols_, j++, [i][j], [i - 1][j])
    HLSMEM_MOVED(shift_left, 0, i < rows_, i++, 0, j < cols_ - 1, j++, [i][j], [i][j + 1])
    HLSMEM_MOVED(shift_right, 0, i < rows_, i++, cols_ - 1, j > 0, j--, [i][j], [i][j - 1])
    HLSMEM_MOVED(shift_up, 0, i < rows_ - 1, i++, 0, j < cols_, j++, [i][j], [i + 1][j])
    HLSMEM_MOVED(shift_down, rows_ - 1, i > 0, i--, 0, j < cols_, j++, [i][j], [i - 1][j])
    HLSMEM_INSERTED(insert_top_row, cols_, [0][i])
    HLSMEM_INSERTED(insert_bottom_row, cols_, [rows_ - 1][i])
    HLSMEM_INSERTED(insert_left_col, rows_, [i][0])
    HLSMEM_INSERTED(insert_right_col, rows_, [i][cols_ - 1])
};
template <int rows_, int cols_, class t_, int reshape_ = 0> class LineBuffer {
public:
    t_ val[rows_][cols_];
    t_ &getval(int row, int col) { return val[row][col]; }
    t_ &operator()(int row, int col) { return val[row][col]; }
    void insert_top_row(t_ x, int col) { val[0][col] = x; }
    void insert_bottom_row(t_ x, int col) { val[rows_ - 1][col] = x; }
    void insert_bottom(t_ x, int col) { val[0][col] = x; } /* rows were counted from below */
    void insert_top(t_ x, int col) { val[rows_ - 1][col] = x; }
    void get_col(t_ *x, int col) {
        for (int i = 0; i < rows_; i++)
            x[i] = val[i][col];
    }
    HLSMEM_COLUMN(shift_pixels_up, 0, i < rows_ - 1, i++, i + 1)
    HLSMEM_COLUMN(shift_pixels_down, rows_ - 1, i > 0, i--, i - 1)
    HLSMEM_COLUMN(shift_up, 0, i < rows_ - 1, i++, i + 1)
    HLSMEM_COLUMN(shift_down, rows_ - 1, i > 0, i--, i - 1)
};
}
#undef HLSMEM_MOVED
#undef HLSMEM_INSERTED
#undef HLSMEM_COLUMN
