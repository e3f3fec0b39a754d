/* ap_int and ap_uint of 1 to 64 bits, to compile HLS sources where the vendor's headers are not.
 *
 * Widths of results are those of AMD UG1399, "C++ arbitrary precision integer types": a sum of two
 * ap_int<8> has 9 bits, a product 16; what is assigned keeps its last bits. A result of more than
 * 64 bits does not compile. An element takes the bytes of the least integer that holds it, as in
 * the vendor's headers.
 */
#ifndef HLSMEM_STUB_AP_INT_H
#define HLSMEM_STUB_AP_INT_H

#include <stdint.h>

namespace hlsmem {

template <int Bits, bool Signed> struct stored;
template <> struct stored<8, true> { typedef signed char type; };
template <> struct stored<8, false> { typedef unsigned char type; };
template <> struct stored<16, true> { typedef short type; };
template <> struct stored<16, false> { typedef unsigned short type; };
template <> struct stored<32, true> { typedef int type; };
template <> struct stored<32, false> { typedef unsigned type; };
template <> struct stored<64, true> { typedef long type; };
template <> struct stored<64, false> { typedef unsigned long type; };

constexpr int stored_bits(int w) { return w <= 8 ? 8 : w <= 16 ? 16 : w <= 32 ? 32 : 64; }

} // namespace hlsmem

#ifdef HLSMEM_NATIVE
/* For `hlsmem check --only reading`, which records loads and stores: an element is a plain integer.
 * Values may have more bits than they should, addresses and their order are the same. */
template <int w_> using ap_int = typename hlsmem::stored<hlsmem::stored_bits(w_), true>::type;
template <int w_> using ap_uint = typename hlsmem::stored<hlsmem::stored_bits(w_), false>::type;
#else

#ifdef HLSMEM_CUTS
extern "C" void hlsmem_cut(void);
#endif

namespace hlsmem {

constexpr int max(int a, int b) { return a < b ? b : a; }
constexpr int min(int a, int b) { return a < b ? a : b; }

/* The bits of the least type, signed if either is, that holds all values of both. */
constexpr int both(int w, bool s, int w2, bool s2) {
    return max(w + (s2 && !s), w2 + (s && !s2));
}

template <typename t_> struct native { enum { known = 0 }; };
#define HLSMEM_NATIVE_TYPE(t_, bits, sign) \
    template <> struct native<t_> { enum { known = 1, w = bits, s = sign }; }
HLSMEM_NATIVE_TYPE(bool, 1, 0);
HLSMEM_NATIVE_TYPE(char, 8, 1);
HLSMEM_NATIVE_TYPE(signed char, 8, 1);
HLSMEM_NATIVE_TYPE(unsigned char, 8, 0);
HLSMEM_NATIVE_TYPE(short, 16, 1);
HLSMEM_NATIVE_TYPE(unsigned short, 16, 0);
HLSMEM_NATIVE_TYPE(int, 32, 1);
HLSMEM_NATIVE_TYPE(unsigned, 32, 0);
HLSMEM_NATIVE_TYPE(long, 64, 1);
HLSMEM_NATIVE_TYPE(unsigned long, 64, 0);
HLSMEM_NATIVE_TYPE(long long, 64, 1);
HLSMEM_NATIVE_TYPE(unsigned long long, 64, 0);
#undef HLSMEM_NATIVE_TYPE

template <int w_, bool s_> struct number {
    static_assert(w_ >= 1, "an integer has at least one bit");
    static_assert(w_ <= 64, "more than 64 bits: cast an operand to a narrower type first");
    typedef typename stored<stored_bits(w_ <= 64 ? w_ : 64), s_>::type base;
    base value;

    number() = default;
    template <int w2_, bool s2_>
    constexpr number(number<w2_, s2_> x) : value(cut((uint64_t)x.value)) {}
    template <typename t_, int = 1 / native<t_>::known>
    constexpr number(t_ x) : value(cut((uint64_t)x)) {}
    constexpr operator base() const { return value; }

    /* The last w_ bits. */
    static constexpr base cut(uint64_t x) {
        return noted(x, s_ ? (base)((int64_t)(x << (64 - w_)) >> (64 - w_))
                           : (base)(x & (~(uint64_t)0 >> (64 - w_))));
    }
#ifdef HLSMEM_CUTS
    /* For `hlsmem check --only reading`: whether C's own integers would hold another number. */
    static constexpr base noted(uint64_t x, base made) {
        if (w_ != stored_bits(w_) ? x != (uint64_t)made : w_ > 32 && x != (uint64_t)(int)x)
            hlsmem_cut();
        return made;
    }
#else
    static constexpr base noted(uint64_t, base made) { return made; }
#endif
    static constexpr number of(uint64_t x) {
        number made = number(0);
        made.value = cut(x);
        return made;
    }

#define HLSMEM_ASSIGNED(op) \
    template <typename t_> number &operator op##=(t_ x) { \
        return *this = of((uint64_t)value op (uint64_t)number<64, true>(x)); \
    }
    HLSMEM_ASSIGNED(+)
    HLSMEM_ASSIGNED(-)
    HLSMEM_ASSIGNED(*)
    HLSMEM_ASSIGNED(&)
    HLSMEM_ASSIGNED(|)
    HLSMEM_ASSIGNED(^)
#undef HLSMEM_ASSIGNED
    template <typename t_> number &operator/=(t_ x) { return *this = *this / x; }
    template <typename t_> number &operator%=(t_ x) { return *this = *this % x; }
    template <typename t_> number &operator<<=(t_ n) { return *this = *this << n; }
    template <typename t_> number &operator>>=(t_ n) { return *this = *this >> n; }
    number &operator++() { return *this += 1; }
    number &operator--() { return *this -= 1; }
    number operator++(int) { number old = *this; *this += 1; return old; }
    number operator--(int) { number old = *this; *this -= 1; return old; }

