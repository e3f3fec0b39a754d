/* Integers of any number of bits, for programs that are compiled: `hlsmem_number.h` computes in
 * `work<bits>`, the least of 64 bits, 128 bits and limbs that holds an exact result.
 */
#ifndef HLSMEM_LIMBS_H
#define HLSMEM_LIMBS_H

namespace hlsmem {

typedef long long s64;
typedef unsigned long long u64;
__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

/* Two's complement in limbs of 64 bits, the lowest first. Results keep the number of limbs. */
template <int N> struct limbs {
    u64 at[N];

    limbs() = default;
    template <class T> constexpr limbs(T x) : at() {
        for (int i = 0; i < N; i++)
            at[i] = i * 8 < (int)sizeof(T) ? (u64)(x >> i * 64) : x < 0 ? ~(u64)0 : 0;
    }
    template <int M> constexpr limbs(const limbs<M> &x, bool negative) : at() {
        for (int i = 0; i < N; i++)
            at[i] = i < M ? x.at[i < M ? i : 0] : negative ? ~(u64)0 : 0;
    }
    constexpr bool negative() const { return at[N - 1] >> 63; }
    constexpr explicit operator bool() const {
        for (int i = 0; i < N; i++)
            if (at[i])
                return true;
        return false;
    }
    constexpr explicit operator u64() const { return at[0]; }
    constexpr explicit operator s64() const { return (s64)at[0]; }
    constexpr explicit operator s128() const {
        return (s128)((u128)at[0] | (u128)(N > 1 ? at[N > 1] : negative() ? ~(u64)0 : 0) << 64);
    }

    constexpr limbs operator~() const {
        limbs made(*this);
        for (int i = 0; i < N; i++)
            made.at[i] = ~at[i];
        return made;
    }
    constexpr limbs operator-() const { return ~*this + limbs(1); }
    friend constexpr limbs operator+(limbs a, const limbs &b) {
        u128 sum = 0;
        for (int i = 0; i < N; i++, sum >>= 64)
            a.at[i] = (u64)(sum += (u128)a.at[i] + b.at[i]);
        return a;
    }
    friend constexpr limbs operator-(const limbs &a, const limbs &b) { return a + -b; }
    friend constexpr limbs operator*(const limbs &a, const limbs &b) {
        limbs made(0);
        for (int i = 0; i < N; i++) {
            u128 sum = 0;
            for (int j = 0; i + j < N; j++, sum >>= 64)
                made.at[i + j] = (u64)(sum += (u128)a.at[i] * b.at[j] + made.at[i + j]);
        }
        return made;
    }
    friend constexpr limbs operator&(limbs a, const limbs &b) {
        for (int i = 0; i < N; i++)
            a.at[i] &= b.at[i];
        return a;
    }
    friend constexpr limbs operator|(limbs a, const limbs &b) {
        for (int i = 0; i < N; i++)
            a.at[i] |= b.at[i];
        return a;
    }
    friend constexpr limbs operator^(limbs a, const limbs &b) {
        for (int i = 0; i < N; i++)
            a.at[i] ^= b.at[i];
        return a;
    }
    friend constexpr bool operator==(const limbs &a, const limbs &b) { return !(bool)(a ^ b); }
    friend constexpr bool operator!=(const limbs &a, const limbs &b) { return (bool)(a ^ b); }
    friend constexpr bool operator<(const limbs &a, const limbs &b) {
        if (a.negative() != b.negative())
            return a.negative();
        for (int i = N - 1; i >= 0; i--)
            if (a.at[i] != b.at[i])
                return a.at[i] < b.at[i];
        return false;
    }
    friend constexpr bool operator>(const limbs &a, const limbs &b) { return b < a; }
    friend constexpr bool operator<=(const limbs &a, const limbs &b) { return !(b < a); }
    friend constexpr bool operator>=(const limbs &a, const limbs &b) { return !(a < b); }

    /* Quotient and remainder of magnitudes, a bit at a time; the remainder has the sign of a. */
    static constexpr limbs divided(const limbs &a, const limbs &b, bool remainder) {
        limbs left(0), quotient(0), over = a.negative() ? -a : a, by = b.negative() ? -b : b;
        for (int i = 64 * N - 1; i >= 0; i--) {
            left = left + left + limbs(over.at[i / 64] >> i % 64 & 1);
            if (left >= by) {
                left = left - by;
                quotient.at[i / 64] |= (u64)1 << i % 64;
            }
        }
        if (remainder)
            return a.negative() ? -left : left;
        return a.negative() != b.negative() ? -quotient : quotient;
    }
    friend constexpr limbs operator/(const limbs &a, const limbs &b) {
        return divided(a, b, false);
    }
    friend constexpr limbs operator%(const limbs &a, const limbs &b) { return divided(a, b, true); }
};

template <bool, class A, class B> struct pick { typedef A type; };
template <class A, class B> struct pick<false, A, B> { typedef B type; };
template <int Bits>
using work = typename pick<(Bits <= 64), s64,
                           typename pick<(Bits <= 128), s128, limbs<(Bits + 63) / 64>>::type>::type;

/* x * 2**n and the floor of x / 2**n, n >= 0; what does not fit is lost. */
constexpr s64 shl(s64 x, int n) { return n < 64 ? (s64)((u64)x << n) : 0; }
constexpr s128 shl(s128 x, int n) { return n < 128 ? (s128)((u128)x << n) : 0; }
template <int N> constexpr limbs<N> shl(const limbs<N> &x, int n) {
    limbs<N> made(0);
    for (int i = N - 1; i >= n / 64; i--) {
        int from = i - n / 64;
        u64 low = n % 64 && from ? x.at[from - 1] >> (64 - n % 64) : 0;
        made.at[i] = x.at[from] << n % 64 | low;
    }
    return made;
}
constexpr s64 shr(s64 x, int n) { return x >> (n < 64 ? n : 63); }
constexpr s128 shr(s128 x, int n) { return x >> (n < 128 ? n : 127); }
template <int N> constexpr limbs<N> shr(const limbs<N> &x, int n) {
    limbs<N> made(x.negative() ? -1 : 0);
    for (int i = 0; i + n / 64 < N; i++) {
        int from = i + n / 64;
        u64 high = from + 1 < N ? x.at[from + 1] : x.negative() ? ~(u64)0 : 0;
        made.at[i] = n % 64 ? x.at[from] >> n % 64 | high << (64 - n % 64) : x.at[from];
    }
    return made;
}

/* A stored number as one of another type; the last argument says which. */
template <class V> constexpr s64 load(const V &x, bool, s64) { return (s64)x; }
template <class V> constexpr s128 load(const V &x, bool, s128) { return (s128)x; }
template <class V, int N> constexpr limbs<N> load(const V &x, bool, limbs<N>) {
    return limbs<N>(x);
}
template <int M, int N> constexpr limbs<N> load(const limbs<M> &x, bool is_signed, limbs<N>) {
    return limbs<N>(x, is_signed && x.negative());
}

/* floor(x / 2**n), then rounded as Q says by what was cut off. */
template <class T> constexpr T rounded(T x, int n, int q) {
    T floor = shr(x, n), rest = x - shl(floor, n), half = shl(T(1), n - 1);
    bool negative = x < T(0), odd = (floor & T(1)) != T(0), up = false;
    switch (q) {
    case 1: up = negative && rest != T(0); break;
    case 2: up = rest >= half; break;
    case 3: up = negative ? rest >= half : rest > half; break;
    case 4: up = rest > half; break;
    case 5: up = negative ? rest > half : rest >= half; break;
    case 6: up = odd ? rest >= half : rest > half; break;
    case 7: up = odd ? rest > half : rest >= half; break;
    default: break;
    }
    return floor + T(up ? 1 : 0);
}

/* The number of w bits that stands for x; AP_WRAP leaves the cut to who stores it. */
template <class T> constexpr T limited(T x, int w, bool is_signed, int o) {
    T greatest = shl(T(1), is_signed ? w - 1 : w) - T(1);
    T least = !is_signed ? T(0) : o == 3 ? -greatest : -greatest - T(1);
    if (o == 0 || (x >= least && x <= greatest))
        return x;
    return o == 2 ? T(0) : x < least ? least : greatest;
}

/* A double is mantissa * 2**exponent. */
struct binary {
    s64 mantissa;
    int exponent;
};
constexpr binary decomposed(double x) {
    u64 bits = __builtin_bit_cast(u64, x);
    int exponent = (int)(bits >> 52 & 2047);
    s64 mantissa = (s64)(bits << 12 >> 12 | (exponent ? (u64)1 << 52 : 0));
    return binary{bits >> 63 ? -mantissa : mantissa, (exponent ? exponent : 1) - 1075};
}

constexpr double power_of_two(int n) {
    double made = 1, factor = n < 0 ? 0.5 : 2;
    for (n = n < 0 ? -n : n; n; n >>= 1, factor *= factor)
        made *= n & 1 ? factor : 1;
    return made;
}

/* x * 2**exponent, rounded once to the nearest R, ties to even. */
template <class R, class T> constexpr R real_of(T x, int exponent) {
    bool negative = x < T(0);
    T left = negative ? -x : x;
    for (; shr(left, 62) != T(0); exponent++)
        left = shr(left, 1) | (left & T(1));
    R made = (R)(u64)left;
    return (R)((negative ? -made : made) * power_of_two(exponent));
}

} // namespace hlsmem
#endif
