#include <tapa.h>
void top(tapa::istream<int> &in, int out[8]) {
    for (int i = 0; i < 8; i++) {
        bool is_there;
        int x = in.read(is_there);
        out[i] = is_there ? x : in.peek(is_there);
    }
}
