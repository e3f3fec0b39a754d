// The bytes of objects: copied and set by functions of C.
#include <string.h>
struct two { int a, b; };
void top(const int in[8], int out[8]) {
    for (int i = 0; i < 8; i++) {
        two x = {in[i], 1}, y;
        memcpy(&y, &x, sizeof y);
        out[i] = y.a;
    }
}
