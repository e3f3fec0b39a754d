/* Numbers of any width with a binary point: what every vendor's classes of numbers stand on.
 *
 * Widths of results are those of AMD UG1399, "C++ arbitrary precision types", which are those of
 * Algorithmic C. Values are exact; what is assigned is rounded and limited as its type says. An
 * element of at most 64 bits takes the bytes of the least integer that holds it, a wider one takes
 * limbs of 64 bits.
 *
 * HLSMEM_READ: the planner reads the file; constructors, conversions and operators of `num` and
 * `part` are declarations, and all other methods are plain C++ over them.
 * HLSMEM_NATIVE: integers are those of C, so that loads and stores are seen one by one.
 * HLSMEM_CUTS: hlsmem_cut() is called where an integer of C would hold another number.
 */
#ifndef HLSMEM_NUMBER_H
#define HLSMEM_NUMBER_H

#ifdef HLSMEM_READ
#define HLSMEM_FN
#define HLSMEM_BODY(...) ;
#define HLSMEM_MADE(...) ;
namespace hlsmem {
template <int N> struct limbs { unsigned long long at[N]; };
}
#else
#include "hlsmem_limbs.h"
namespace hlsmem {
template <class N> struct values;
}
#define HLSMEM_FN constexpr
#define HLSMEM_BODY(...) { __VA_ARGS__ }
#define HLSMEM_MADE(...) : __VA_ARGS__ {}
#endif
#ifdef HLSMEM_CUTS
extern "C" void hlsmem_cut(void);
#endif

