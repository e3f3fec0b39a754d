// Constructs of C++, each in a function of its own: test_constructs.py reads them, and runs both.
#include <algorithm>
#include <ap_axi_sdata.h>
#include <ap_fixed.h>
#include <ap_int.h>
#include <array>
#include <cmath>
#include <complex>
#include <hls_vector.h>
#define N 32
typedef const int ins[N];
typedef int outs[N];

template <typename T, int K> T weighted(const T (&w)[K], const int *x)
{
    T sum = 0;
    for (int k = 0; k < K; k++)
        sum += w[k] * x[k];
    return sum;
}
void deduced(const int in[N], int out[N])
{
    const int w[3] = {1, -2, 1};
    const long v[2] = {5, 7};
    for (int i = 0; i < N; i++)
        out[i] = i < N - 3 ? weighted(w, &in[i]) : (int)weighted(v, &in[i - 2]);
}

template <int K> struct power {
    static int of(int x) { return x * power<K - 1>::of(x); }
};
template <> struct power<0> {
    static int of(int) { return 1; }
};
template <int K> int chosen(int x)
{
    if constexpr (K > 2)
        return chosen<K - 1>(x) + K;
    else
        return x;
}
void recursive(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++)
        out[i] = power<3>::of(in[i] % 7) + chosen<5>(i);
}

template <int R, typename T> class window {
    T at_[R];

public:
    window() { for (T &one : at_) one = T(3); }
    void shift(T x)
    {
        for (int r = R - 1; r > 0; r--)
            at_[r] = at_[r - 1];
        at_[0] = x;
    }
    T get(int r) const { return at_[r]; }
    T &front() { return at_[0]; }
    enum { rows = R };
};
void classes(const int in[N], int out[N])
{
    window<4, int> w;
    window<2, short> v;
    for (int i = 0; i < N; i++) {
        w.shift(in[i]);
        w.front() += i;
        v.shift(in[i] % 100);
        out[i] = w.get(w.rows - 1) - w.get(0) * v.get(1);
    }
}

class base {
protected:
    int k;

public:
    base(int k_) : k(k_) {}
    int get() const { return k; }
    void add(int x) { k += x; }
};
class derived : public base {
    int m = 4;

public:
    derived() : base(3) {}
    int both() { return k * m + get(); }
};
void inherited(const int in[N], int out[N])
{
    derived d;
    for (int i = 0; i < N; i++) {
        d.add(in[i] & 3);
        out[i] = d.both();
    }
}

struct vec {
    int x, y;
    vec operator+(const vec &o) const { return {x + o.x, y + o.y}; }
    vec operator-() const { return vec{-x, -y}; }
    vec &operator*=(int k)
    {
        x *= k;
        y *= k;
        return *this;
    }
    bool operator<(const vec &o) const { return x < o.x || (x == o.x && y < o.y); }
    int operator[](int i) const { return i ? y : x; }
};
inline vec operator*(int k, vec v) { return {k * v.x, k * v.y}; }
void operators(const int in[N], int out[N])
{
    vec sum = {0, 1};
    for (int i = 0; i < N; i++) {
        vec one = {in[i] % 50, i};
        sum = sum + one;
        sum = {sum.y, sum.x};
        vec more = -sum + 2 * one;
        more *= 3;
        const vec &less = more < sum ? more : sum;
        out[i] = less.x - less[1] + more[i % 2];
        if (i % 8 == 7)
            sum = vec();
    }
}

void arrays_of_objects(const int in[N], int out[N])
{
    vec row[N], other[2] = {{1, 2}, {3, 4}};
    for (int i = 0; i < N; i++) {
        row[i].x = in[i];
        row[i].y = i;
    }
    for (int i = 1; i < N; i++)
        row[i] = row[i] + row[i - 1];
    for (int i = 0; i < N; i++) {
        other[i & 1] = row[N - 1 - i];
        out[i] = other[0].x + other[1].y;
    }
}

struct nested {
    vec at[2];
    int weight;
    struct {
        short low, high;
    } range;
    int total() const { return at[0].x + at[1].y * weight + range.high - range.low; }
};
static nested made(int x)
{
    nested n;
    n.at[0] = {x, 2};
    n.at[1] = {3, x};
    n.weight = x % 5;
    n.range.low = -x;
    n.range.high = x / 2;
    return n;
}
void nested_objects(const int in[N], int out[N])
{
    nested last = made(1);
    for (int i = 0; i < N; i++) {
        nested n = made(in[i] % 1000);
        out[i] = n.total() + last.total();
        last = n;
        last.at[i % 2].x++;
    }
}

