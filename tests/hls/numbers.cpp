/* Evaluates operators of numbers on what stands in each line of its input:
 *
 *     set, bits of a, bits of b (hexadecimal), shift, high, low, integer, double
 *
 * and prints one value a line: `name width places signed bits`. SETS lists triples of types. It
 * speaks to the vendors' headers and to those of hls/include alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef VENDOR
#include <ap_fixed.h>
#include <ap_int.h>
#else
#include "ap_fixed.h"
#include "ap_int.h"
#endif
#include <ac_fixed.h>
#include <ac_int.h>

template <class X> struct kind;
#ifdef VENDOR
template <int W> struct kind<ap_int<W>> { enum { w = W, f = 0, s = 1 }; };
template <int W> struct kind<ap_uint<W>> { enum { w = W, f = 0, s = 0 }; };
template <int W, bool S> struct kind<ap_int_base<W, S>> { enum { w = W, f = 0, s = S }; };
template <int W, int I, ap_q_mode Q, ap_o_mode O, int N> struct kind<ap_fixed<W, I, Q, O, N>> { enum { w = W, f = W - I, s = 1 }; };
template <int W, int I, ap_q_mode Q, ap_o_mode O, int N> struct kind<ap_ufixed<W, I, Q, O, N>> { enum { w = W, f = W - I, s = 0 }; };
template <int W, int I, bool S, ap_q_mode Q, ap_o_mode O, int N> struct kind<ap_fixed_base<W, I, S, Q, O, N>> { enum { w = W, f = W - I, s = S }; };
template <int W, bool S> struct kind<ac_int<W, S>> { enum { w = W, f = 0, s = S }; };
template <int W, int I, bool S, ac_q_mode Q, ac_o_mode O> struct kind<ac_fixed<W, I, S, Q, O>> { enum { w = W, f = W - I, s = S }; };
#else
template <int W, int I, bool S, hlsmem::rounding Q, hlsmem::overflow O>
struct kind<hlsmem::num<W, I, S, Q, O>> { enum { w = W, f = W - I, s = S }; };
#endif

template <class X> void number(const char *name, const X &x) {
    printf("%s %d %d %d ", name, (int)kind<X>::w, (int)kind<X>::f, (int)kind<X>::s);
    int digit = 0;
    for (int i = kind<X>::w - 1; i >= 0; i--) {
        digit = digit * 2 + (x[i] ? 1 : 0);
        if (i % 4 == 0) {
            putchar("0123456789abcdef"[digit]);
            digit = 0;
        }
    }
    putchar('\n');
}
static void integer(const char *name, long long x) { printf("%s 64 0 1 %llx\n", name, x); }
static void real(const char *name, double x) { printf("%s %a\n", name, x); }

struct line {
    char a[300], b[300];
    int shift, high, low;
    long long n;
    double d;
};

template <class X> void fill(X &x, const char *digits) {
    x = 0;
    int n = (int)strlen(digits);
    for (int i = 0; i < kind<X>::w; i++) {
        char c = i / 4 < n ? digits[n - 1 - i / 4] : '0';
        x[i] = ((c <= '9' ? c - '0' : c - 'a' + 10) >> i % 4 & 1) != 0;
    }
}

template <class A, class B, class T> void arithmetic(const A &a, const B &b, const T &, const line &in) {
    number("+", a + b);
    number("-", a - b);
    number("*", a * b);
    if (!(b == 0))
        number("/", a / b);
    number("&", a & b);
    number("|", a | b);
    number("^", a ^ b);
    integer("compare", (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
    number("<<", a << in.shift);
    number(">>", a >> in.shift);
    number("minus", -a);
    number("~", ~a);
    integer("!", !a);
    number("from a", T(a));
    number("from b", T(b));
    number("from a * b", T(a * b));
    number("from a - b", T(a - b));
    number("from double", T(in.d));
    number("from n", T((int)in.n));
    integer("to_int", a.to_int());
    integer("to_uint", a.to_uint());
    integer("to_int64", a.to_int64());
    real("to_double", a.to_double());
    T t = a;
    t += b;
    number("+=", t);
    t -= a;
    number("-=", t);
    t *= b;
    number("*=", t);
    t = b;
    number("x++", t++);
    number("++", t);
    --t;
    number("--", --t);
    t <<= in.shift;
    number("<<=", t);
    number("a + int", a + (int)in.n);
    number("char - a", (signed char)in.n - a);
    number("a * bool", a * (in.n > 0));
    number("long * a", (long)in.n * a);
    number("a & unsigned", a & (unsigned)in.n);
    integer("a < short", a < (short)in.n);
    integer("unsigned == a", (unsigned)in.n == a);
    t = a;
    t[in.low % kind<T>::w] = in.n & 1;
    number("t[i] = n", t);
    integer("a[i]", (bool)a[in.low]);
    integer("length", a.length());
}

template <class A, class B> void integers(A a, const B &b, const line &in) {
    if (!(b == 0))
        number("%", a % b);
    number("b - a", b - a);
    number("a << b", (A)(a << (B)(b & 31)));
    number("~(a | b)", ~(a | b));
}

template <class A, class B, class T> void amd(const A &a, const B &b, const line &in, int) {
    A x = a;
    ap_uint<kind<A>::w> slice = x.range(in.high, in.low);
    number("range", slice);
    slice = a(in.high, in.low);
    number("(,)", slice);
    x.range(in.high, in.low) = b.range();
    number("range =", x);
    x(in.high, in.low) = ap_uint<40>(in.n);
    number("(,) =", x);
    x = a;
    x(in.high, in.low) = b(kind<B>::w - 1, 0);
    number("(,) = (,)", x);
    integer("slice to_int", x(in.high, in.low).to_int());
    integer("is_zero", a.is_zero());
    ap_uint<kind<A>::w> bits = a.range();
    bits.invert(in.low);
    number("invert", bits);
    bits.set(in.high);
    bits.clear(in.low);
    number("set clear", bits);
    integer("test", bits.test(in.high));
    number("reverse", bits.reverse());
    integer("reduce", bits.and_reduce() | bits.or_reduce() << 1 | bits.xor_reduce() << 2 | bits.nand_reduce() << 3 | bits.nor_reduce() << 4 | bits.xnor_reduce() << 5);
    integer("zeros", bits.countLeadingZeros());
    bits.lrotate(in.low);
    number("lrotate", bits);
}
template <class A, class B> void amd_integers(A a, B b, const line &in) {
    ap_uint<kind<A>::w + kind<B>::w> both = (a, b);
    number("(a, b)", both);
    both = a.concat(b);
    number("concat", both);
    both = (b(kind<B>::w - 1, 0), a);
    number("(b(,), a)", both);
    both = (b(kind<B>::w - 1, 0), a(in.high, in.low));
    number("(b(,), a(,))", both);
    ap_uint<2 * kind<A>::w + kind<B>::w> three = (b, (a(in.high, in.low), a(in.low, in.low)));
    number("(b, (a(,), a(,)))", three);
    number("x(,) + b", ap_int<kind<A>::w + kind<B>::w + 3>(ap_uint<kind<A>::w>(a(in.high, in.low)) + b));
    integer("to native", (long long)a);
    real("a * 1.5", a * in.d);
    real("2.5f - a", 2.5f - a);
    integer("a < d", (a < in.d) | (in.d == a) << 1);
    int table[4] = {2, 3, 5, 7};
    ap_uint<2> i = in.n;
    integer("table", table[i] + (i ? 10 : 0) + (a != 0 && b != 0 ? 20 : 0));
}
template <class A, class B, class T> void amd_fixed(A a, B b, const line &in) {
    ap_int<16> whole = a;
    number("to ap_int", whole);
    integer("to int", (int)a);
    real("to float", (float)a);
    integer("to bool", (bool)a);
    integer("a < d", (a < in.d) | (a >= in.d) << 1);
}
template <class A, class B> void algorithmic(A a, const B &b, const line &in) {
    number("slc", a.template slc<3>(in.low % (kind<A>::w > 3 ? kind<A>::w - 3 : 1)));
    a.set_slc(in.low % (kind<A>::w > 2 ? kind<A>::w - 2 : 1), ac_int<2, false>(in.n & 3));
    number("set_slc", a);
}

/* Every mode of rounding and overflow: T is what `mode` makes of a width. */
template <class A, class B, class T> void modes(A a, B b, const line &in) {
    number("from a", T(a));
    number("from b", T(b));
    number("from a + b", T(a + b));
    number("from double", T(in.d));
    number("from float", T((float)in.d));
    number("from long", T((long)in.n));
    T t = b;
    t += a;
    number("+=", t);
    number("--", --t);
    t *= b;
    number("*=", t);
}

