// Arrays for C++ that print what is read and written; a line ends with each write.
// "&A,1,2" reads, "=A,1,2" writes. Values play no role: every element is 1.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Element {
    const char *name;
    int dimensions;
    long index[4];

    Element operator[](long i) const
    {
        Element inner = *this;
        inner.index[inner.dimensions++] = i;
        return inner;
    }
    void note(char kind) const
    {
        std::printf("%c%s", kind, name);
        for (int k = 0; k < dimensions; k++)
            std::printf(",%ld", index[k]);
        std::putchar(kind == '=' ? '\n' : ' ');
    }
    operator double() const
    {
        note('&');
        return 1;
    }
    Element &operator=(double) { return note('='), *this; }
    Element &operator=(const Element &other) { return *this = (double) other; }
    Element &operator+=(double) { return note('&'), note('='), *this; }
    Element &operator-=(double) { return *this += 1; }
    Element &operator*=(double) { return *this += 1; }
    Element &operator/=(double) { return *this += 1; }
    Element &operator++() { return *this += 1; }
    Element &operator--() { return *this += 1; }
    void operator++(int) { *this += 1; }
    void operator--(int) { *this += 1; }
};

// A const or a plain name is an Element& in C++: bind by value to stay a name in C.
#define TRACKED(x) Element x = {#x, 0, {0}}
