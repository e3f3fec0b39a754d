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
template <int N_> struct limbs {
    u64 at[N_];

    limbs() = default;
    template <class T_> constexpr limbs(T_ x_) : at() {
        for (int i_ = 0; i_ < N_; i_++)
            at[i_] = i_ * 8 < (int)sizeof(T_) ? (u64)(x_ >> i_ * 64) : x_ < 0 ? ~(u64)0 : 0;
    }
    template <int M_> constexpr limbs(const limbs<M_> &x_, bool negative) : at() {
        for (int i_ = 0; i_ < N_; i_++)
            at[i_] = i_ < M_ ? x_.at[i_ < M_ ? i_ : 0] : negative ? ~(u64)0 : 0;
    }
    constexpr bool negative() const { return at[N_ - 1] >> 63; }
    constexpr explicit operator bool() const {
        for (int i_ = 0; i_ < N_; i_++)
            if (at[i_])
                return true;
        return false;
    }
    constexpr explicit operator u64() const { return at[0]; }
    constexpr explicit operator s64() const { return (s64)at[0]; }
    constexpr explicit operator s128() const {
        return (s128)((u128)at[0] | (u128)(N_ > 1 ? at[N_ > 1] : negative() ? ~(u64)0 : 0) << 64);
    }

    constexpr limbs operator~() const {
        limbs made(*this);
        for (int i_ = 0; i_ < N_; i_++)
            made.at[i_] = ~at[i_];
        return made;
    }
    constexpr limbs operator-() const { return ~*this + limbs(1); }
    friend constexpr limbs operator+(limbs a_, const limbs &b_) {
        u128 sum = 0;
        for (int i_ = 0; i_ < N_; i_++, sum >>= 64)
            a_.at[i_] = (u64)(sum += (u128)a_.at[i_] + b_.at[i_]);
        return a_;
    }
    friend constexpr limbs operator-(const limbs &a_, const limbs &b_) { return a_ + -b_; }
    friend constexpr limbs operator*(const limbs &a_, const limbs &b_) {
        limbs made(0);
        for (int i_ = 0; i_ < N_; i_++) {
            u128 sum = 0;
            for (int j_ = 0; i_ + j_ < N_; j_++, sum >>= 64)
                made.at[i_ + j_] = (u64)(sum += (u128)a_.at[i_] * b_.at[j_] + made.at[i_ + j_]);
        }
        return made;
    }
#define HLSMEM_LOGIC(op) \
    friend constexpr limbs operator op(limbs a_, const limbs &b_) { \
        for (int i_ = 0; i_ < N_; i_++) \
            a_.at[i_] = a_.at[i_] op b_.at[i_]; \
        return a_; \
    }
    HLSMEM_LOGIC(&)
    HLSMEM_LOGIC(|)
    HLSMEM_LOGIC(^)
#undef HLSMEM_LOGIC
    friend constexpr bool operator==(const limbs &a_, const limbs &b_) { return !(bool)(a_ ^ b_); }
    friend constexpr bool operator!=(const limbs &a_, const limbs &b_) { return (bool)(a_ ^ b_); }
    friend constexpr bool operator<(const limbs &a_, const limbs &b_) {
        if (a_.negative() != b_.negative())
            return a_.negative();
        for (int i_ = N_ - 1; i_ >= 0; i_--)
            if (a_.at[i_] != b_.at[i_])
                return a_.at[i_] < b_.at[i_];
        return false;
    }
    friend constexpr bool operator>(const limbs &a_, const limbs &b_) { return b_ < a_; }
    friend constexpr bool operator<=(const limbs &a_, const limbs &b_) { return !(b_ < a_); }
    friend constexpr bool operator>=(const limbs &a_, const limbs &b_) { return !(a_ < b_); }

    /* Quotient and remainder of magnitudes, a bit at a time; the remainder has the sign of a. */
    static constexpr limbs divided(const limbs &a_, const limbs &b_, bool remainder) {
        limbs left(0), quotient(0), over = a_.negative() ? -a_ : a_, by = b_.negative() ? -b_ : b_;
        for (int i_ = 64 * N_ - 1; i_ >= 0; i_--) {
            left = left + left + limbs(over.at[i_ / 64] >> i_ % 64 & 1);
            if (left >= by) {
                left = left - by;
                quotient.at[i_ / 64] |= (u64)1 << i_ % 64;
            }
        }
        if (remainder)
            return a_.negative() ? -left : left;
        return a_.negative() != b_.negative() ? -quotient : quotient;
    }
    friend constexpr limbs operator/(limbs a_, limbs b_) { return divided(a_, b_, false); }
    friend constexpr limbs operator%(limbs a_, limbs b_) { return divided(a_, b_, true); }
};

template <bool, class A_, class B_> struct pick { typedef A_ type; };
template <class A_, class B_> struct pick<false, A_, B_> { typedef B_ type; };
template <int bits_> using wider = pick<(bits_ <= 128), s128, limbs<(bits_ + 63) / 64>>;
template <int bits_>
using work = typename pick<(bits_ <= 64), s64, typename wider<bits_>::type>::type;

