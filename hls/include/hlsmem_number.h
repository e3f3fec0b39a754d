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
#define HLSMEM_TEXT const char *
namespace hlsmem {
template <int N_> struct limbs { unsigned long long at[N_]; };
}
#else
#include "hlsmem_limbs.h"
#if __has_include(<iosfwd>)
#include <iosfwd>
#define HLSMEM_TEXT std::string
#else
#define HLSMEM_TEXT const char *
#endif
namespace hlsmem {
template <class N_> struct values;
template <class N_> struct text;
}
#define HLSMEM_FN constexpr
#define HLSMEM_BODY(...) { __VA_ARGS__ }
#define HLSMEM_MADE(...) : __VA_ARGS__ {}
#endif
#ifdef HLSMEM_CUTS
extern "C" void hlsmem_cut(void);
#endif
#include "hlsmem_widths.h"

namespace hlsmem {

/* What a number becomes where C++ asks for a number of its own: an integer a long long, the low
 * bits where it is wider, and a number with a point any. */
template <class N_, bool is_integer_, bool S_> struct conversions {
    template <class T_, class = typename model<T_>::plain> HLSMEM_FN operator T_() const
        HLSMEM_BODY(return values<N_>::become(static_cast<const N_ &>(*this), T_());)
};
template <class N_> struct conversions<N_, true, true> {
    HLSMEM_FN operator long long() const
        HLSMEM_BODY(return (long long)values<N_>::low(static_cast<const N_ &>(*this));)
};
template <class N_> struct conversions<N_, true, false> {
    HLSMEM_FN operator unsigned long long() const
        HLSMEM_BODY(return values<N_>::low(static_cast<const N_ &>(*this));)
};
template <class N_, int B_> struct part_conversions {
    HLSMEM_FN operator unsigned long long() const
        HLSMEM_BODY(return static_cast<const part<N_, B_> &>(*this).get();)
};
template <class N_> struct part_conversions<N_, 1> {
    HLSMEM_FN operator bool() const
        HLSMEM_BODY(return static_cast<const part<N_, 1> &>(*this).get() != 0;)
};

/* Conversions by name. */
#define HLSMEM_CONVERSIONS(each_) \
    each_(char, to_char) each_(signed char, to_schar) each_(unsigned char, to_uchar) \
    each_(short, to_short) each_(unsigned short, to_ushort) each_(int, to_int) \
    each_(unsigned, to_uint) each_(long, to_long) each_(unsigned long, to_ulong) \
    each_(long long, to_int64) each_(unsigned long long, to_uint64)

#define HLSMEM_ASSIGNABLE(each_) \
    each_(+) each_(-) each_(*) each_(&) each_(|) each_(^) each_(<<) each_(>>)

/* Types that belong to a number. */
template <class N_> struct related<const N_> : related<N_> {};
template <int W_, int I_, bool S_, rounding Q_, overflow O_>
struct related<num<W_, I_, S_, Q_, O_>> {
    static constexpr bool algorithmic = (Q_ & algorithmic_c) != 0,
                          is_whole = is_integer(W_, I_, Q_, O_);
    static constexpr rounding family = (rounding)(Q_ & algorithmic_c),
                              integers = mode_of(family, true), mode = mode_of(family, is_whole);
    static constexpr int negated = 1 + (is_whole && !algorithmic ? most(W_, 1 + S_) : W_),
                         inverted = W_ + (algorithmic && !S_);
    typedef num<W_, I_, S_, Q_, O_> plain;
    template <int W2_, bool S2_> using integer = num<W2_, W2_, S2_, integers>;
    typedef integer<W_, false> raw; /* its bits */
    typedef num<64, 64, true, integers> whole; /* what to_int() has */
    typedef num<W_, I_, S_, family, sat> exact; /* itself, on the way to floating point */
    typedef num<negated, negated + I_ - W_, true, mode> negative;
    typedef num<inverted, inverted + I_ - W_, S_ || algorithmic, mode> complement;
    typedef num<1, algorithmic ? 1 + I_ - W_ : 1, false, mode> step; /* of ++ */
};

template <int W_, int I_, bool S_, rounding Q_, overflow O_, int saturated_>
struct num : conversions<num<W_, I_, S_, Q_, O_>, is_integer(W_, I_, Q_, O_), S_> {
    static_assert(W_ >= 1, "a number has at least one bit");
    static_assert(O_ != wrap_sm, "AP_WRAP_SM is not read: use AP_WRAP or AP_SAT");
    static constexpr int width = W_, iwidth = I_, i_width = I_;
    static constexpr bool sign = S_, sign_flag = S_;
    static constexpr rounding qmode = Q_;
    static constexpr overflow omode = O_;