template <class A, class B, class T, int Which> struct set;
template <class A, class B, class T> struct set<A, B, T, 0> {
    static void run(A a, B b, const line &in) {
        integers(a, b, in);
        amd<A, B, T>(a, b, in, 0);
        amd_integers(a, b, in);
    }
};
template <class A, class B, class T> struct set<A, B, T, 1> {
    static void run(A a, B b, const line &in) {
        amd<A, B, T>(a, b, in, 0);
        amd_fixed<A, B, T>(a, b, in);
    }
};
template <class A, class B, class T> struct set<A, B, T, 2> {
    static void run(A a, B b, const line &in) {
        integers(a, b, in);
        algorithmic(a, b, in);
    }
};
template <class A, class B, class T> struct set<A, B, T, 3> {
    static void run(A a, B b, const line &in) { algorithmic(a, b, in); }
};
template <class A, class B, class T, int Which> void both(const line &in) {
    A a;
    B b;
    fill(a, in.a);
    fill(b, in.b);
    arithmetic(a, b, T(0), in);
    set<A, B, T, Which>::run(a, b, in);
}

template <class A, class B, class T> void only_modes(const line &in) {
    A a;
    B b;
    fill(a, in.a);
    fill(b, in.b);
    modes<A, B, T>(a, b, in);
}

static void sizes() {
    printf("sizes %zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof(ap_int<1>), sizeof(ap_uint<8>), sizeof(ap_int<9>),
           sizeof(ap_uint<17>), sizeof(ap_fixed<33, 5>), sizeof(ap_int<65>), sizeof(ap_uint<128>), sizeof(ap_uint<1024>));
}
#ifndef VENDOR
struct pixel {
    ap_uint<8> r, g, b;
    ap_fixed<12, 4> weight[3];
};
static_assert(__is_trivially_copyable(pixel) && sizeof(pixel) == 10, "a plain aggregate");
constexpr pixel grey = {128, 128, 128, {0.25, -0.5, 1}};
static_assert(grey.weight[1] * grey.r + 1 == -63 && grey.weight[0] < 0.5, "a constant");
static_assert(ap_int<64>(-1) < 0 && ap_int<5>("-0xf") == -15 && ap_uint<100>("12345678901234567890123") % 1000 == 123, "text");
#endif

typedef void (*evaluated)(const line &);
static const evaluated sets[] = {SETS};

int main() {
    sizes();
    line in;
    int which;
    while (scanf("%d %299s %299s %d %d %d %lld %la", &which, in.a, in.b, &in.shift, &in.high, &in.low, &in.n, &in.d) == 8) {
        sets[which](in);
        puts("=");
    }
}
