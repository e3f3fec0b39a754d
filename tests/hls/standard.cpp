// What kernels use of the standard library; prints values, each of a type that it depends on.
#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

static void put(const char *what, double x) { printf("%s %.17g\n", what, x); }
template <class T> static int bytes(T) { return sizeof(T); }

template <class T> static void limits(const char *name) {
    typedef std::numeric_limits<T> l;
    printf("%s %d %d %d\n", name, l::is_signed, l::is_integer, l::digits);
    printf("%.17g %.17g %.17g\n", (double)l::min(), (double)l::max(), (double)l::lowest());
}

static int sum(std::initializer_list<int> list) {
    int x = 0;
    for (int one : list)
        x += one;
    return x + (int)list.size();
}

struct pod {
    int a[3];
};
enum class colour : short { red };

int main() {
    put("sqrt of int", std::sqrt(2) + sqrt(3));
    put("sqrt of float", std::sqrt(2.0f));
    printf("%d %d %d %d\n", bytes(std::sqrt(2.0f)), bytes(std::sqrt(2)), bytes(sqrtf(2)),
           bytes(std::pow(2.0f, 2)));
    put("abs", std::abs(-3) + std::abs(-2.5) + std::abs(-1.25f) + std::abs(-7L) + abs(-1));
    put("fabs", std::fabs(-2.5f) + fmod(7.0, 4.0) + std::floor(-1.5f) + std::ceil(1.5) + hypot(3, 4));
    put("rounded", std::round(2.5f) + std::trunc(-2.5) + lround(-2.5) + std::lround(3.5f));
    printf("%d %d %d\n", std::isnan(NAN), std::isinf(INFINITY), std::isfinite(1.0));

    put("min, max", std::min(3, 4) + std::max(2.5, 1.5) + std::min<long>(2, 1));
    put("clamp", std::clamp(7, 0, 5) + std::clamp(-7, 0, 5) + std::clamp(3, 0, 5));
    int a[5] = {5, 4, 3, 2, 1}, b[5];
    std::copy(a, a + 5, b);
    std::fill(a + 3, a + 5, 9);
    std::fill_n(a, 2, 7);
    std::swap(a[0], b[4]);
    std::swap(a[1], a[2]);
    for (int i = 0; i < 5; i++)
        printf("%d %d ", a[i], b[i]);
    put("sums", std::accumulate(a, a + 5, 0) + std::inner_product(a, a + 5, b, 0));
    std::iota(b, b + 5, 3);
    put("iota", b[4] + std::gcd(12, 18));

    std::array<int, 4> x = {1, 2, 3, 4}, y = x;
    x.fill(6);
    std::swap(x[0], y[1]);
    for (int one : x)
        printf("%d ", one);
    put("array", y[1] + y.at(2) + y.front() + y.back() + x.size() + std::get<3>(y) + y.data()[0]);

    std::tuple<int, float, char> t = std::make_tuple(1, 2.5f, 'c');
    std::get<0>(t) += 4;
    int i;
    float f;
    char c;
    std::tie(i, f, c) = t;
    put("tuple", i + f + c + std::tuple_size<decltype(t)>::value);
    auto p = std::make_pair(3, 0.5);
    auto [first, second] = p;
    auto [one, two] = std::make_tuple(8, 0.25);
    put("pair", p.first + p.second + first + second + one + two);
    put("list", sum({1, 2, 3}));

    std::complex<float> z(1, 2), w(3, -1);
    z += w * z - std::complex<float>(0.5f);
    w = std::conj(z) * 2.0f + 1.0f;
    printf("%g %g %g %g %d\n", z.real(), z.imag(), w.real(), w.imag(), z == w);
    std::complex<double> q = std::complex<double>(4, 2) / std::complex<double>(1, 1);
    printf("%g %g %g %g\n", q.real(), q.imag(), std::norm(q), std::abs(q));

    put("functional", std::plus<int>()(1, 2) + std::multiplies<>()(3, 4.5) + std::greater<int>()(2, 1));
    put("forward", std::forward<int>(3) + std::move(i));

    limits<bool>("bool");
    limits<char>("char");
    limits<short>("short");
    limits<unsigned>("unsigned");
    limits<long>("long");
    limits<float>("float");
    limits<double>("double");
    put("epsilon", std::numeric_limits<float>::epsilon() + DBL_EPSILON);
    printf("%ld %d %u %d\n", LONG_MAX, INT_MIN, UINT_MAX, (int)sizeof(std::uint16_t));
    printf("%d %d %d %d %d %d\n", std::is_same<int, std::int32_t>::value, std::is_integral<bool>::value,
           std::is_floating_point<double>::value, std::is_signed<unsigned>::value,
           std::is_enum<colour>::value, std::is_class<pod>::value);
    printf("%d %d\n", bytes(std::conditional_t<(3 > 2), char, int>()),
           bytes(std::underlying_type<colour>::type()));
    printf("%d %d\n", bytes(std::remove_reference_t<short &>()), bytes(std::decay_t<const long>()));
    pod from = {{1, 2, 3}}, to;
    std::memcpy(&to, &from, sizeof to);
    put("bytes", to.a[0] + strlen("four") + std::memcmp(&to, &from, sizeof to) + atoi("12"));
}