    typename stored<bytes_of(W_), S_>::type value;

    num() = default;
    num(const num &) = default;
    num &operator=(const num &) & = default;
    template <class T_, class = typename model<T_>::any>
    HLSMEM_FN num(T_ x_) HLSMEM_MADE(value(values<num>::made(x_)))
    HLSMEM_FN num(const char *digits, int radix = 0)
        HLSMEM_MADE(value(values<num>::read(digits, radix)))

    HLSMEM_FN part<num, W_> range(int high, int low)
        HLSMEM_BODY(return part<num, W_>(*this, high, low);)
    HLSMEM_FN part<const num, W_> range(int high, int low) const
        HLSMEM_BODY(return part<const num, W_>(*this, high, low);)
    HLSMEM_FN part<num, W_> operator()(int high, int low)
        HLSMEM_BODY(return part<num, W_>(*this, high, low);)
    HLSMEM_FN part<const num, W_> operator()(int high, int low) const
        HLSMEM_BODY(return part<const num, W_>(*this, high, low);)
    HLSMEM_FN part<num, 1> operator[](int i_) HLSMEM_BODY(return part<num, 1>(*this, i_, i_);)
    HLSMEM_FN bool operator[](int i_) const HLSMEM_BODY(return values<num>::bit(*this, i_);)
    HLSMEM_FN part<num, W_> range() { return range(W_ - 1, 0); }
    HLSMEM_FN part<const num, W_> range() const { return range(W_ - 1, 0); }
    HLSMEM_FN part<num, 1> bit(int i_) { return (*this)[i_]; }
    HLSMEM_FN bool bit(int i_) const { return (*this)[i_]; }
    HLSMEM_FN bool test(int i_) const { return (*this)[i_]; }
    HLSMEM_FN bool get_bit(int i_) const { return (*this)[i_ + W_ - I_]; }
    HLSMEM_FN void set_bit(int i_, bool x_) { (*this)[i_] = x_; }
    HLSMEM_FN void set(int i_, bool x_ = true) { (*this)[i_] = x_; }
    HLSMEM_FN void clear(int i_) { (*this)[i_] = false; }
    HLSMEM_FN void invert(int i_) { (*this)[i_] = !test(i_); }
    template <int W2_> HLSMEM_FN auto slc(int low) const {
        return typename related<num>::template integer<W2_, S_>(range(low + W2_ - 1, low));
    }
    template <class T_> HLSMEM_FN num &set_slc(int low, T_ x_) {
        range(low + T_::width - 1, low) = x_;
        return *this;
    }
    template <class T_> HLSMEM_FN auto concat(T_ x_) const { return (*this, x_); }

#define HLSMEM_TO(T_, name) \
    HLSMEM_FN T_ name() const { return (T_)(long long)typename related<num>::whole(*this); }
    HLSMEM_CONVERSIONS(HLSMEM_TO)
#undef HLSMEM_TO
    HLSMEM_FN bool to_bool() const { return *this != 0; }
    HLSMEM_FN double to_double() const { return (double)typename related<num>::exact(*this); }
    HLSMEM_FN float to_float() const { return (float)typename related<num>::exact(*this); }
    HLSMEM_FN int length() const { return W_; }
    HLSMEM_FN int wl() const { return W_; }
    HLSMEM_FN int iwl() const { return I_; }
    HLSMEM_FN bool is_zero() const { return *this == 0; }
    HLSMEM_FN bool iszero() const { return *this == 0; }
    HLSMEM_FN bool is_neg() const { return *this < 0; }
    HLSMEM_FN auto ashr(int n_) const {
        return num<W_, I_, S_, Q_, wrap>(num<W_, I_, true, Q_, wrap>(*this) >> n_);
    }
    /* What simulations print. */
    template <class T_ = HLSMEM_TEXT> T_ to_string(int radix = 2, bool = false) const
        HLSMEM_BODY(return T_(text<num>(*this, radix).at);)
    HLSMEM_FN void b_not() { range() = ~range(); }
    HLSMEM_FN num &reverse() {
        num old = *this;
        for (int i_ = 0; i_ < W_; i_++)
            (*this)[i_] = old.test(W_ - 1 - i_);
        return *this;
    }
    HLSMEM_FN num &lrotate(int n_) {
        typename related<num>::raw bits = range();
        range() = (bits << n_) | (bits >> (W_ - n_));
        return *this;
    }
    HLSMEM_FN num &rrotate(int n_) { return lrotate(W_ - n_); }
    HLSMEM_FN int countLeadingZeros() const {
        int n_ = W_;
        for (int i_ = 0; i_ < W_; i_++)
            if (test(i_))
                n_ = W_ - 1 - i_;
        return n_;
    }
    HLSMEM_FN bool and_reduce() const { return range() == typename related<num>::raw(-1); }
    HLSMEM_FN bool or_reduce() const { return *this != 0; }
    HLSMEM_FN bool xor_reduce() const {
        bool odd = false;
        for (int i_ = 0; i_ < W_; i_++)
            odd = odd != test(i_);
        return odd;
    }
    HLSMEM_FN bool nand_reduce() const { return !and_reduce(); }
    HLSMEM_FN bool nor_reduce() const { return !or_reduce(); }
    HLSMEM_FN bool xnor_reduce() const { return !xor_reduce(); }
};

template <class N_, int B_> struct part : part_conversions<N_, B_> {
    typedef typename related<N_>::template integer<B_, false> number;
    typedef typename related<N_>::plain whole; /* vendors assign through const, too */
    N_ &of;
    int high, low;

    part(const part &) = default;
    HLSMEM_FN part(N_ &number, int h_, int l_) HLSMEM_MADE(of(number), high(h_), low(l_))
    HLSMEM_FN part &operator=(const part &x_) HLSMEM_BODY(return *this = number(x_);)
    template <class T_, class = typename model<T_>::any> HLSMEM_FN part &operator=(T_ x_)
        HLSMEM_BODY(values<whole>::insert(const_cast<whole &>(of), high, low, number(x_)); \
                    return *this;)
#define HLSMEM_ASSIGNED(op) \
    template <class T_> HLSMEM_FN part &operator op##=(T_ x_) \
        HLSMEM_BODY(return *this = number(*this) op x_;)
    HLSMEM_ASSIGNABLE(HLSMEM_ASSIGNED)
#undef HLSMEM_ASSIGNED
    HLSMEM_FN number get() const { return *this; }
    HLSMEM_FN bool get_bit(int i_) const { return number(*this)[i_]; }
    HLSMEM_FN int length() const { return high < low ? low - high + 1 : high - low + 1; }
#define HLSMEM_TO(T_, name) HLSMEM_FN T_ name() const { return number(*this).name(); }
    HLSMEM_CONVERSIONS(HLSMEM_TO)
    HLSMEM_TO(bool, to_bool)
    HLSMEM_TO(bool, or_reduce)
    HLSMEM_TO(bool, xor_reduce)
#undef HLSMEM_TO
    HLSMEM_FN bool and_reduce() const { return number(*this) == number(-1) >> (B_ - length()); }
    HLSMEM_FN bool nand_reduce() const { return !and_reduce(); }
    HLSMEM_FN bool nor_reduce() const { return !or_reduce(); }
    HLSMEM_FN bool xnor_reduce() const { return !xor_reduce(); }
};

/* How two operands are brought together. */
struct way {
    enum kind { aligned, compared, multiplied, divided };
};
template <way::kind way_, class X_, class Y_> struct operands;

#define HLSMEM_OPERATOR(op, k_, way) \
    template <class A_, class B_, class R_ = result_of<k_, A_, B_>> \
    HLSMEM_FN R_ operator op(A_ a_, B_ b_) \
        HLSMEM_BODY(typedef operands<way, typename model<A_>::any, typename model<B_>::any> to; \
                    return to::made((R_ *)0, to::first(a_) op to::second(b_));)
HLSMEM_OPERATOR(+, operation::sum, way::aligned)
HLSMEM_OPERATOR(-, operation::difference, way::aligned)
HLSMEM_OPERATOR(*, operation::product, way::multiplied)
HLSMEM_OPERATOR(/, operation::quotient, way::divided)
HLSMEM_OPERATOR(%, operation::remainder, way::divided)
HLSMEM_OPERATOR(&, operation::logic, way::aligned)
HLSMEM_OPERATOR(|, operation::logic, way::aligned)
HLSMEM_OPERATOR(^, operation::logic, way::aligned)
#undef HLSMEM_OPERATOR
#define HLSMEM_OPERATOR(op) \
    template <class A_, class B_, class X_ = typename pair<A_, B_>::first> \
    HLSMEM_FN bool operator op(A_ a_, B_ b_) \
        HLSMEM_BODY(typedef operands<way::compared, X_, typename model<B_>::any> to; \
                    return to::first(a_) op to::second(b_);)
HLSMEM_OPERATOR(==)
HLSMEM_OPERATOR(!=)
HLSMEM_OPERATOR(<)
HLSMEM_OPERATOR(<=)
HLSMEM_OPERATOR(>)
HLSMEM_OPERATOR(>=)
#undef HLSMEM_OPERATOR

#define HLSMEM_ASSIGNED(op) \
    template <class A_, class B_, class = typename model<A_>::variable, \
              class = typename model<B_>::any> \
    HLSMEM_FN A_ &operator op##=(A_ &a_, B_ b_) HLSMEM_BODY(return a_ = a_ op b_;)
HLSMEM_ASSIGNABLE(HLSMEM_ASSIGNED)
HLSMEM_ASSIGNED(/)
HLSMEM_ASSIGNED(%)
#undef HLSMEM_ASSIGNED
#define HLSMEM_STEPPED(op) \
    template <class A_, class S_ = typename related<typename model<A_>::variable>::step> \
    HLSMEM_FN A_ &operator op##op(A_ &a_) HLSMEM_BODY(return a_ = a_ op values<S_>::of(1);) \
    template <class A_, class = typename model<A_>::variable> \
    HLSMEM_FN A_ operator op##op(A_ &a_, int) HLSMEM_BODY(A_ old = a_; op##op a_; return old;)
HLSMEM_STEPPED(+)
HLSMEM_STEPPED(-)
#undef HLSMEM_STEPPED

template <class A_, class R_ = typename model<A_>::own> HLSMEM_FN R_ operator+(A_ a_)
    HLSMEM_BODY(return a_;)
template <class A_, class R_ = typename related<typename model<A_>::own>::negative>
HLSMEM_FN R_ operator-(A_ a_)
    HLSMEM_BODY(return values<R_>::of(-values<R_>::bits_of(typename model<A_>::own(a_)));)
template <class A_, class R_ = typename related<typename model<A_>::own>::complement>
HLSMEM_FN R_ operator~(A_ a_)
    HLSMEM_BODY(return values<R_>::of(~values<R_>::bits_of(typename model<A_>::own(a_)));)
template <class A_, class = typename model<A_>::own> HLSMEM_FN bool operator!(A_ a_)
    HLSMEM_BODY(return a_ == 0;)

/* What is shifted keeps its type; a shift by a negative number goes the other way. */
template <class A_, class B_, class R_ = typename model<A_>::own, class = typename model<B_>::type>
HLSMEM_FN R_ operator<<(A_ a_, B_ n_)
    HLSMEM_BODY(return values<R_>::shifted(a_, (long long)typename model<B_>::type(n_));)
template <class A_, class B_, class R_ = typename model<A_>::own, class = typename model<B_>::type>
HLSMEM_FN R_ operator>>(A_ a_, B_ n_)
    HLSMEM_BODY(return values<R_>::shifted(a_, -(long long)typename model<B_>::type(n_));)

/* Concatenation: bits of the first above those of the second, which of slices are those in them. */
#ifdef HLSMEM_READ
template <class R_> using joint = R_;
#else
template <class R_> struct joint : R_ {
    int bits;
    constexpr joint(const R_ &x_, int n_) : R_(x_), bits(n_) {}
};
template <class T_> constexpr int length_of(const T_ &) { return model<T_>::type::width; }
template <class N_, int B_> constexpr int length_of(const part<N_, B_> &x_) { return x_.length(); }
template <class R_> constexpr int length_of(const joint<R_> &x_) { return x_.bits; }
#endif
template <class A_, class B_, class R_ = result_of<operation::joined, A_, B_>>
HLSMEM_FN joint<R_> operator,(A_ a_, B_ b_)
    HLSMEM_BODY(typedef values<R_> to; int n_ = length_of(b_); \
                return joint<R_>(to::joined(typename model<A_>::type(a_),
                                            typename model<B_>::type(b_), n_),
                                 length_of(a_) + n_);)

/* The numbers that users declare; results of operators may be wider. */
template <int W_, bool S_> struct declared {
    static_assert(W_ >= 1 && W_ <= 1024, "a number has 1 to 1024 bits");
    static constexpr bool sign = S_;
    static constexpr rounding algorithmic = algorithmic_c;
};
#ifdef HLSMEM_NATIVE
template <int W_, bool S_, bool wide_ = (W_ > 64)> struct native : stored<bytes_of(W_), S_> {};
template <int W_, bool S_> struct native<W_, S_, true> { typedef num<W_, W_, S_> type; };
template <int W_, bool S_> using integer = typename native<W_, S_>::type;
#else
template <int W_, bool S_> using integer = num<W_, W_, declared<W_, S_>::sign>;
#endif
template <int W_, int I_, bool S_, rounding Q_, overflow O_, int saturated_ = 0>
using fixed = num<W_, I_, declared<W_, S_>::sign, Q_, O_, saturated_>;

#undef HLSMEM_CONVERSIONS
#undef HLSMEM_ASSIGNABLE
#undef HLSMEM_FN
#undef HLSMEM_BODY
#undef HLSMEM_MADE
} // namespace hlsmem

#ifndef HLSMEM_READ
#include "hlsmem_values.h"
#endif
#endif
