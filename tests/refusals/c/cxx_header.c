/* A header of C++ in a file of C. */
#include "hls_vector.h"
#include "missing.h"
void f(const int a[8], int b[8]) {
    for (int i = 0; i < 8; i++) b[i] = a[i];
}
