// Methods alone: nobody says which is the top.
struct Delay {
    int last = 0;
    void run(const int in[8], int out[8]) {
        for (int i = 0; i < 8; i++) {
            out[i] = last;
            last = in[i];
        }
    }
    int operator()(int x) { return x + last; }
};
