/* The values behind the operators of `hlsmem_number.h`, for programs that are compiled. */
#ifndef HLSMEM_VALUES_H
#define HLSMEM_VALUES_H

namespace hlsmem {

template <int W_, int I_, bool S_, rounding Q_, overflow O_>
struct values<num<W_, I_, S_, Q_, O_>> {
    typedef num<W_, I_, S_, Q_, O_> number;
    typedef typename stored<bytes_of(W_), S_>::type base;
    typedef work<W_ + 1> wide;

    /* The last W bits of x, as they are stored. */
    template <class T_> static constexpr base cut(const T_ &x_) { return cut(x_, base()); }
    template <class T_, class V_> static constexpr V_ cut(const T_ &x_, V_) {
        constexpr int unused = 64 - (W_ < 64 ? W_ : 64);
        u64 low = (u64)x_ << unused;
        V_ made = (V_)(S_ ? (u64)((s64)low >> unused) : low >> unused);
#ifdef HLSMEM_CUTS
        if (8 * sizeof(V_) != W_ ? x_ != T_(made) : W_ > 32 && x_ != T_((int)(s64)x_))
            hlsmem_cut();
#endif
        return made;
    }
    template <class T_, int N_> static constexpr limbs<N_> cut(const T_ &x_, limbs<N_>) {
        limbs<N_> made = load(x_, true, limbs<N_>(0));
        constexpr int unused = 64 * N_ - W_;
        made = shr(shl(made, unused), unused);
        if (!S_ && unused)
            made.at[N_ - 1] &= ~(u64)0 >> unused;
        return made;
    }
    template <class T_> static constexpr number of(const T_ &x_) {
        number made(false);
        made.value = cut(x_);
        return made;
    }
    template <class T_> static constexpr T_ get(const number &x_) {
        return load(x_.value, S_, T_());
    }

    /* What is stored of x / 2**f2, where x is an integer of w2 bits. */
    template <int W2_, int F2_, bool S2_, class V_> static constexpr base converted(const V_ &x_) {
        constexpr int down = F2_ - (W_ - I_);
        constexpr bool simple = down == 0 && O_ == wrap;
        typedef work<simple ? W_ : most(most(W2_, W_), W2_ - down) + 3 + most(down, 0)> enough;
        enough y_ = load(x_, S2_, enough(0));
        if (down > 0)
            y_ = rounded(y_, down, Q_ & 7);
        if (down < 0)
            y_ = shl(y_, -down);
        return cut(limited(y_, W_, S_, O_));
    }
    template <int W2_, int I2_, bool S2_, rounding Q2_, overflow O2_>
    static constexpr base made(const num<W2_, I2_, S2_, Q2_, O2_> &x_) {
        return converted<W2_, W2_ - I2_, S2_>(x_.value);
    }
    template <class N_, int B_> static constexpr base made(const part<N_, B_> &x_) {
        typedef values<typename related<N_>::plain> own;
        return converted<B_, 0, false>(own::extract(x_.of, x_.high, x_.low));
    }
    template <class R_> static constexpr base made(const joint<R_> &x_) {
        return made((const R_ &)x_);
    }
    template <class T_> static constexpr base made(T_ x_) {
        typedef typename model<T_>::type other;
        typedef typename stored<bytes_of(other::width), other::sign>::type whole;
        return converted<other::width, 0, other::sign>((whole)(typename model<T_>::plain)x_);
    }
    static constexpr base made(float x_) { return made((double)x_); }
    static constexpr base made(long double x_) { return made((double)x_); }
    static constexpr base made(double x_) {
        typedef work<W_ + 64> enough;
        binary parts = decomposed(x_);
        int down = -parts.exponent - (W_ - I_);
        enough y_ = load(parts.mantissa, true, enough(0));
        if (down > 0)
            y_ = rounded(y_, least(down, 60), Q_ & 7);
        if (down < 0)
            y_ = shl(y_, least(-down, W_ + 1));
        return cut(limited(y_, W_, S_, O_));
    }
    static constexpr base read(const char *digits, int radix) {
        static_assert(W_ == I_, "a number with binary places is not read from text");
        limbs<(W_ + 8 + 63) / 64> x_(0);
        bool negative = *digits == '-';
        digits += *digits == '-' || *digits == '+';
        if (*digits == '0' && radix != 10) {
            char mark = (char)(digits[1] | 32);
            int by = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' && radix != 16 ? 2 : 0;
            digits += by ? 2 : 0;
            radix = radix ? radix : by;
        }
        for (radix = radix ? radix : 10; *digits; digits++) {
            int digit = *digits <= '9' ? *digits - '0' : (*digits | 32) - 'a' + 10;
            x_ = x_ * decltype(x_)(radix) + decltype(x_)(digit);
        }
        return cut(negative ? -x_ : x_);
    }