namespace hlsmem {

/* ALGORITHMIC is added to the mode of ac_int and ac_fixed, which differ from AMD's in `~`, in `++`
 * of fixed point, in integers of negative fractions, and in nothing else. */
enum rounding { TRN, TRN_ZERO, RND, RND_ZERO, RND_MIN_INF, RND_INF, RND_CONV, RND_CONV_ODD, ALGORITHMIC = 8 };
constexpr rounding algorithmic(int mode) { return (rounding)(mode | ALGORITHMIC); }
enum overflow { WRAP, SAT, SAT_ZERO, SAT_SYM, WRAP_SM };

/* Integers have I == W and truncate to zero, as C does, and with Algorithmic C down. */
template <int W, int I, bool S, rounding Q = (W == I ? TRN_ZERO : TRN), overflow O = WRAP>
struct num;
/* Bits `high` to `low` of a number, as an unsigned integer of B bits. */
template <class N, int B> struct part;
template <class N> struct related;

constexpr int most(int a, int b) { return a < b ? b : a; }
constexpr int least(int a, int b) { return a < b ? a : b; }

/* What stores W bits. */
template <int Bytes, bool S> struct stored { typedef limbs<Bytes / 8> type; };
template <> struct stored<1, true> { typedef signed char type; };
template <> struct stored<1, false> { typedef unsigned char type; };
template <> struct stored<2, true> { typedef short type; };
template <> struct stored<2, false> { typedef unsigned short type; };
template <> struct stored<4, true> { typedef int type; };
template <> struct stored<4, false> { typedef unsigned type; };
template <> struct stored<8, true> { typedef long long type; };
template <> struct stored<8, false> { typedef unsigned long long type; };
constexpr int bytes_of(int w) {
    return w <= 8 ? 1 : w <= 16 ? 2 : w <= 32 ? 4 : w <= 64 ? 8 : (w + 63) / 64 * 8;
}

/* The number that an operand is; `real` for floating point. Enumerators count as int. */
template <class T, bool Enumeration = __is_enum(T)> struct model {};
template <class T> struct model<T, true> : model<decltype(+T()), false> {};
template <int W, int I, bool S, rounding Q, overflow O> struct model<num<W, I, S, Q, O>, false> {
    typedef num<W, I, S, Q, O> type, any, own, variable;
};
template <class N, int B> struct model<part<N, B>, false> {
    typedef typename related<N>::template integer<B, false> type, any, own;
};
template <class T, int W, bool S> struct model_of_c { typedef num<W, W, S> type, any; typedef T c; };
template <class T> struct model_of_real { typedef T any, c, real; };
#define HLSMEM_C_TYPE(T) \
    template <> struct model<T, false> : model_of_c<T, 8 * sizeof(T), (T)-1 < (T)1> {};
template <> struct model<bool, false> : model_of_c<bool, 1, false> {};
HLSMEM_C_TYPE(char)
HLSMEM_C_TYPE(signed char)
HLSMEM_C_TYPE(unsigned char)
HLSMEM_C_TYPE(short)
HLSMEM_C_TYPE(unsigned short)
HLSMEM_C_TYPE(int)
HLSMEM_C_TYPE(unsigned)
HLSMEM_C_TYPE(long)
HLSMEM_C_TYPE(unsigned long)
HLSMEM_C_TYPE(long long)
HLSMEM_C_TYPE(unsigned long long)
#undef HLSMEM_C_TYPE
template <> struct model<float, false> : model_of_real<float> {};
template <> struct model<double, false> : model_of_real<double> {};
template <> struct model<long double, false> : model_of_real<long double> {};

constexpr bool is_integer(int w, int i, int q, int o) {
    return w == i && (q == TRN_ZERO || q == ALGORITHMIC) && o == WRAP;
}

constexpr rounding mode_of(int family, bool integer) {
    return family ? ALGORITHMIC : integer ? TRN_ZERO : TRN;
}

/* Widths of results, by AMD UG1399. */
enum operation { SUM, DIFFERENCE, PRODUCT, QUOTIENT, REMAINDER, LOGIC, JOINED };
constexpr int width_of(operation k, int w, int i, bool s, int w2, int i2, bool s2) {
    return k == PRODUCT || k == JOINED ? w + w2
           : k == QUOTIENT             ? w + s2 + most(w2 - i2, 0)
           : k == REMAINDER            ? least(w, w2 + (s && !s2))
           : most(i + (s2 && !s), i2 + (s && !s2)) + (k != LOGIC) + most(w - i, w2 - i2);
}
constexpr int whole_of(operation k, int w, int i, bool s, int w2, int i2, bool s2) {
    return k == PRODUCT    ? i + i2
           : k == QUOTIENT ? i + s2 + w2 - i2
           : k == REMAINDER || k == JOINED
               ? width_of(k, w, i, s, w2, i2, s2)
               : most(i + (s2 && !s), i2 + (s && !s2)) + (k != LOGIC);
}

template <bool, int W, int I, bool S, rounding Q> struct num_if {};
template <int W, int I, bool S, rounding Q> struct num_if<true, W, I, S, Q> {
    typedef num<W, I, S, Q> type;
};
template <bool, class T> struct type_if {};
template <class T> struct type_if<true, T> { typedef T type; };
/* The type of a result: of two numbers, or of a number and a floating-point number. */
template <operation K, class X, class Y> struct result;
template <operation K, int W, int I, bool S, rounding Q, overflow O, int W2, int I2, bool S2,
          rounding Q2, overflow O2>
struct result<K, num<W, I, S, Q, O>, num<W2, I2, S2, Q2, O2>>
    : num_if<K != REMAINDER || (is_integer(W, I, Q, O) && is_integer(W2, I2, Q2, O2)),
             width_of(K, W, I, S, W2, I2, S2), whole_of(K, W, I, S, W2, I2, S2),
             K != JOINED && (S || (S2 && K != REMAINDER) || K == DIFFERENCE),
             mode_of((Q | Q2) & ALGORITHMIC, K == JOINED || (is_integer(W, I, Q, O) &&
                                                             is_integer(W2, I2, Q2, O2)))> {};
template <operation K, int W, int I, bool S, rounding Q, overflow O, class R>
struct result<K, num<W, I, S, Q, O>, R> : type_if<(K <= QUOTIENT), R> {};
template <operation K, int W, int I, bool S, rounding Q, overflow O, class R>
struct result<K, R, num<W, I, S, Q, O>> : type_if<(K <= QUOTIENT), R> {};

/* Two operands as numbers; nothing unless one is a num or a part and the other is one or is of C. */
template <class...> struct always { typedef void type; };
template <class A, class B, class = void> struct pair {};
#define HLSMEM_PAIR(a, b) \
    template <class A, class B> \
    struct pair<A, B, typename always<typename model<A>::a, typename model<B>::b>::type> { \
        typedef typename model<A>::any first; \
        typedef typename model<B>::any second; \
    };
HLSMEM_PAIR(own, own)
HLSMEM_PAIR(own, c)
HLSMEM_PAIR(c, own)
#undef HLSMEM_PAIR
template <operation K, class A, class B>
using result_of =
    typename result<K, typename pair<A, B>::first, typename pair<A, B>::second>::type;

/* What a number becomes where C++ asks for a number of its own: an integer a long long, the low
 * bits where it is wider, and a number with a point any. */
template <class N, bool Integer, bool S> struct conversions {
    template <class T, class = typename model<T>::c> HLSMEM_FN operator T() const
        HLSMEM_BODY(return values<N>::become(static_cast<const N &>(*this), T());)
};
template <class N> struct conversions<N, true, true> {
    HLSMEM_FN operator long long() const
        HLSMEM_BODY(return (long long)values<N>::low(static_cast<const N &>(*this));)
};
template <class N> struct conversions<N, true, false> {
    HLSMEM_FN operator unsigned long long() const
        HLSMEM_BODY(return values<N>::low(static_cast<const N &>(*this));)
};
template <class N, int B> struct part_conversions {
    HLSMEM_FN operator unsigned long long() const
        HLSMEM_BODY(return static_cast<const part<N, B> &>(*this).get();)
};
template <class N> struct part_conversions<N, 1> {
    HLSMEM_FN operator bool() const
        HLSMEM_BODY(return static_cast<const part<N, 1> &>(*this).get() != 0;)
};

/* Conversions by name. */
#define HLSMEM_CONVERSIONS(EACH) \
    EACH(char, to_char) EACH(signed char, to_schar) EACH(unsigned char, to_uchar) \
    EACH(short, to_short) EACH(unsigned short, to_ushort) EACH(int, to_int) \
    EACH(unsigned, to_uint) EACH(long, to_long) EACH(unsigned long, to_ulong) \
    EACH(long long, to_int64) EACH(unsigned long long, to_uint64)

/* Types that belong to a number. */
template <class N> struct related<const N> : related<N> {};
template <int W, int I, bool S, rounding Q, overflow O> struct related<num<W, I, S, Q, O>> {
    static constexpr bool algorithmic = (Q & ALGORITHMIC) != 0, own = !is_integer(W, I, Q, O);
    static constexpr rounding family = (rounding)(Q & ALGORITHMIC),
                              integers = mode_of(family, true), results = mode_of(family, !own);
    static constexpr int negated = 1 + (own || algorithmic ? W : most(W, 1 + S)),
                         inverted = W + (algorithmic && !S);
    typedef num<W, I, S, Q, O> plain;
    template <int W2, bool S2> using integer = num<W2, W2, S2, integers>;
    typedef integer<W, false> raw; /* its bits */
    typedef num<64, 64, true, integers> whole; /* what to_int() has */
    typedef num<W, I, S, family, SAT> exact; /* itself, on the way to floating point */
    typedef num<negated, negated + I - W, true, results> negative;
    typedef num<inverted, inverted + I - W, S || algorithmic, results> complement;
    typedef num<1, algorithmic ? 1 + I - W : 1, false, results> step; /* of ++ */
};

template <int W, int I, bool S, rounding Q, overflow O>
struct num : conversions<num<W, I, S, Q, O>, is_integer(W, I, Q, O), S> {
    static_assert(W >= 1, "a number has at least one bit");
    static_assert(O != WRAP_SM, "AP_WRAP_SM is not read: use AP_WRAP or AP_SAT");
    static constexpr int width = W, iwidth = I, i_width = I;
    static constexpr bool sign = S;
    static constexpr rounding qmode = Q;
    static constexpr overflow omode = O;

