/* ac_complex of Catapult. */
#pragma once
template <class t_> class ac_complex {
    t_ re, im;

public:
    typedef t_ element_type;
    ac_complex() = default;
    template <class a_> ac_complex(const a_ &a) : re(a), im(0) {}
    template <class a_, class b_> ac_complex(const a_ &a, const b_ &b) : re(a), im(b) {}
    template <class a_> ac_complex(const ac_complex<a_> &x) : re(x.real()), im(x.imag()) {}
    const t_ &real() const { return re; }
    const t_ &imag() const { return im; }
    const t_ &r() const { return re; }
    const t_ &i() const { return im; }
    template <class a_> void set_r(const a_ &x) { re = x; }
    template <class a_> void set_i(const a_ &x) { im = x; }
    ac_complex conj() const { return ac_complex(re, -im); }
    auto mag_sqr() const -> decltype(re * re + im * im) { return re * re + im * im; }
    template <class a_> ac_complex &operator+=(const a_ &x) { return *this = *this + x; }
    template <class a_> ac_complex &operator-=(const a_ &x) { return *this = *this - x; }
    template <class a_> ac_complex &operator*=(const a_ &x) { return *this = *this * x; }
};
#define HLSMEM_COMPLEX(op, a_part, b_part) \
    template <class a_, class b_> auto operator op(const ac_complex<a_> &x, const ac_complex<b_> &y) \
        -> ac_complex<decltype(a_part)> { \
        return ac_complex<decltype(a_part)>(a_part, b_part); \
    }
HLSMEM_COMPLEX(+, x.r() + y.r(), x.i() + y.i())
HLSMEM_COMPLEX(-, x.r() - y.r(), x.i() - y.i())
HLSMEM_COMPLEX(*, x.r() * y.r() - x.i() * y.i(), x.r() * y.i() + x.i() * y.r())
#undef HLSMEM_COMPLEX
template <class a_, class b_> bool operator==(const ac_complex<a_> &x, const ac_complex<b_> &y) {
    return x.r() == y.r() && x.i() == y.i();
}