    static constexpr u64 low(const number &x_) { return (u64)load(x_.value, S_, s64()); }
    template <class N_> static constexpr wide bits_of(const N_ &x_) {
        return values<N_>::template get<wide>(x_);
    }
    template <class T_> static constexpr T_ real(const number &x_, T_) {
        return real_of<T_>(load(x_.value, S_, wide(0)), I_ - W_);
    }
    static constexpr bool become(const number &x_, bool) { return get<wide>(x_) != wide(0); }
    static constexpr float become(const number &x_, float) { return real(x_, 0.0f); }
    static constexpr double become(const number &x_, double) { return real(x_, 0.0); }
    static constexpr long double become(const number &x_, long double) { return real(x_, 0.0L); }
    template <class T_> static constexpr T_ become(const number &x_, T_) {
        return (T_)values<typename related<number>::whole>::made(x_);
    }

    static constexpr bool bit(const number &x_, int i_) {
        return (shr(get<wide>(x_), i_) & wide(1)) != wide(0);
    }
    /* Bits `high` to `low`; the other way around where low is above high. */
    static constexpr wide extract(const number &x_, int high, int low) {
        if (high >= low)
            return shr(get<wide>(x_), low) & (shl(wide(1), high - low + 1) - wide(1));
        wide made(0);
        for (int i_ = high; i_ <= low; i_++)
            made = shl(made, 1) | wide(bit(x_, i_) ? 1 : 0);
        return made;
    }
    template <class V_> static constexpr void insert(number &x_, int high, int low, const V_ &y_) {
        if (high < low) {
            for (int i_ = high; i_ <= low; i_++)
                insert(x_, i_, i_, V_(values<V_>::bit(y_, low - i_)));
            return;
        }
        wide mask = shl(shl(wide(1), high - low + 1) - wide(1), low);
        wide bits = shl(values<V_>::template get<wide>(y_), low);
        x_.value = cut((get<wide>(x_) & ~mask) | (bits & mask));
    }
    static constexpr number shifted(const number &x_, s64 n_) {
        int by = (int)(n_ < -W_ ? W_ : n_ > W_ ? W_ : n_ < 0 ? -n_ : n_);
        return of(n_ < 0 ? shr(get<wide>(x_), by) : shl(get<wide>(x_), by));
    }
    template <class X_, class Y_>
    static constexpr number joined(const X_ &x_, const Y_ &y_, int length) {
        typename values<X_>::wide high = values<X_>::extract(x_, X_::width - 1, 0);
        typename values<Y_>::wide low = values<Y_>::extract(y_, Y_::width - 1, 0);
        return of(shl(load(high, false, wide(0)), length) | load(low, false, wide(0)));
    }
};

template <way::kind way_, int W_, int I_, bool S_, rounding Q_, overflow O_, int W2_, int I2_,
          bool S2_, rounding Q2_, overflow O2_>
struct operands<way_, num<W_, I_, S_, Q_, O_>, num<W2_, I2_, S2_, Q2_, O2_>> {
    typedef num<W_, I_, S_, Q_, O_> X_;
    typedef num<W2_, I2_, S2_, Q2_, O2_> Y_;
    static constexpr int f_ = W_ - I_, f2_ = W2_ - I2_, both = most(f_, f2_),
                         up = way_ == way::multiplied ? 0
                              : way_ == way::divided  ? most(f2_, 0)
                                                      : both - f_,
                         up2 = way_ == way::multiplied || way_ == way::divided ? 0 : both - f2_;
    typedef work<way_ == way::multiplied ? W_ + W2_ + 1 : most(W_ + up, W2_ + up2) + 2> wide;
    static constexpr wide first(const X_ &x_) {
        return shl(values<X_>::template get<wide>(x_), up);
    }
    static constexpr wide second(const Y_ &y_) {
        return shl(values<Y_>::template get<wide>(y_), up2);
    }
    template <class R_> static constexpr R_ made(R_ *, const wide &x_) {
        return values<R_>::of(x_);
    }
};
template <way::kind way_, class X_, class Y_> struct real_operands {
    typedef typename pick<way_ == way::compared, double, Y_>::type real;
    static constexpr real first(const X_ &x_) { return (real)typename related<X_>::exact(x_); }
    static constexpr real second(const Y_ &y_) { return (real)y_; }
    template <class R_, class T_> static constexpr R_ made(R_ *, T_ x_) { return (R_)x_; }
};
template <way::kind way_, int W_, int I_, bool S_, rounding Q_, overflow O_, class Y_>
struct operands<way_, num<W_, I_, S_, Q_, O_>, Y_>
    : real_operands<way_, num<W_, I_, S_, Q_, O_>, Y_> {};
template <way::kind way_, class X_, int W_, int I_, bool S_, rounding Q_, overflow O_>
struct operands<way_, X_, num<W_, I_, S_, Q_, O_>> {
    typedef real_operands<way_, num<W_, I_, S_, Q_, O_>, X_> other;
    static constexpr typename other::real first(const X_ &x_) { return other::second(x_); }
    static constexpr typename other::real second(const num<W_, I_, S_, Q_, O_> &y_) {
        return other::first(y_);
    }
    template <class R_, class T_> static constexpr R_ made(R_ *, T_ x_) { return (R_)x_; }
};

/* The digits of an integer, behind a sign where it is decimal; else those of its bits. */
template <class N_> struct text;
template <int W_, int I_, bool S_, rounding Q_, overflow O_>
struct text<num<W_, I_, S_, Q_, O_>> {
    typedef num<W_, I_, S_, Q_, O_> number;
    static_assert(is_integer(W_, I_, Q_, O_), "digits are those of integers");
    char digits[W_ + 2] = {}, *at = digits + W_ + 1;