/* x * 2**n and the floor of x / 2**n, n >= 0; what does not fit is lost. */
constexpr s64 shl(s64 x_, int n_) { return n_ < 64 ? (s64)((u64)x_ << n_) : 0; }
constexpr s128 shl(s128 x_, int n_) { return n_ < 128 ? (s128)((u128)x_ << n_) : 0; }
template <int N_> constexpr limbs<N_> shl(const limbs<N_> &x_, int n_) {
    limbs<N_> made(0);
    for (int i_ = N_ - 1; i_ >= n_ / 64; i_--) {
        int from = i_ - n_ / 64;
        u64 low = n_ % 64 && from ? x_.at[from - 1] >> (64 - n_ % 64) : 0;
        made.at[i_] = x_.at[from] << n_ % 64 | low;
    }
    return made;
}
constexpr s64 shr(s64 x_, int n_) { return x_ >> (n_ < 64 ? n_ : 63); }
constexpr s128 shr(s128 x_, int n_) { return x_ >> (n_ < 128 ? n_ : 127); }
template <int N_> constexpr limbs<N_> shr(const limbs<N_> &x_, int n_) {
    limbs<N_> made(x_.negative() ? -1 : 0);
    for (int i_ = 0; i_ + n_ / 64 < N_; i_++) {
        int from = i_ + n_ / 64;
        u64 high = from + 1 < N_ ? x_.at[from + 1] : x_.negative() ? ~(u64)0 : 0;
        made.at[i_] = n_ % 64 ? x_.at[from] >> n_ % 64 | high << (64 - n_ % 64) : x_.at[from];
    }
    return made;
}

/* A stored number as one of another type; the last argument says which. */
template <class V_> constexpr s64 load(const V_ &x_, bool, s64) { return (s64)x_; }
template <class V_> constexpr s128 load(const V_ &x_, bool, s128) { return (s128)x_; }
template <class V_, int N_> constexpr limbs<N_> load(const V_ &x_, bool, limbs<N_>) {
    return limbs<N_>(x_);
}
template <int M_, int N_> constexpr limbs<N_> load(const limbs<M_> &x_, bool is_signed, limbs<N_>) {
    return limbs<N_>(x_, is_signed && x_.negative());
}

/* floor(x / 2**n), then rounded as Q says by what was cut off. */
template <class T_> constexpr T_ rounded(T_ x_, int n_, int q_) {
    T_ floor = shr(x_, n_), rest = x_ - shl(floor, n_), half = shl(T_(1), n_ - 1);
    bool negative = x_ < T_(0), odd = (floor & T_(1)) != T_(0), up = false;
    switch (q_) {
    case 1: up = negative && rest != T_(0); break;
    case 2: up = rest >= half; break;
    case 3: up = negative ? rest >= half : rest > half; break;
    case 4: up = rest > half; break;
    case 5: up = negative ? rest > half : rest >= half; break;
    case 6: up = odd ? rest >= half : rest > half; break;
    case 7: up = odd ? rest > half : rest >= half; break;
    default: break;
    }
    return floor + T_(up ? 1 : 0);
}

/* The number of w bits that stands for x; AP_WRAP leaves the cut to who stores it. */
template <class T_> constexpr T_ limited(T_ x_, int w_, bool is_signed, int o_) {
    if (o_ == 0)
        return x_;
    T_ greatest = shl(T_(1), is_signed ? w_ - 1 : w_) - T_(1);
    T_ least = !is_signed ? T_(0) : o_ == 3 ? -greatest : -greatest - T_(1);
    if (x_ >= least && x_ <= greatest)
        return x_;
    return o_ == 2 ? T_(0) : x_ < least ? least : greatest;
}

/* A double is mantissa * 2**exponent. */
struct binary {
    s64 mantissa;
    int exponent;
};
constexpr binary decomposed(double x_) {
    u64 bits = __builtin_bit_cast(u64, x_);
    int exponent = (int)(bits >> 52 & 2047);
    s64 mantissa = (s64)(bits << 12 >> 12 | (exponent ? (u64)1 << 52 : 0));
    return binary{bits >> 63 ? -mantissa : mantissa, (exponent ? exponent : 1) - 1075};
}

constexpr double power_of_two(int n_) {
    double made = 1, factor = n_ < 0 ? 0.5 : 2;
    for (n_ = n_ < 0 ? -n_ : n_; n_; n_ >>= 1, factor *= factor)
        made *= n_ & 1 ? factor : 1;
    return made;
}

/* x * 2**exponent, rounded once to the nearest R, ties to even. */
template <class R_, class T_> constexpr R_ real_of(T_ x_, int exponent) {
    bool negative = x_ < T_(0);
    T_ left = negative ? -x_ : x_;
    for (; shr(left, 62) != T_(0); exponent++)
        left = shr(left, 1) | (left & T_(1));
    R_ made = (R_)(u64)left;
    return (R_)((negative ? -made : made) * power_of_two(exponent));
}

} // namespace hlsmem
#endif