void lambdas(const int in[N], int out[N])
{
    int offset = 3, calls = 0;
    int memory[4] = {0, 0, 0, 0};
    auto scaled = [&](auto x, int k = 2) {
        calls++;
        return x * k + offset;
    };
    int late = 1;
    auto copied = [=](int x) { return x + late; };
    auto mixed = [late, &calls](int x) { return x * late + calls; };
    late = 100;
    auto kept = [&memory](int i, int x) { memory[i % 4] += x; };
    for (int i = 0; i < N; i++) {
        kept(i, in[i]);
        if (i == 9)
            offset = 5;
        out[i] = scaled(memory[(i + 1) % 4]) + scaled(i, 7) + calls + copied(i) + mixed(i);
    }
}

struct accumulator {
    int sum = 1;
    int operator()(int x)
    {
        sum += x;
        return sum;
    }
};
void functors(const int in[N], int out[N])
{
    accumulator a, b;
    for (int i = 0; i < N; i++)
        out[i] = a(in[i]) - b(i);
}

namespace outer {
enum class mode { low, high = 4 };
namespace inner {
constexpr int twice(int x) { return 2 * x; }
static const int table[4] = {twice(1), 5, 7, -1};
} // namespace inner
using inner::twice;
struct traits {
    static constexpr int taps[3] = {1, 2, 1};
    static constexpr int count = 3;
};
} // namespace outer
void names(const int in[N], int out[N])
{
    using namespace outer;
    for (int i = 0; i < N; i++) {
        auto m = in[i] & 1 ? mode::high : mode::low;
        int v = 0;
        switch (m) {
        case mode::low:
            v = inner::table[i % 4];
            break;
        case mode::high:
            v = twice(i);
            [[fallthrough]];
        default:
            v++;
        }
        for (auto t : traits::taps)
            v = v * 3 + t;
        out[i] = v + traits::count + static_cast<int>(m) + (int)sizeof(short);
    }
}

static void step(int &x, const int &by, int (&log)[2])
{
    log[x & 1] += by;
    x += by;
}
static int &second(int (&a)[2]) { return a[1]; }
void references(const int in[N], int out[N])
{
    int log[2] = {0, 0}, a = 0, b = 10;
    for (int i = 0; i < N; i++) {
        step(a, in[i] % 9, log);
        int &r = log[i & 1];
        r -= i;
        step(b, a, log);
        second(log) -= 3;
        out[i] = a + b * 2 + log[0] - log[1];
        do {
            b /= 2;
        } while (b > 50);
    }
}

void standard(const int in[N], int out[N])
{
    std::array<int, 4> last = {1, 2, 3, 4};
    std::complex<float> z(0.5f, 1.0f), turn(0.0f, 1.0f);
    for (int i = 0; i < N; i++) {
        last[i % last.size()] = std::max(in[i], -i);
        z = z * turn + std::complex<float>(1.0f, 0.0f);
        out[i] = std::min(last[0], last[3]) + std::abs(in[i]) + (int)(z.real() * 8) + (int)z.imag();
        std::swap(last[0], last[1]);
    }
}

void vectors(const int in[N], int out[N])
{
    hls::vector<int, 4> sum = 1;
    for (int i = 0; i < N; i += 4) {
        hls::vector<int, 4> one;
        for (int k = 0; k < 4; k++)
            one[k] = in[i + k] % 100;
        sum = sum * one + one;
        for (int k = 0; k < 4; k++)
            out[i + k] = sum[k];
    }
}

void numbers(const int in[N], int out[N])
{
    ap_uint<5> count = 0;
    ap_int<12> sum = 7;
    for (ap_uint<6> i = 0; i < N; i++) {
        ap_int<9> x = in[i];
        sum += x * count;
        count += 3;
        bool odd = x[0] ^ (bool)count[2];
        ap_uint<8> mixed = (ap_uint<8>)sum;
        mixed(6, 3) = x.range(4, 1);
        mixed[7] = odd;
        out[i] = sum + (x > sum ? 1 : -1) * mixed.to_int() + (ap_uint<12>((ap_uint<4>(x), mixed)) >> 2)
               + (count == 8) + x.length() + (-x) % 5;
    }
}

