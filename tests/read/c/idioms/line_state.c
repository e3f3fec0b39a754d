// cells: line=24, a=1, b=1, c=1
#define W 12
#define H 9
static unsigned char line[2][W];
static void push(unsigned char in[H][W], unsigned char out[H][W], int y, int x)
{
    unsigned char a = line[0][x], b = line[1][x], c = in[y][x];
    out[y][x] = (a + 2 * b + c) >> 2;
    line[0][x] = b;
    line[1][x] = c;
}
void lb(unsigned char in[H][W], unsigned char out[H][W])
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            push(in, out, y, x);
}
