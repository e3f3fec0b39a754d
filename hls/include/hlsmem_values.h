/* The values behind the operators of `hlsmem_number.h`, for programs that are compiled. */
#ifndef HLSMEM_VALUES_H
#define HLSMEM_VALUES_H

namespace hlsmem {

template <int W, int I, bool S, rounding Q, overflow O> struct values<num<W, I, S, Q, O>> {
    typedef num<W, I, S, Q, O> number;
    typedef typename stored<bytes_of(W), S>::type base;
    typedef work<W + 1> wide;

    /* The last W bits of x, as they are stored. */
    template <class T> static constexpr base cut(const T &x) { return cut(x, base()); }
    template <class T, class V> static constexpr V cut(const T &x, V) {
        constexpr int unused = 64 - (W < 64 ? W : 64);
        u64 low = (u64)x << unused;
        V made = (V)(S ? (u64)((s64)low >> unused) : low >> unused);
#ifdef HLSMEM_CUTS
        if (8 * sizeof(V) != W ? x != T(made) : W > 32 && x != T((int)(s64)x))
            hlsmem_cut();
#endif
        return made;
    }
    template <class T, int N> static constexpr limbs<N> cut(const T &x, limbs<N>) {
        limbs<N> made = load(x, true, limbs<N>(0));
        constexpr int unused = 64 * N - W;
        made = shr(shl(made, unused), unused);
        if (!S && unused)
            made.at[N - 1] &= ~(u64)0 >> unused;
        return made;
    }
    template <class T> static constexpr number of(const T &x) {
        number made(false);
        made.value = cut(x);
        return made;
    }
    template <class T> static constexpr T get(const number &x) { return load(x.value, S, T()); }

    /* What is stored of x / 2**f2, where x is an integer of w2 bits. */
    template <int W2, int F2, bool S2, class V> static constexpr base converted(const V &x) {
        constexpr int down = F2 - (W - I);
        constexpr bool simple = down == 0 && O == WRAP;
        typedef work<simple ? W : most(most(W2, W), W2 - down) + 3 + most(down, 0)> enough;
        enough y = load(x, S2, enough(0));
        if (down > 0)
            y = rounded(y, down, Q & 7);
        if (down < 0)
            y = shl(y, -down);
        return cut(limited(y, W, S, O));
    }
    template <int W2, int I2, bool S2, rounding Q2, overflow O2>
    static constexpr base made(const num<W2, I2, S2, Q2, O2> &x) {
        return converted<W2, W2 - I2, S2>(x.value);
    }
    template <class N, int B> static constexpr base made(const part<N, B> &x) {
        return converted<B, 0, false>(values<typename related<N>::plain>::extract(x.of, x.high, x.low));
    }
    template <class T> static constexpr base made(T x) {
        typedef typename model<T>::type other;
        typedef typename stored<bytes_of(other::width), other::sign>::type plain;
        return converted<other::width, 0, other::sign>((plain)(typename model<T>::c)x);
    }
    static constexpr base made(float x) { return made((double)x); }
    static constexpr base made(long double x) { return made((double)x); }
    static constexpr base made(double x) {
        typedef work<W + 64> enough;
        binary parts = decomposed(x);
        int down = -parts.exponent - (W - I);
        enough y = load(parts.mantissa, true, enough(0));
        if (down > 0)
            y = rounded(y, least(down, 60), Q & 7);
        if (down < 0)
            y = shl(y, least(-down, W + 1));
        return cut(limited(y, W, S, O));
    }
    static constexpr base read(const char *digits, int radix) {
        static_assert(W == I, "a number with binary places is not read from text");
        limbs<(W + 8 + 63) / 64> x(0);
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
            x = x * decltype(x)(radix) + decltype(x)(digit);
        }
        return cut(negative ? -x : x);
    }

