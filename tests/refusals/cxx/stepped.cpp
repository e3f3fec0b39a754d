// Objects are copied part by part: what finds them is stepped once.
#include <ap_int.h>
struct pixel {
    int red, blue;
};
void stepped(const pixel in[16], pixel out[16], const ap_uint<96> words[16], ap_uint<96> sums[16])
{
    int k = 0;
    const pixel *next = in;
    for (int i = 0; i < 4; i++) {
        out[k++] = in[k++];
        out[8 + i] = *next++;
        sums[i] = words[k++] | words[k++];
    }
}
