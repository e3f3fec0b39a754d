/* The header of the host C is for C++ as well. */
void class(const int a[8], int b[8]) {
    for (int i = 0; i < 8; i++) b[i] = a[i];
}