    static constexpr u64 low(const number &x) { return (u64)load(x.value, S, s64()); }
    template <class N> static constexpr wide bits_of(const N &x) {
        return values<N>::template get<wide>(x);
    }
    template <class T> static constexpr T real(const number &x, T) {
        return real_of<T>(load(x.value, S, wide(0)), I - W);
    }
    static constexpr bool become(const number &x, bool) { return get<wide>(x) != wide(0); }
    static constexpr float become(const number &x, float) { return real(x, 0.0f); }
    static constexpr double become(const number &x, double) { return real(x, 0.0); }
    static constexpr long double become(const number &x, long double) { return real(x, 0.0L); }
    template <class T> static constexpr T become(const number &x, T) {
        return (T)values<typename related<number>::whole>::made(x);
    }

    static constexpr bool bit(const number &x, int i) {
        return (shr(get<wide>(x), i) & wide(1)) != wide(0);
    }
    /* Bits `high` to `low`; the other way around where low is above high. */
    static constexpr wide extract(const number &x, int high, int low) {
        if (high >= low)
            return shr(get<wide>(x), low) & (shl(wide(1), high - low + 1) - wide(1));
        wide made(0);
        for (int i = high; i <= low; i++)
            made = shl(made, 1) | wide(bit(x, i) ? 1 : 0);
        return made;
    }
    template <class V> static constexpr void insert(number &x, int high, int low, const V &y) {
        if (high < low) {
            for (int i = high; i <= low; i++)
                insert(x, i, i, V(values<V>::bit(y, low - i)));
            return;
        }
        wide mask = shl(shl(wide(1), high - low + 1) - wide(1), low);
        wide bits = shl(values<V>::template get<wide>(y), low);
        x.value = cut((get<wide>(x) & ~mask) | (bits & mask));
    }
    static constexpr number shifted(const number &x, s64 n) {
        int by = (int)(n < -W ? W : n > W ? W : n < 0 ? -n : n);
        return of(n < 0 ? shr(get<wide>(x), by) : shl(get<wide>(x), by));
    }
    template <class X, class Y> static constexpr number joined(const X &x, const Y &y) {
        typename values<Y>::wide low =
            values<Y>::extract(y, Y::width - 1, 0);
        return of(shl(values<X>::template get<wide>(x), Y::width) | load(low, false, wide(0)));
    }
};

template <way Way, int W, int I, bool S, rounding Q, overflow O, int W2, int I2, bool S2,
          rounding Q2, overflow O2>
struct operands<Way, num<W, I, S, Q, O>, num<W2, I2, S2, Q2, O2>> {
    typedef num<W, I, S, Q, O> X;
    typedef num<W2, I2, S2, Q2, O2> Y;
    static constexpr int f = W - I, f2 = W2 - I2, both = most(f, f2),
                         up = Way == MULTIPLIED ? 0 : Way == DIVIDED ? most(f2, 0) : both - f,
                         up2 = Way == MULTIPLIED || Way == DIVIDED ? 0 : both - f2;
    typedef work<Way == MULTIPLIED ? W + W2 + 1 : most(W + up, W2 + up2) + 2> wide;
    static constexpr wide first(const X &x) { return shl(values<X>::template get<wide>(x), up); }
    static constexpr wide second(const Y &y) { return shl(values<Y>::template get<wide>(y), up2); }
    template <class R> static constexpr R made(R *, const wide &x) { return values<R>::of(x); }
};
template <way Way, class X, class Y> struct real_operands {
    typedef typename pick<Way == COMPARED, double, Y>::type real;
    static constexpr real first(const X &x) { return (real)typename related<X>::exact(x); }
    static constexpr real second(const Y &y) { return (real)y; }
    template <class R, class T> static constexpr R made(R *, T x) { return (R)x; }
};
template <way Way, int W, int I, bool S, rounding Q, overflow O, class Y>
struct operands<Way, num<W, I, S, Q, O>, Y> : real_operands<Way, num<W, I, S, Q, O>, Y> {};
template <way Way, class X, int W, int I, bool S, rounding Q, overflow O>
struct operands<Way, X, num<W, I, S, Q, O>> {
    typedef real_operands<Way, num<W, I, S, Q, O>, X> other;
    static constexpr typename other::real first(const X &x) { return other::second(x); }
    static constexpr typename other::real second(const num<W, I, S, Q, O> &y) {
        return other::first(y);
    }
    template <class R, class T> static constexpr R made(R *, T x) { return (R)x; }
};

} // namespace hlsmem
#endif
