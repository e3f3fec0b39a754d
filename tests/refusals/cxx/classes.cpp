struct shape {
    int k;
    virtual int area(int x) { return k * x; }
};
struct square : shape {
    int area(int x) override { return x * x; }
};
union word {
    int whole;
    char parts[4];
};
struct bits {
    int low : 4;
};
struct view {
    int &first;
};
static int count(int n) { return n ? 1 + count(n - 1) : 0; }
static int called(shape &s, int x) { return s.area(x); }
template <int N> int thrown(int x) {
    if (x < N)
        throw x;
    return x;
}
void top(int in[8], int out[8]) {
    square s;
    for (int i = 0; i < 8; i++) {
        int *more = new int[4];
        word w;
        bits b;
        view v = {in[i]};
        out[i] = count(in[i]);
        out[i] += called(s, i);
        out[i] += thrown<3>(i);
        out[i] += *reinterpret_cast<char *>(&in[i]);
        if (in[i] < 0)
            goto end;
    }
end:;
}
