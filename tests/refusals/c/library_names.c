/* C keeps the names of its library for it wherever other files see them. */
int index[8];
void div(const int a[8], int b[8]) {
    for (int i = 0; i < 8; i++) b[index[i]] = a[i];
}
