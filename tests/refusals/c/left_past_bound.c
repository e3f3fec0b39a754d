void f(const int in[10][64], int out[10])
{
    for (int i = 0; i < 10; i++) {
        int s = 0;
        for (int j = i - 5; j != 0; j--) {
            if (in[i][j + 30] < 0)
                break;
            s += in[i][j + 30];
        }
        out[i] = s;
    }
}
