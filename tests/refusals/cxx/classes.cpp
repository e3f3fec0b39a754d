#include <ap_int.h>
template <int N> int sum(const int a[N]) {
    return a[0];
}
class filter {
public:
    int z;
};
struct tap {
    int weight;
    int operator()(int x) { return weight * x; }
};
namespace dsp {
int gain = 2;
}
enum class mode { low, high };
void top(int in[8], int out[8], int scale = 2) {
    auto f = [&](int x) { return 2 * x; };
    int &first = out[0];
    int *p = nullptr;
    for (int i = 0; i < 8; i++)
        out[i] = std::max(in[i], *reinterpret_cast<int *>(p)) + hls::abs(in[i]);
}