    constexpr number<w_ + 1, true> operator-() const {
        return number<w_ + 1, true>::of(-(uint64_t)value);
    }
    constexpr number operator+() const { return *this; }
    constexpr number operator~() const { return of(~(uint64_t)value); }
};

/* Sums and products are exact in 64 bits where the result has no more. */
#define HLSMEM_EXACT(op, bits, sign) \
    template <int w_, bool s_, int w2_, bool s2_> \
    constexpr number<bits, sign> operator op(number<w_, s_> a, number<w2_, s2_> b) { \
        return number<bits, sign>::of((uint64_t)a.value op (uint64_t)b.value); \
    }
HLSMEM_EXACT(+, both(w_, s_, w2_, s2_) + 1, (s_ || s2_))
HLSMEM_EXACT(-, both(w_, s_, w2_, s2_) + 1, true)
HLSMEM_EXACT(*, w_ + w2_, (s_ || s2_))
HLSMEM_EXACT(&, both(w_, s_, w2_, s2_), (s_ || s2_))
HLSMEM_EXACT(|, both(w_, s_, w2_, s2_), (s_ || s2_))
HLSMEM_EXACT(^, both(w_, s_, w2_, s2_), (s_ || s2_))
#undef HLSMEM_EXACT

/* Quotients and comparisons need a type that holds both operands. */
template <int w_, bool s_, int w2_, bool s2_> struct held {
    static_assert(both(w_, s_, w2_, s2_) <= 64, "64 bits do not hold both: cast one of them");
    typedef typename stored<64, (s_ || s2_)>::type type;
};
#define HLSMEM_HELD(op, result) \
    template <int w_, bool s_, int w2_, bool s2_> \
    constexpr result operator op(number<w_, s_> a, number<w2_, s2_> b) { \
        typedef typename held<w_, s_, w2_, s2_>::type both_of; \
        return result((both_of)a.value op (both_of)b.value); \
    }
#define HLSMEM_COMMA ,
HLSMEM_HELD(/, number<w_ + s2_ HLSMEM_COMMA (s_ || s2_)>)
HLSMEM_HELD(%, number<min(w_ HLSMEM_COMMA w2_ + (!s2_ && s_)) HLSMEM_COMMA s_>)
HLSMEM_HELD(<, bool)
HLSMEM_HELD(<=, bool)
HLSMEM_HELD(>, bool)
HLSMEM_HELD(>=, bool)
HLSMEM_HELD(==, bool)
HLSMEM_HELD(!=, bool)
#undef HLSMEM_HELD
#undef HLSMEM_COMMA

/* What is shifted keeps its type. */
template <int w_, bool s_, typename t_, int = 1 / native<t_>::known>
constexpr number<w_, s_> operator<<(number<w_, s_> a, t_ n) {
    return number<w_, s_>::of(n >= 64 ? 0 : (uint64_t)a.value << n);
}
template <int w_, bool s_, typename t_, int = 1 / native<t_>::known>
constexpr number<w_, s_> operator>>(number<w_, s_> a, t_ n) {
    return n < w_ ? number<w_, s_>::of((uint64_t)(a.value >> n))
                  : number<w_, s_>::of((uint64_t)(a.value < 0 ? -1 : 0));
}
template <int w_, bool s_, int w2_, bool s2_>
constexpr number<w_, s_> operator<<(number<w_, s_> a, number<w2_, s2_> n) {
    return a << (long)n.value;
}
template <int w_, bool s_, int w2_, bool s2_>
constexpr number<w_, s_> operator>>(number<w_, s_> a, number<w2_, s2_> n) {
    return a >> (long)n.value;
}

/* An integer of C is one of its own bits. */
#define HLSMEM_MIXED(op) \
    template <int w_, bool s_, typename t_, int k_ = 1 / native<t_>::known> \
    constexpr auto operator op(number<w_, s_> a, t_ b) \
        -> decltype(a op number<native<t_>::w, native<t_>::s>(b)) { \
        return a op number<native<t_>::w, native<t_>::s>(b); \
    } \
    template <int w_, bool s_, typename t_, int k_ = 1 / native<t_>::known> \
    constexpr auto operator op(t_ a, number<w_, s_> b) \
        -> decltype(number<native<t_>::w, native<t_>::s>(a) op b) { \
        return number<native<t_>::w, native<t_>::s>(a) op b; \
    }
HLSMEM_MIXED(+)
HLSMEM_MIXED(-)
HLSMEM_MIXED(*)
HLSMEM_MIXED(/)
HLSMEM_MIXED(%)
HLSMEM_MIXED(&)
HLSMEM_MIXED(|)
HLSMEM_MIXED(^)
HLSMEM_MIXED(<)
HLSMEM_MIXED(<=)
HLSMEM_MIXED(>)
HLSMEM_MIXED(>=)
HLSMEM_MIXED(==)
HLSMEM_MIXED(!=)
#undef HLSMEM_MIXED

} // namespace hlsmem

template <int w_> using ap_int = hlsmem::number<w_, true>;
template <int w_> using ap_uint = hlsmem::number<w_, false>;

#endif
#endif
