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

/* ALGORITHMIC is added to the mode of ac_int and ac_fixed, which differ from AMD's in `~`, in
 * to_int() of negative fractions, and in nothing else. */
enum rounding { TRN, TRN_ZERO, RND, RND_ZERO, RND_MIN_INF, RND_INF, RND_CONV, RND_CONV_ODD, ALGORITHMIC = 8 };
constexpr rounding algorithmic(int mode) { return (rounding)(mode | ALGORITHMIC); }
enum overflow { WRAP, SAT, SAT_ZERO, SAT_SYM, WRAP_SM };

/* Integers have I == W and truncate to zero, as C does. */
template <int W, int I, bool S, rounding Q = (W == I ? TRN_ZERO : TRN), overflow O = WRAP>
struct num;
/* Bits `high` to `low` of a number, as an unsigned integer of B bits. */
template <class N, int B = N::width> struct part;

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
    typedef num<W, I, S, Q, O> type, any, own;
};
template <class N, int B> struct model<part<N, B>, false> {
    typedef num<B, B, false, (rounding)(N::family | TRN_ZERO)> type, any, own;
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

/* Types of results, of two numbers and of a number and a floating-point number. */
template <class A, class B> struct widths;
template <int W, int I, bool S, rounding Q, overflow O, int W2, int I2, bool S2, rounding Q2,
          overflow O2>
struct widths<num<W, I, S, Q, O>, num<W2, I2, S2, Q2, O2>> {
    static constexpr bool integers = num<W, I, S, Q, O>::integer && num<W2, I2, S2, Q2, O2>::integer;
    static constexpr rounding q =
        (rounding)((integers ? TRN_ZERO : TRN) | ((Q | Q2) & ALGORITHMIC));
    static constexpr int f = W - I, f2 = W2 - I2, both_f = most(f, f2),
                         both_i = most(I + (S2 && !S), I2 + (S && !S2));
    typedef num<both_i + 1 + both_f, both_i + 1, S || S2, q> sum;
    typedef num<both_i + 1 + both_f, both_i + 1, true, q> difference;
    typedef num<W + W2, I + I2, S || S2, q> product;
    typedef num<W + S2 + most(f2, 0), I + S2 + f2, S || S2, q> quotient;
    typedef num<least(W, W2 + (S && !S2)), least(W, W2 + (S && !S2)), S, q> remainder;
    typedef num<both_i + both_f, both_i, S || S2, q> logic;
    typedef num<W + W2, W + W2, false, (rounding)(TRN_ZERO | ((Q | Q2) & ALGORITHMIC))> joined;
    typedef num<W, I, S, Q, O> first;
    typedef bool truth;
};
template <class R> struct widths_of_real {
    typedef R sum, difference, product, quotient;
    typedef bool truth;
};
template <int W, int I, bool S, rounding Q, overflow O, class R>
struct widths<num<W, I, S, Q, O>, R> : widths_of_real<R> {};
template <int W, int I, bool S, rounding Q, overflow O, class R>
struct widths<R, num<W, I, S, Q, O>> : widths_of_real<R> {};

/* No member unless one operand is a num or a part and the other is one or a number of C. */
template <class...> struct always { typedef void type; };
template <class A, class B, class = void> struct results {};
#define HLSMEM_RESULTS(a, b) \
    template <class A, class B> \
    struct results<A, B, typename always<typename model<A>::a, typename model<B>::b>::type> \
        : widths<typename model<A>::any, typename model<B>::any> {};
HLSMEM_RESULTS(own, own)
HLSMEM_RESULTS(own, c)
HLSMEM_RESULTS(c, own)
#undef HLSMEM_RESULTS

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

constexpr bool is_integer(int w, int i, int q, int o) {
    return w == i && (q & 7) == TRN_ZERO && o == WRAP;
}

template <int W, int I, bool S, rounding Q, overflow O>
struct num : conversions<num<W, I, S, Q, O>, is_integer(W, I, Q, O), S> {
    static_assert(W >= 1, "a number has at least one bit");
    static_assert(O != WRAP_SM, "AP_WRAP_SM is not read: use AP_WRAP, AP_SAT, AP_SAT_ZERO or AP_SAT_SYM");
    static constexpr int width = W, iwidth = I, i_width = I;
    static constexpr bool sign = S, integer = is_integer(W, I, Q, O);
    static constexpr rounding qmode = (rounding)(Q & 7), family = (rounding)(Q & ALGORITHMIC);
    static constexpr overflow omode = O;
    static constexpr rounding integers = (rounding)(TRN_ZERO | family);
    static constexpr int negated = (integer && family == TRN ? most(W, 1 + S) : W) + 1;
    /* The bits as an unsigned integer; the integer that to_int() and its like have;
     * what becomes floating point. */
    typedef num<W, W, false, integers> raw;
    typedef num<64, 64, true, family == ALGORITHMIC ? family : TRN_ZERO> whole;
    typedef num<W, I, S, family, SAT> exact;
    typedef num<negated, negated + I - W, true, I == W ? integers : family> negative;
    typedef num<W + (family != TRN && !S), I + (family != TRN && !S), family != TRN || S, I == W ? integers : family>
        complement;
    typedef num self;
    typedef part<num> slice;
    typedef part<num, 1> one_bit;

    typename stored<bytes_of(W), S>::type value;

    num() = default;
    num(const num &) = default;
    num &operator=(const num &) & = default;
    template <class T, class = typename model<T>::any> HLSMEM_FN num(T x) HLSMEM_MADE(value(values<num>::made(x)))
    HLSMEM_FN num(const char *digits, int radix = 0) HLSMEM_MADE(value(values<num>::read(digits, radix)))

    HLSMEM_FN slice range(int high, int low) HLSMEM_BODY(return slice(*this, high, low);)
    HLSMEM_FN part<const num> range(int high, int low) const
        HLSMEM_BODY(return part<const num>(*this, high, low);)
    HLSMEM_FN slice operator()(int high, int low) HLSMEM_BODY(return slice(*this, high, low);)
    HLSMEM_FN part<const num> operator()(int high, int low) const
        HLSMEM_BODY(return part<const num>(*this, high, low);)
    HLSMEM_FN one_bit operator[](int i) HLSMEM_BODY(return one_bit(*this, i, i);)
    HLSMEM_FN bool operator[](int i) const
        HLSMEM_BODY(return values<num>::bit(*this, i);)
    HLSMEM_FN slice range() { return range(W - 1, 0); }
    HLSMEM_FN part<const num> range() const { return range(W - 1, 0); }
    HLSMEM_FN one_bit bit(int i) { return (*this)[i]; }
    HLSMEM_FN bool bit(int i) const { return (*this)[i]; }
    HLSMEM_FN bool test(int i) const { return (*this)[i]; }
    HLSMEM_FN bool get_bit(int i) const { return (*this)[i + (integer ? 0 : W - I)]; }
    HLSMEM_FN void set_bit(int i, bool x) { (*this)[i] = x; }
    HLSMEM_FN void set(int i, bool x = true) { (*this)[i] = x; }
    HLSMEM_FN void clear(int i) { (*this)[i] = false; }
    HLSMEM_FN void invert(int i) { (*this)[i] = !test(i); }
    template <int W2> HLSMEM_FN num<W2, W2, S, integers> slc(int low) const {
        return num<W2, W2, S, integers>(range(low + W2 - 1, low));
    }
    template <int W2, int I2, bool S2, rounding Q2, overflow O2>
    HLSMEM_FN num &set_slc(int low, num<W2, I2, S2, Q2, O2> x) {
        range(low + W2 - 1, low) = x;
        return *this;
    }
    template <class T> HLSMEM_FN typename results<num, T>::joined concat(T x) const {
        return (*this, x);
    }

#define HLSMEM_TO(T, name) HLSMEM_FN T name() const { return (T)(long long)whole(*this); }
    HLSMEM_CONVERSIONS(HLSMEM_TO)
#undef HLSMEM_TO
    HLSMEM_FN bool to_bool() const { return *this != 0; }
    HLSMEM_FN double to_double() const { return (double)exact(*this); }
    HLSMEM_FN float to_float() const { return (float)exact(*this); }
    HLSMEM_FN int length() const { return W; }
    HLSMEM_FN int wl() const { return W; }
    HLSMEM_FN int iwl() const { return I; }
    HLSMEM_FN bool is_zero() const { return *this == 0; }
    HLSMEM_FN bool iszero() const { return *this == 0; }
    HLSMEM_FN bool is_neg() const { return *this < 0; }
    HLSMEM_FN void b_not() { range() = ~raw(range()); }
    HLSMEM_FN num &reverse() {
        num old = *this;
        for (int i = 0; i < W; i++)
            (*this)[i] = old.test(W - 1 - i);
        return *this;
    }
    HLSMEM_FN num &lrotate(int n) {
        raw bits = range();
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
    HLSMEM_FN bool and_reduce() const { return raw(range()) == raw(-1); }
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

    HLSMEM_FN bool operator!() const HLSMEM_BODY(return *this == 0;)
    HLSMEM_FN num operator+() const HLSMEM_BODY(return *this;)
    HLSMEM_FN negative operator-() const
        HLSMEM_BODY(return values<negative>::of(-values<negative>::bits_of(*this));)
    HLSMEM_FN complement operator~() const
        HLSMEM_BODY(return values<complement>::of(~values<complement>::bits_of(*this));)
#define HLSMEM_ASSIGNED(op) \
    template <class T> HLSMEM_FN num &operator op##=(T x) & \
        HLSMEM_BODY(return *this = *this op x;)
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
    HLSMEM_FN num &operator++() & HLSMEM_BODY(return *this += num<1, 1, false, integers>(1);)
    HLSMEM_FN num &operator--() & HLSMEM_BODY(return *this -= num<1, 1, false, integers>(1);)
    HLSMEM_FN num operator++(int) & HLSMEM_BODY(num old = *this; ++*this; return old;)
    HLSMEM_FN num operator--(int) & HLSMEM_BODY(num old = *this; --*this; return old;)
};

template <class N, int B> struct part : part_conversions<N, B> {
    typedef num<B, B, false, (rounding)(N::family | TRN_ZERO)> number;
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
    HLSMEM_FN bool operator!() const HLSMEM_BODY(return !number(*this);)
    HLSMEM_FN number operator~() const HLSMEM_BODY(return ~number(*this);)
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

#define HLSMEM_OPERATOR(op, result, way) \
    template <class A, class B, class R = typename results<A, B>::result> \
    HLSMEM_FN R operator op(A a, B b) \
        HLSMEM_BODY(typedef operands<way, typename model<A>::any, typename model<B>::any> to; \
                    return to::made((R *)0, to::first(a) op to::second(b));)
HLSMEM_OPERATOR(+, sum, ALIGNED)
HLSMEM_OPERATOR(-, difference, ALIGNED)
HLSMEM_OPERATOR(*, product, MULTIPLIED)
HLSMEM_OPERATOR(/, quotient, DIVIDED)
HLSMEM_OPERATOR(%, remainder, DIVIDED)
HLSMEM_OPERATOR(&, logic, ALIGNED)
HLSMEM_OPERATOR(|, logic, ALIGNED)
HLSMEM_OPERATOR(^, logic, ALIGNED)
HLSMEM_OPERATOR(==, truth, COMPARED)
HLSMEM_OPERATOR(!=, truth, COMPARED)
HLSMEM_OPERATOR(<, truth, COMPARED)
HLSMEM_OPERATOR(<=, truth, COMPARED)
HLSMEM_OPERATOR(>, truth, COMPARED)
HLSMEM_OPERATOR(>=, truth, COMPARED)
#undef HLSMEM_OPERATOR

/* What is shifted keeps its type; a shift by a negative number goes the other way. */
template <class A, class B, class R = typename results<typename model<A>::own, B>::first>
HLSMEM_FN R operator<<(A a, B n)
    HLSMEM_BODY(return values<R>::shifted(a, (long long)typename model<B>::type(n));)
template <class A, class B, class R = typename results<typename model<A>::own, B>::first>
HLSMEM_FN R operator>>(A a, B n)
    HLSMEM_BODY(return values<R>::shifted(a, -(long long)typename model<B>::type(n));)

/* Concatenation: bits of the first above those of the second. */
template <class A, class B, class R = typename results<A, B>::joined>
HLSMEM_FN R operator,(A a, B b)
    HLSMEM_BODY(return values<R>::joined(typename model<A>::type(a), typename model<B>::type(b));)

/* The numbers that users declare; results of operators may be wider. */
template <int W, bool S> struct declared {
    static_assert(W >= 1 && W <= 1024, "a number has 1 to 1024 bits");
    static constexpr bool sign = S;
    static constexpr rounding algorithmic = hlsmem::algorithmic(TRN_ZERO);
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
