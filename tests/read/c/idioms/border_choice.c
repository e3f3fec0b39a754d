// cells: above=13, up=1, slope=1
// Where the border is chosen, what stood above the first row is not used.
void border_choice(const int in[156], int out[156])
{
    int above[13];
    int x = 0, y = 0;
    for (int i = 0; i < 156; i++) {
        int up = above[x];
        above[x] = in[i];
        _Bool border = (y < 1) | (x > 11);
        int slope = up - in[i];
        slope = slope < 0 ? -slope : slope;
        y = x == 12 ? y + 1 : y;
        x = x == 12 ? 0 : x + 1;
        out[i] = border ? 0 : slope;
    }
}
