/* The image of Xilinx's vision libraries, in their namespace: an array of words of `npc_` pixels.
 *
 * An index is what it is in C, where the vendor's hardware has a stream: reads in another order than
 * that of the writes give what they give there. Rows and columns are those of the type or fewer. */
template <int type_, int rows_, int cols_, int npc_ HLSMEM_MORE> class Mat {
public:
    typedef XF_TNAME(type_, npc_) DATATYPE;
    int rows, cols, size;
    DATATYPE data[rows_ * (cols_ >> XF_BITSHIFT(npc_))];
    Mat() : rows(rows_), cols(cols_), size(rows_ * (cols_ >> XF_BITSHIFT(npc_))) {}
    Mat(int r, int c) : rows(r), cols(c), size(r * (c >> XF_BITSHIFT(npc_))) {}
    Mat(int r, int c, void *from) : rows(r), cols(c), size(r * (c >> XF_BITSHIFT(npc_))) {
        copyTo(from);
    }
    void init(int r, int c) {
        rows = r;
        cols = c;
        size = r * (c >> XF_BITSHIFT(npc_));
    }
    DATATYPE read(int i) { return data[i]; }
    void write(int i, DATATYPE x) { data[i] = x; }
    float read_float(int i);
    void write_float(int i, float x);
    void copyTo(void *from) {
        for (int i = 0; i < size; i++)
            data[i] = ((DATATYPE *)from)[i];
    }
    unsigned char *copyFrom() { return (unsigned char *)data; }
};
#undef HLSMEM_MORE
