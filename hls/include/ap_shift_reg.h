/* AMD's shift register: what is shifted in comes out after as many calls as the register is deep. */
#ifndef HLSMEM_AP_SHIFT_REG_H
#define HLSMEM_AP_SHIFT_REG_H

template <class T, unsigned Depth = 32> class ap_shift_reg {
    T cells[Depth];

  public:
    ap_shift_reg() = default;
    ap_shift_reg(const char *) {}
    T read(unsigned address = Depth - 1) const { return cells[address]; }
    T shift(T x, unsigned address = Depth - 1, bool enabled = true) {
        T out = cells[address];
        if (enabled) {
            for (unsigned i = Depth - 1; i > 0; i--)
                cells[i] = cells[i - 1];
            cells[0] = x;
        }
        return out;
    }
    operator T() const { return read(); }
    ap_shift_reg &operator=(T x) {
        shift(x);
        return *this;
    }
};
#endif