    text(const number &x_, int radix) {
        typedef work<W_ + 2> wide;
        typename related<number>::raw bits = x_.range();
        wide left = radix == 10 ? values<number>::template get<wide>(x_)
                                : values<typename related<number>::raw>::template get<wide>(bits);
        bool negative = left < wide(0);
        do {
            int digit = (int)(s64)(left % wide(radix));
            *--at = "0123456789abcdef"[digit < 0 ? -digit : digit];
            left = left / wide(radix);
        } while (left != wide(0));
        if (negative)
            *--at = '-';
    }
};

template <class Out_, class N_> void show(Out_ &out, const N_ &x_, int *) {
    out << (const char *)text<N_>(x_, 10).at;
}
template <class Out_, class N_> void show(Out_ &out, const N_ &x_, double *) {
    out << (double)typename related<N_>::exact(x_);
}

/* Text of what does not become a number of C by itself: wide integers, decimal places. */
template <class Out_, int W_, int I_, bool S_, rounding Q_, overflow O_>
auto operator<<(Out_ &out, const num<W_, I_, S_, Q_, O_> &x_)
    -> typename pick<true, Out_ &, decltype(out.precision())>::type {
    typedef typename pick<is_integer(W_, I_, Q_, O_), int, double>::type kind;
    return show(out, x_, (kind *)0), out;
}

} // namespace hlsmem
#endif
