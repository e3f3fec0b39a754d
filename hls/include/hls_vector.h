/* hls::vector, and tapa::vec_t: operators go element by element. */
#pragma once
#include <initializer_list>
#include <stddef.h>
namespace hls {
template <class t_, size_t n_> class vector {
    t_ at[n_];

public:
    typedef t_ value_type;
    static const size_t num_elements = n_;
    vector() = default;
    vector(const t_ &x) {
        for (size_t i = 0; i < n_; i++)
            at[i] = x;
    }
    vector(std::initializer_list<t_> list) {
        for (size_t i = 0; i < n_; i++)
            at[i] = list.begin()[i];
    }
    t_ &operator[](size_t i) { return at[i]; }
    const t_ &operator[](size_t i) const { return at[i]; }
    t_ *begin() { return at; }
    t_ *end() { return at + n_; }
    static constexpr size_t size() { return n_; }
    static constexpr size_t length = n_; /* this and the next two are TAPA's */
    void set(size_t i, t_ x) { at[i] = x; }
    t_ get(size_t i) const { return at[i]; }
#define HLSMEM_REDUCED(name, op) \
    t_ reduce_##name() const { \
        t_ x = at[0]; \
        for (size_t i = 1; i < n_; i++) \
            x = x op at[i]; \
        return x; \
    }
    HLSMEM_REDUCED(add, +)
    HLSMEM_REDUCED(mult, *)
    HLSMEM_REDUCED(and, &)
    HLSMEM_REDUCED(or, |)
    HLSMEM_REDUCED(xor, ^)
#undef HLSMEM_REDUCED
#define HLSMEM_EACH(op) \
    vector &operator op##=(const vector &x) { \
        for (size_t i = 0; i < n_; i++) \
            at[i] = at[i] op x.at[i]; \
        return *this; \
    } \
    friend vector operator op(vector x, const vector &y) { return x op##= y; }
    HLSMEM_EACH(+)
    HLSMEM_EACH(-)
    HLSMEM_EACH(*)
    HLSMEM_EACH(/)
    HLSMEM_EACH(%)
    HLSMEM_EACH(&)
    HLSMEM_EACH(|)
    HLSMEM_EACH(^)
    HLSMEM_EACH(<<)
    HLSMEM_EACH(>>)
#undef HLSMEM_EACH
};
}