void fixed(const int in[N], int out[N])
{
    typedef ap_fixed<16, 6> data;
    const ap_fixed<8, 4> taps[4] = {0.5, -0.25, 1.125, -2};
    data line[4] = {0, 0, 0, 0};
    for (int i = 0; i < N; i++) {
        for (int k = 3; k > 0; k--)
            line[k] = line[k - 1];
        line[0] = data(in[i] % 512) >> 4;
        ap_fixed<28, 14> sum = 0;
        for (int k = 0; k < 4; k++)
            sum += line[k] * taps[k];
        ap_fixed<10, 5, AP_RND, AP_SAT> rounded = sum;
        ap_ufixed<9, 4, AP_RND_CONV, AP_SAT_ZERO> zero = sum;
        ap_fixed<7, 5, AP_TRN_ZERO> cut = sum;
        out[i] = rounded.range(9, 0).to_int() + 3 * zero.range(8, 0).to_int()
               + (int)(cut * 4) + (rounded < cut);
    }
}

void beats(const int in[N], int out[N])
{
    typedef ap_axiu<24, 1, 1, 1> beat;
    beat last;
    last.data = 5;
    last.last = 0;
    for (int i = 0; i < N; i++) {
        beat b;
        b.data = in[i];
        b.last = i % 8 == 7;
        out[i] = b.data.range(15, 8).to_int() + last.data.to_int() + last.last;
        last = b;
    }
}

typedef ap_uint<256> word256;
static word256 packed(const int *in)
{
    word256 w = 0;
    for (int k = 0; k < 8; k++)
        w.range(32 * k + 31, 32 * k) = ap_uint<32>(in[k]);
    return w;
}
struct tagged {
    word256 word;
    int tag;
};
static int lane(const word256 &w, int k) { return w.range(32 * k + 31, 32 * k).to_int(); }
void words(const int in[N], int out[N])
{
    word256 row[N / 8], last = 0;
    tagged t = {0, 3};
    for (int i = 0; i < N / 8; i++)
        row[i] = packed(&in[8 * i]);
    for (int i = 0; i < N / 8; i++) {
        word256 x = row[N / 8 - 1 - i];
        x = (x >> 32) ^ last;
        t.word = x == last ? x : (word256)(x | (word256)5);
        last = row[i];
        for (int k = 0; k < 8; k++)
            out[8 * i + k] = lane(x, k) + lane(t.word, 7 - k) * t.tag;
    }
}

static void swap_halves(const ap_uint<192> &x, ap_uint<192> &y)
{
    y = (x.range(95, 0), x.range(191, 96));
}
void wide_references(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++) {
        ap_int<32> v = in[i];
        ap_uint<192> x = (v, v, v, ap_uint<96>(7)), y;
        swap_halves(x, y);
        ap_uint<192> z = y == x ? x : y;
        out[i] = z.range(63, 32).to_int() + z.range(191, 160).to_int() + (y != x);
    }
}
struct packet {
    ap_uint<128> data;
    ap_uint<4> keep;
};
void wide_members(const int in[N], int out[N])
{
    packet p[4];
    for (int i = 0; i < N; i++) {
        packet q;
        q.data = in[i];
        q.data <<= 33;
        q.data[127] = in[i] & 1;
        q.keep = in[i] >> 3;
        p[i % 4] = q;
        packet r = p[i % 4];
        out[i] = r.data.range(40, 33).to_int() + r.keep + (r.data[127] ? 100 : 0);
    }
}
void wide_sums(const int in[N], int out[N])
{
    ap_int<80> acc = 0;
    for (int i = 0; i < N; i++) {
        acc += (ap_int<80>)in[i] * in[N - 1 - i];
        ap_int<96> twice = acc;
        twice = twice + acc;
        out[i] = twice >> 7;
    }
}

template <typename T> struct Width { static int of() { return 1; } };
template <int A, int B, ap_q_mode C, ap_o_mode D, int E> struct Width<ap_fixed<A, B, C, D, E>> {
    static int of() { return 10 * A + B; }
};

void slices(const int in[N], int out[N])
{
    const int bits = 5;
    for (int i = 0; i < N; i++) {
        ap_uint<30> word = in[i], made = 0;
        for (unsigned k = 0; k < 6; k++) {
            unsigned low = k * bits;
            unsigned high = (k + 1) * bits - 1;
            ap_uint<5> one = word(high, low);
            if (k == 3) {
                int low = 0, high = 2;
                one = word(high, low);
            }
            made(high, low) = one + k;
        }
        out[i] = made + Width<ap_fixed<7, 3, AP_RND>>::of() + Width<ap_int<7>>::of();
    }
}

