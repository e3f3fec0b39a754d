/* The classes of `hlsmem_number.h`, what stores them, and the types of their operators' results. */
#ifndef HLSMEM_WIDTHS_H
#define HLSMEM_WIDTHS_H

namespace hlsmem {

/* Of names that users may give a macro, such as a single letter, none stands here.
 *
 * `algorithmic_c` is added to the mode of ac_int and ac_fixed, which differ from AMD's in `~`, in
 * `++` of fixed point, in integers of negative fractions, and in nothing else.
 */
enum rounding {
    trn, trn_zero, rnd, rnd_zero, rnd_min_inf, rnd_inf, rnd_conv, rnd_conv_odd, algorithmic_c = 8
};
enum overflow { wrap, sat, sat_zero, sat_sym, wrap_sm };

/* A number of w bits, i of them before the point. Integers have i == w and truncate to zero, as C
 * does, and with Algorithmic C down. */
template <int w_, int i_, bool s_, rounding q_ = (w_ == i_ ? trn_zero : trn), overflow o_ = wrap,
          int saturated_ = 0> /* AMD's fifth argument of ap_fixed, which patterns of users name */
struct num;
/* Bits `high` to `low` of a number, as an unsigned integer of b bits. */
template <class N_, int B_> struct part;
template <class N_> struct related;
template <int limbs_> struct limbs;

constexpr int most(int a_, int b_) { return a_ < b_ ? b_ : a_; }
constexpr int least(int a_, int b_) { return a_ < b_ ? a_ : b_; }

/* What stores w bits. */
template <int bytes_, bool S_> struct stored { typedef limbs<bytes_ / 8> type; };
template <> struct stored<1, true> { typedef signed char type; };
template <> struct stored<1, false> { typedef unsigned char type; };
template <> struct stored<2, true> { typedef short type; };
template <> struct stored<2, false> { typedef unsigned short type; };
template <> struct stored<4, true> { typedef int type; };
template <> struct stored<4, false> { typedef unsigned type; };
template <> struct stored<8, true> { typedef long long type; };
template <> struct stored<8, false> { typedef unsigned long long type; };
constexpr int bytes_of(int w_) {
    return w_ <= 8 ? 1 : w_ <= 16 ? 2 : w_ <= 32 ? 4 : w_ <= 64 ? 8 : (w_ + 63) / 64 * 8;
}

/* The number that an operand is; `real` for floating point. Enumerators count as int. */
template <int W_, int I_, bool S_, rounding Q_, overflow O_>
num<W_, I_, S_, Q_, O_> number_in(const num<W_, I_, S_, Q_, O_> *);
struct no_number {};
no_number number_in(const void *);
template <class T_> struct model_of_base { /* of a class that a user derives from a number */
    typedef T_ type, any, own;
};
template <> struct model_of_base<no_number> {};
template <class T_, bool is_enum_ = __is_enum(T_)>
struct model : model_of_base<decltype(number_in((T_ *)0))> {};
template <class T_> struct model<T_, true> : model<decltype(+T_()), false> {};
template <int W_, int I_, bool S_, rounding Q_, overflow O_>
struct model<num<W_, I_, S_, Q_, O_>, false> {
    typedef num<W_, I_, S_, Q_, O_> type, any, own, variable;
};
template <class N_, int B_> struct model<part<N_, B_>, false> {
    typedef typename related<N_>::template integer<B_, false> type, any, own;
};
template <class T_, int W_, bool S_> struct model_of_c {
    typedef num<W_, W_, S_> type, any;
    typedef T_ plain;
};
template <class T_> struct model_of_real { typedef T_ any, plain; };
#define HLSMEM_C_TYPE(T_) \
    template <> struct model<T_, false> : model_of_c<T_, 8 * sizeof(T_), (T_)-1 < (T_)1> {};
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

constexpr bool is_integer(int w_, int i_, int q_, int o_) {
    return w_ == i_ && (q_ == trn_zero || q_ == algorithmic_c) && o_ == wrap;
}
constexpr bool are_integers(int w_, int i_, int q_, int o_, int w2_, int i2_, int q2_, int o2_) {
    return is_integer(w_, i_, q_, o_) && is_integer(w2_, i2_, q2_, o2_);
}
constexpr rounding mode_of(int family, bool integer) {
    return family ? algorithmic_c : integer ? trn_zero : trn;
}

/* Widths of results, by AMD UG1399. */
struct operation {
    enum kind { sum, difference, product, quotient, remainder, logic, joined };
    static constexpr int common(kind k_, int i_, bool s_, int i2_, bool s2_) {
        return most(i_ + (s2_ && !s_), i2_ + (s_ && !s2_)) + (k_ != logic);
    }
    static constexpr int width(kind k_, int w_, int i_, bool s_, int w2_, int i2_, bool s2_) {
        return k_ == product || k_ == joined ? w_ + w2_
               : k_ == quotient              ? w_ + s2_ + most(w2_ - i2_, 0)
               : k_ == remainder             ? least(w_, w2_ + (s_ && !s2_))
                                 : common(k_, i_, s_, i2_, s2_) + most(w_ - i_, w2_ - i2_);
    }
    static constexpr int whole(kind k_, int w_, int i_, bool s_, int w2_, int i2_, bool s2_) {
        return k_ == product     ? i_ + i2_
               : k_ == quotient  ? i_ + s2_ + w2_ - i2_
               : k_ == joined    ? w_ + w2_
               : k_ == remainder ? least(w_, w2_ + (s_ && !s2_))
                                 : common(k_, i_, s_, i2_, s2_);
    }
    static constexpr bool is_signed(kind k_, bool s_, bool s2_) {
        return k_ != joined && (s_ || (s2_ && k_ != remainder) || k_ == difference);
    }
};

template <bool, int W_, int I_, bool S_, rounding Q_> struct num_if {};
template <int W_, int I_, bool S_, rounding Q_> struct num_if<true, W_, I_, S_, Q_> {
    typedef num<W_, I_, S_, Q_> type;
};
template <bool, class T_> struct type_if {};
template <class T_> struct type_if<true, T_> { typedef T_ type; };
/* The type of a result: of two numbers, or of a number and a floating-point number. */
template <operation::kind k_, class X_, class Y_> struct result;
template <operation::kind k_, int W_, int I_, bool S_, rounding Q_, overflow O_, int W2_, int I2_,
          bool S2_, rounding Q2_, overflow O2_>
struct result<k_, num<W_, I_, S_, Q_, O_>, num<W2_, I2_, S2_, Q2_, O2_>>
    : num_if<k_ != operation::remainder || are_integers(W_, I_, Q_, O_, W2_, I2_, Q2_, O2_),
             operation::width(k_, W_, I_, S_, W2_, I2_, S2_),
             operation::whole(k_, W_, I_, S_, W2_, I2_, S2_), operation::is_signed(k_, S_, S2_),
             mode_of((Q_ | Q2_) & algorithmic_c,
                     k_ == operation::joined ||
                         are_integers(W_, I_, Q_, O_, W2_, I2_, Q2_, O2_))> {};
template <operation::kind k_, int W_, int I_, bool S_, rounding Q_, overflow O_, class R_>
struct result<k_, num<W_, I_, S_, Q_, O_>, R_> : type_if<(k_ <= operation::quotient), R_> {};
template <operation::kind k_, int W_, int I_, bool S_, rounding Q_, overflow O_, class R_>
struct result<k_, R_, num<W_, I_, S_, Q_, O_>> : type_if<(k_ <= operation::quotient), R_> {};

/* Two operands as numbers; nothing unless one is a num or a part and the other a number. */
template <class...> struct always { typedef void type; };
template <class A_, class B_, class = void> struct pair {};
#define HLSMEM_PAIR(a_, b_) \
    template <class A_, class B_> \
    struct pair<A_, B_, typename always<typename model<A_>::a_, typename model<B_>::b_>::type> { \
        typedef typename model<A_>::any first; \
        typedef typename model<B_>::any second; \
    };
HLSMEM_PAIR(own, own)
HLSMEM_PAIR(own, plain)
HLSMEM_PAIR(plain, own)
#undef HLSMEM_PAIR
template <operation::kind k_, class A_, class B_>
using result_of =
    typename result<k_, typename pair<A_, B_>::first, typename pair<A_, B_>::second>::type;

} // namespace hlsmem
#endif
