/* A value that a break leaves: a flag says of each iteration whether it goes on. */
void f(const unsigned char in[7][8], unsigned char out[7][8]) {
    unsigned char row[8];
    for (int y = 0; y < 7; y++) {
        for (int x = 0; x < 8; x++) row[x] = in[y][x];
        int best = 0;
        for (int x = 1; x < 8; x++) {
            if (row[x] > row[0] + 4) { best = row[x]; break; }
            best += x;
        }
        for (int x = 0; x < 8; x++) out[y][x] = (unsigned char)(row[x] - best);
    }
}