template <int W> struct Lanes {
    ap_uint<4 * W> all;
    ap_int<4> at(int k) const { return all(W * k + W - 1, W * k); }
    auto lane(int k) -> decltype(all(W, 0)) { return all(W * k + W - 1, W * k); }
};

template <typename F> int folded(const int in[N], F &&f)
{
    int found = in[0];
    for (int i = 1; i < N; i++)
        found = f(found, in[i]);
    return found;
}

struct Holder {
    ap_uint<8> held;
    Holder() {}
    auto half(int k) const -> decltype(held(7, 0)) { return held(4 * k + 3, 4 * k); }
};
inline Holder holder() { return Holder(); }

void lambdas_given(const int in[N], int out[N])
{
    int least = folded(in, [](auto a, auto b) { return a < b ? a : b; });
    auto mixed = [](int a, int b) { return (a ^ b) & 0xffff; };
    int all = folded(in, mixed);
    for (int i = 0; i < N; i++) {
        auto made = holder();
        for (int k = 0; k < 2; k++)
            made.half(k) = in[i] >> k;
        out[i] = (least >> 8) + all + made.held + (ap_int<5>::sign_flag ? i : 0);
    }
}

template <int P> struct Store {
    ap_int<12> kept[P][4];
    class At {
        Store const &of;
        const unsigned where;

      public:
        At(Store const &of_, unsigned const where_) : of(of_), where(where_) {}
        ap_int<12> operator[](unsigned p) const { return of.kept[p][where]; }
    };
    At at(unsigned where) const { return At(*this, where); }
};

void views(const int in[N], int out[N])
{
    Store<3> store;
    for (int p = 0; p < 3; p++)
        for (int k = 0; k < 4; k++)
            store.kept[p][k] = in[4 * p + k];
    unsigned place = 0;
    for (int i = 0; i < N; i++) {
        auto const &now = store.at(place);
        auto before = store.at((place + 3) % 4);
        place = (place + 1) % 4;
        out[i] = now[i % 3] - 2 * before[(i + 1) % 3];
    }
}

struct Table {
    ap_int<4> taps[2][3];
    ap_uint<72> wide;
};

void written_numbers(const int in[N], int out[N])
{
    static const ap_uint<9> masks[3] = {"0x1f", "-1", "0b101"};
    Table table = {.taps = {{"0x7", "-3", "15"}, {1, -2}}, .wide = ap_uint<72>("fedcba9876543210ff", 16)};
    for (int i = 0; i < N; i++)
        out[i] = (in[i] & masks[i % 3]) * table.taps[i % 2][i % 3] + table.wide(71, 60) +
                 ap_int<12>("-0x7ff");
}

template <int A, int B> int narrowed(ap_uint<A> x)
{
    if (A > B) {
        ap_uint<B> y = x(B - 1, 0);
        return y;
    } else if (A == B)
        return x + 1;
    return x(A - 1, 1);
}

void parts(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++) {
        Lanes<7> lanes;
        ap_uint<96> wide;
        ap_uint<12> whole;
        whole = in[i];
        whole(7, 4) = i;
        for (int k = 0; k < 4; k++)
            lanes.lane(k) = in[i] >> k;
        for (int k = 0; k < 3; k++)
            wide(32 * k + 31, 32 * k) = in[i] ^ k;
        int found = lanes.lane(1) + lanes.at(2) + wide(70, 50) + whole;
        out[i] = found + narrowed<12, 5>(whole) + narrowed<12, 12>(whole) + narrowed<12, 20>(whole);
    }
}

void counters(const int in[N], int out[N])
{
    ap_uint<6> i, bound = 20;
    ap_int<4> k;
    for (i = 0; i < bound; i++)
        out[i] = in[i] * i;
    for (ap_uint<3> j = 2, n = 0; n < 5; j--, n++)
        out[20 + n] = in[n] + j;
    for (ap_uint<3> j = 5; j != 2; j++)
        out[25 + (j & 3)] = in[j] - j;
    for (k = 3; k > -3; k--)
        out[28 + (k & 3)] = in[k + 3] + k * 100 + i;
}

void shifted(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++) {
        ap_uint<12> a = in[i];
        ap_int<12> b = in[i];
        ap_fixed<14, 6> c = in[i];
        bool one = a.get_bit(11);
        out[i] = a.ashr(2) + b.ashr(3) * 5000 + c.ashr(1).range() + one;
    }
}