    typename stored<bytes_of(W), S>::type value;

    num() = default;
    num(const num &) = default;
    num &operator=(const num &) & = default;
    template <class T, class = typename model<T>::any>
    HLSMEM_FN num(T x) HLSMEM_MADE(value(values<num>::made(x)))
    HLSMEM_FN num(const char *digits, int radix = 0)
        HLSMEM_MADE(value(values<num>::read(digits, radix)))

    HLSMEM_FN part<num, W> range(int high, int low)
        HLSMEM_BODY(return part<num, W>(*this, high, low);)
    HLSMEM_FN part<const num, W> range(int high, int low) const
        HLSMEM_BODY(return part<const num, W>(*this, high, low);)
    HLSMEM_FN part<num, W> operator()(int high, int low)
        HLSMEM_BODY(return part<num, W>(*this, high, low);)
    HLSMEM_FN part<const num, W> operator()(int high, int low) const
        HLSMEM_BODY(return part<const num, W>(*this, high, low);)
    HLSMEM_FN part<num, 1> operator[](int i) HLSMEM_BODY(return part<num, 1>(*this, i, i);)
    HLSMEM_FN bool operator[](int i) const HLSMEM_BODY(return values<num>::bit(*this, i);)
    HLSMEM_FN part<num, W> range() { return range(W - 1, 0); }
    HLSMEM_FN part<const num, W> range() const { return range(W - 1, 0); }
    HLSMEM_FN part<num, 1> bit(int i) { return (*this)[i]; }
    HLSMEM_FN bool bit(int i) const { return (*this)[i]; }
    HLSMEM_FN bool test(int i) const { return (*this)[i]; }
    HLSMEM_FN bool get_bit(int i) const { return (*this)[i + W - I]; }
    HLSMEM_FN void set_bit(int i, bool x) { (*this)[i] = x; }
    HLSMEM_FN void set(int i, bool x = true) { (*this)[i] = x; }
    HLSMEM_FN void clear(int i) { (*this)[i] = false; }
    HLSMEM_FN void invert(int i) { (*this)[i] = !test(i); }
    template <int W2> HLSMEM_FN auto slc(int low) const {
        return typename related<num>::template integer<W2, S>(range(low + W2 - 1, low));
    }
    template <class T> HLSMEM_FN num &set_slc(int low, T x) {
        range(low + T::width - 1, low) = x;
        return *this;
    }
    template <class T> HLSMEM_FN auto concat(T x) const { return (*this, x); }

#define HLSMEM_TO(T, name) \
    HLSMEM_FN T name() const { return (T)(long long)typename related<num>::whole(*this); }
    HLSMEM_CONVERSIONS(HLSMEM_TO)
#undef HLSMEM_TO
    HLSMEM_FN bool to_bool() const { return *this != 0; }
    HLSMEM_FN double to_double() const { return (double)typename related<num>::exact(*this); }
    HLSMEM_FN float to_float() const { return (float)typename related<num>::exact(*this); }
    HLSMEM_FN int length() const { return W; }
    HLSMEM_FN int wl() const { return W; }
    HLSMEM_FN int iwl() const { return I; }
    HLSMEM_FN bool is_zero() const { return *this == 0; }
    HLSMEM_FN bool iszero() const { return *this == 0; }
    HLSMEM_FN bool is_neg() const { return *this < 0; }
    HLSMEM_FN void b_not() { range() = ~range(); }
    HLSMEM_FN num &reverse() {
        num old = *this;
        for (int i = 0; i < W; i++)
            (*this)[i] = old.test(W - 1 - i);
        return *this;
    }
    HLSMEM_FN num &lrotate(int n) {
        typename related<num>::raw bits = range();
        range() = (bits << n) | (bits >> (W - n));
        return *this;
    }
    HLSMEM_FN num &rrotate(int n) { return lrotate(W - n); }
    HLSMEM_FN int countLeadingZeros() const {
        int n = W;
        for (int i = 0; i < W; i++)
            if (test(i))
                n = W - 1 - i;
        return n;
    }
    HLSMEM_FN bool and_reduce() const {
        return range() == typename related<num>::raw(-1);
    }
    HLSMEM_FN bool or_reduce() const { return *this != 0; }
    HLSMEM_FN bool xor_reduce() const {
        bool odd = false;
        for (int i = 0; i < W; i++)
            odd = odd != test(i);
        return odd;
    }
    HLSMEM_FN bool nand_reduce() const { return !and_reduce(); }
    HLSMEM_FN bool nor_reduce() const { return !or_reduce(); }
    HLSMEM_FN bool xnor_reduce() const { return !xor_reduce(); }
};

template <class N, int B> struct part : part_conversions<N, B> {
    typedef typename related<N>::template integer<B, false> number;
    N &of;
    int high, low;

    part(const part &) = default;
    HLSMEM_FN part(N &number, int h, int l) HLSMEM_MADE(of(number), high(h), low(l))
    HLSMEM_FN part &operator=(const part &x) HLSMEM_BODY(return *this = number(x);)
    template <class T, class = typename model<T>::any> HLSMEM_FN part &operator=(T x)
        HLSMEM_BODY(values<N>::insert(of, high, low, number(x)); return *this;)
#define HLSMEM_ASSIGNED(op) \
    template <class T> HLSMEM_FN part &operator op##=(T x) \
        HLSMEM_BODY(return *this = number(*this) op x;)
    HLSMEM_ASSIGNED(+)
    HLSMEM_ASSIGNED(-)
    HLSMEM_ASSIGNED(*)
    HLSMEM_ASSIGNED(&)
    HLSMEM_ASSIGNED(|)
    HLSMEM_ASSIGNED(^)
    HLSMEM_ASSIGNED(<<)
    HLSMEM_ASSIGNED(>>)
#undef HLSMEM_ASSIGNED
    HLSMEM_FN number get() const { return *this; }
    HLSMEM_FN bool get_bit(int i) const { return number(*this)[i]; }
    HLSMEM_FN int length() const { return high < low ? low - high + 1 : high - low + 1; }
#define HLSMEM_TO(T, name) HLSMEM_FN T name() const { return number(*this).name(); }
    HLSMEM_CONVERSIONS(HLSMEM_TO)
    HLSMEM_TO(bool, to_bool)
    HLSMEM_TO(bool, or_reduce)
    HLSMEM_TO(bool, xor_reduce)
#undef HLSMEM_TO
    HLSMEM_FN bool and_reduce() const { return number(*this) == number(-1) >> (B - length()); }
    HLSMEM_FN bool nand_reduce() const { return !and_reduce(); }
    HLSMEM_FN bool nor_reduce() const { return !or_reduce(); }
    HLSMEM_FN bool xnor_reduce() const { return !xor_reduce(); }
};

/* How two operands are brought together. */
enum way { ALIGNED, COMPARED, MULTIPLIED, DIVIDED };
template <way Way, class X, class Y> struct operands;

#define HLSMEM_OPERATOR(op, k, way) \
    template <class A, class B, class R = result_of<k, A, B>> \
    HLSMEM_FN R operator op(A a, B b) \
        HLSMEM_BODY(typedef operands<way, typename model<A>::any, typename model<B>::any> to; \
                    return to::made((R *)0, to::first(a) op to::second(b));)
HLSMEM_OPERATOR(+, SUM, ALIGNED)
HLSMEM_OPERATOR(-, DIFFERENCE, ALIGNED)
HLSMEM_OPERATOR(*, PRODUCT, MULTIPLIED)
HLSMEM_OPERATOR(/, QUOTIENT, DIVIDED)
HLSMEM_OPERATOR(%, REMAINDER, DIVIDED)
HLSMEM_OPERATOR(&, LOGIC, ALIGNED)
HLSMEM_OPERATOR(|, LOGIC, ALIGNED)
HLSMEM_OPERATOR(^, LOGIC, ALIGNED)
#undef HLSMEM_OPERATOR
#define HLSMEM_OPERATOR(op) \
    template <class A, class B, class X = typename pair<A, B>::first> \
    HLSMEM_FN bool operator op(A a, B b) \
        HLSMEM_BODY(typedef operands<COMPARED, X, typename model<B>::any> to; \
                    return to::first(a) op to::second(b);)
HLSMEM_OPERATOR(==)
HLSMEM_OPERATOR(!=)
HLSMEM_OPERATOR(<)
HLSMEM_OPERATOR(<=)
HLSMEM_OPERATOR(>)
HLSMEM_OPERATOR(>=)
#undef HLSMEM_OPERATOR

#define HLSMEM_ASSIGNED(op) \
    template <class A, class B, class = typename model<A>::variable, \
              class = typename model<B>::any> \
    HLSMEM_FN A &operator op##=(A &a, B b) HLSMEM_BODY(return a = a op b;)
HLSMEM_ASSIGNED(+)
HLSMEM_ASSIGNED(-)
HLSMEM_ASSIGNED(*)
HLSMEM_ASSIGNED(/)
HLSMEM_ASSIGNED(%)
HLSMEM_ASSIGNED(&)
HLSMEM_ASSIGNED(|)
HLSMEM_ASSIGNED(^)
HLSMEM_ASSIGNED(<<)
HLSMEM_ASSIGNED(>>)
#undef HLSMEM_ASSIGNED
#define HLSMEM_STEPPED(op) \
    template <class A, class S = typename related<typename model<A>::variable>::step> \
    HLSMEM_FN A &operator op##op(A &a) HLSMEM_BODY(return a = a op values<S>::of(1);) \
    template <class A, class = typename model<A>::variable> \
    HLSMEM_FN A operator op##op(A &a, int) HLSMEM_BODY(A old = a; op##op a; return old;)
HLSMEM_STEPPED(+)
HLSMEM_STEPPED(-)
#undef HLSMEM_STEPPED

template <class A, class R = typename model<A>::own> HLSMEM_FN R operator+(A a)
    HLSMEM_BODY(return a;)
template <class A, class R = typename related<typename model<A>::own>::negative>
HLSMEM_FN R operator-(A a)
    HLSMEM_BODY(return values<R>::of(-values<R>::bits_of(typename model<A>::own(a)));)
template <class A, class R = typename related<typename model<A>::own>::complement>
HLSMEM_FN R operator~(A a)
    HLSMEM_BODY(return values<R>::of(~values<R>::bits_of(typename model<A>::own(a)));)
template <class A, class = typename model<A>::own> HLSMEM_FN bool operator!(A a)
    HLSMEM_BODY(return a == 0;)

/* What is shifted keeps its type; a shift by a negative number goes the other way. */
template <class A, class B, class R = typename model<A>::own, class = typename model<B>::type>
HLSMEM_FN R operator<<(A a, B n)
    HLSMEM_BODY(return values<R>::shifted(a, (long long)typename model<B>::type(n));)
template <class A, class B, class R = typename model<A>::own, class = typename model<B>::type>
HLSMEM_FN R operator>>(A a, B n)
    HLSMEM_BODY(return values<R>::shifted(a, -(long long)typename model<B>::type(n));)

/* Concatenation: bits of the first above those of the second. */
template <class A, class B, class R = result_of<JOINED, A, B>>
HLSMEM_FN R operator,(A a, B b)
    HLSMEM_BODY(return values<R>::joined(typename model<A>::type(a), typename model<B>::type(b));)

/* The numbers that users declare; results of operators may be wider. */
template <int W, bool S> struct declared {
    static_assert(W >= 1 && W <= 1024, "a number has 1 to 1024 bits");
    static constexpr bool sign = S;
    static constexpr rounding algorithmic = ALGORITHMIC;
};
#ifdef HLSMEM_NATIVE
template <int W, bool S> using integer = typename stored<bytes_of(W), S>::type;
#else
template <int W, bool S> using integer = num<W, W, declared<W, S>::sign>;
#endif
template <int W, int I, bool S, rounding Q, overflow O>
using fixed = num<W, I, declared<W, S>::sign, Q, O>;

#undef HLSMEM_FN
#undef HLSMEM_BODY
#undef HLSMEM_MADE
} // namespace hlsmem

#ifndef HLSMEM_READ
#include "hlsmem_values.h"
#endif
#endif