void stepped(const int in[N], int out[N])
{
    ap_uint<13> k, l, from = 3;
    ap_uint<8> width = 24 / 3;
    for (int i = 0; i < N; i++) {
        ap_uint<16> word = in[i];
        ap_uint<64> open;
        for (k = 0, l = 0; k < 16; k += 8, l += 32)
            open.range(l + 31, l) = word.range(k + 7, k) * (l + 1);
        out[i] = open.range(45, 10);
        for (ap_uint<4> c = 0, at = 0; c < 2; c++, at += width)
            out[i] += word.range(at + (width - 1), at) << c;
        for (ap_uint<4> odd = 0; odd < 11; odd += 3)
            out[i] -= odd * in[odd];
        for (ap_int<5> down = 15, up = 0; down > from; down -= 5, up += 9)
            out[i] ^= down * 1000 + up;
    }
}

void open_word(const int in[N], int out[N])
{
    ap_uint<128> word;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++)
            word.range(32 * k + 31, 32 * k) = in[i] * k;
        out[i] = word.range(70, 39);
    }
}

template <int D> int settled_of(ap_uint<16> word, int i)
{
    int step, first;
    if (D == 16 || D > 20) {
        step = 2;
        first = 1;
    } else if (D == 4)
        step = 4;
    else
        step = 8;
    int found = 0;
    for (int k = 0, at = 0; k < 2; k++, at += step)
        found += word.range(at + (step - 1), at) << k;
    if (i & 1)
        first = 5;
    else {
        int step = 3;
        found += step;
    }
    return found + first;
}
void settled(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++) {
        ap_uint<16> word = in[i];
        out[i] = settled_of<16>(word, 1) + settled_of<4>(word, 1) + settled_of<3>(word, 1);
    }
}

static int twice_and(int x, int &y) { y += x; return 2 * x; }
void effects_of_arguments(const int in[N], int out[N])
{
    int at = 0, total = 0, last;
    for (int i = 0; i < N; i++)
        out[i] = 0;
    while (at < N - 2) {
        int from = at;
        out[from] += twice_and(in[at++], total);
        out[from + 1] += twice_and(++at, total);
        out[from + 2] += twice_and(last = in[at], total);
    }
    out[N - 1] = total + last;
}

void whole_slices(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++) {
        ap_uint<8> part[2], made;
        ap_uint<100> word, other = in[i];
        for (int k = 0, at = 0; k < 1; k++, at += 8) {
            part[1].range(at + 7, at) = in[i];
            made = part[1].range(at + 7, at);
            word.range(at + 99, at) = other;
        }
        out[i] = made + word.range(33, 4);
    }
}

struct corner { int x, y; short z[2]; };
static int turned(corner *p, int by)
{
    int old = p->x;
    p->x = p->y - by;
    (*p).y = old;
    p->z[by & 1] += old;
    return p->z[0];
}
static int turned_twice(corner *p, corner &q, int by)
{
    return turned(p, by) + turned(&q, by + 1);
}
void pointed_objects(const int in[N], int out[N])
{
    corner a = {1, 2, {3, 4}}, b = {0, 1, {0, 5}};
    for (int i = 0; i < N; i++)
        out[i] = turned_twice(&a, b, in[i]) + a.x - b.y * a.z[1];
}

void quotients(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++) {
        ap_fixed<17, 9> a = in[i] / 1000.0f;
        ap_fixed<32, 13> b = a / 12;
        ap_ufixed<8, 3> c = ((in[N - 1 - i] & 63) + 1) / 16.0f;
        ap_fixed<64, 56> wide = in[i], by = a * 3 + 1;
        ap_fixed<32, 13> d = by != 0 ? (ap_fixed<32, 13>)(wide / by) : (ap_fixed<32, 13>)0;
        ap_int<20> whole = in[i];
        ap_fixed<24, 12> e = whole / c, f = a;
        f /= c;
        out[i] = b.range(20, 3).to_int() + d.range(29, 0).to_int() * 3
            + e.range(23, 0).to_int() * 5 + f.range(20, 0).to_int() * 7;
    }
}

static int most_of(const int (&row)[N], int from, int &at)
{
    int most = row[from];
    at = from;
    for (int k = from + 1; k < N; k++)
        if (row[k] > most) {
            most = row[k];
            at = k;
        }
    return most;
}
static int weighed(const int (&row)[N])
{
    int sum = 0;
    for (int k = 0; k < N; k++)
        sum = (sum * 3 + row[k]) & 0xffff;
    return sum;
}
static corner corner_of(const int (&row)[N], int at)
{
    corner made = {row[at] & 7, at, {1, 2}};
    return made;
}
void calls_in_choices(const int in[N], int out[N])
{
    int row[N];
    for (int i = 0; i < N; i++)
        row[i] = in[i];
    for (int i = 0; i < N; i++) {
        int at = -1, other = -2;
        int v = i >= 3 ? most_of(row, i, at) : weighed(row) - 1;
        bool both = row[i] > 0 && most_of(row, i / 2, other) > weighed(row);
        bool one = row[i] < 5 || (i > 4 && weighed(row) % 2 == 0);
        corner chosen = row[i] & 1 ? corner_of(row, i) : corner_of(row, N - 1 - i);
        ap_uint<9> narrow = i > 7 ? ap_uint<9>(most_of(row, 0, at)) : ap_uint<9>(7);
        out[i] = v + both * 2 + one * 4 + at - other + chosen.x * 3 + chosen.y + narrow;
    }
}

void unpacked_words(const int in[N], int out[N])
{
    ap_uint<128> words[N / 16], r, w, packed[N / 16 + 1];
    ap_uint<8> x = 0;
    int left = 0, taken = 0, room = 128, given = 0;
    for (int i = 0; i < N / 16; i++)
        for (int k = 0; k < 4; k++)
            words[i].range(32 * k + 31, 32 * k) = in[4 * i + k];
    for (int i = 0; i < N - 3; i++) {
        if (left < 8) {
            if (left != 0) {
                x.range(left - 1, 0) = r.range(127, 128 - left);
            }
            r = words[taken++];
            x.range(7, left) = r.range(7 - left, 0);
            left = 128 - (8 - left);
        } else {
            x = r.range(128 - left + 7, 128 - left);
            left -= 8;
        }
        x = x * 3 + i;
        if (room <= 8) {
            w.range(127, 128 - room) = x.range(room - 1, 0);
            packed[given++] = w;
            if (room != 8)
                w.range(7 - room, 0) = x.range(7, room);
            room = 128 - (8 - room);
        } else {
            w.range(128 - room + 7, 128 - room) = x;
            room -= 8;
        }
    }
    if (room != 128)
        packed[given] = w;
    for (int i = 0; i < N; i++)
        out[i] = i < N - 3 ? packed[i / 16].range(8 * (i % 16) + 7, 8 * (i % 16)).to_int() : left;
}

void turned_states(const int in[N], int out[N])
{
    ap_uint<32> x = 0;
    unsigned state = 3;
    for (int y = 0; y < 4; y++) {
        for (int i = 0; i < N / 4; i++) {
            x = in[8 * y + i];
            out[8 * y + i] = x.range(state + 4, state) + (x >> state) % 5;
            if (state == 7u || (in[i] & 1 && state > 9))
                state = 12;
            else if (state > 9)
                state--;
            else
                ++state;
            out[8 * y + i] += state;
        }
    }
}

struct pair_of { int a, b; };
void stepped_elements(const int in[N], int out[N])
{
    pair_of pairs[N], turned[N];
    ap_uint<96> wide[N];
    int k = 0, m = 0, n = 0;
    for (int i = 0; i < N; i++) {
        pairs[i] = {in[i], i};
        wide[i].range(70, 60) = in[i];
        wide[i].range(59, 0) = i;
        wide[i].range(95, 71) = 0;
    }
    for (int i = 0; i < N / 2; i++) {
        pair_of one = pairs[k++];
        turned[N - 1 - m++] = one;
        ap_uint<96> word = wide[n++];
        pair_of other = in[i] & 1 ? pairs[k++] : one;
        wide[n - 1] = word | 5;
        out[i] = one.a + other.b * 3 + turned[N - m].a + k;
    }
    for (int i = N / 2; i < N; i++)
        out[i] = wide[i - N / 2].range(66, 58).to_int() + n;
}

template <typename T> struct weights;
template <> struct weights<int> {
    static constexpr int row[4] = {1, 3, 3, 1};
    static constexpr int turned[2][2] = {{0, -1}, {1, 0}};
};
void constant_tables(const int in[N], int out[N])
{
    static constexpr short own[3] = {5, -6, 7};
    for (int i = 0; i < N; i++)
        out[i] = in[i] % 1000 * weights<int>::row[i % 4] + weights<int>::turned[i % 2][1] + own[i % 3];
}

void bytes_turned(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++) {
        ap_uint<24> x = in[i];
        ap_uint<24> y = (x(7, 0), (x(15, 8), x.range(23, 16)));
        ap_uint<24> z = ((x(7, 0), x(3, 0)), (x[0], x(13, 3)));
        out[i] = y ^ z;
    }
}
