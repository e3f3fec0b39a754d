"""The C program text that records loads and stores of code compiled with address sanitizing."""

from __future__ import annotations

# How clang compiles what is recorded, and what calls and records it: the harness clears and copies
# memory too, which is not to be recorded.
RECORD = (
    # Constant tables of functions are read where they are, not copied at each call.
    *("-O0", "-w", "-g0", "-fwrapv", "-ffp-contract=off", "-fmerge-all-constants"),
    *("-fsanitize=kernel-address", "-mllvm", "-asan-instrumentation-with-call-threshold=0"),
    *("-mllvm", "-asan-stack=0", "-mllvm", "-asan-globals=0", "-mllvm", "-asan-opt=0"),
)
_CALLS = ("memset", "memcpy")
ASIDE = ("-O1", "-w", "-DHLSMEM_RECORDED", *(f"-D{call}=__real_{call}" for call in _CALLS))
WRAPPED = tuple(f"-Wl,--wrap={call}" for call in _CALLS)

RECORDER = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record is written for every byte stored: where it goes, as far as that has a name, and a
 * sum over the bytes loaded since the store before, by the store each was left by. Where these
 * are one load of as many bytes as are stored, each byte stored has that loaded for it alone:
 * so elements that are copied one by one look as if memcpy had copied them.
 *
 * With HLSMEM_FOLLOW a record is written for every load and store in the last object that was
 * made, the workspace: the byte, and how many bytes, twice, with one more for a store.
 *
 * With HLSMEM_VALUES a record is written for every byte stored to an argument: where it goes, and
 * what it is. No load counts: one of the two programs may copy what the other reads in its place.
 *
 * With HLSMEM_ARGUMENTS only what lies in arguments counts: all else may be a number that one of
 * two programs has in a register. The last record then says whether a number was cut to a width
 * that C does not have.
 *
 * With HLSMEM_UNDEFINED variables of functions are read before anything is stored there, which is
 * one origin for all, whatever they hold. */
#ifndef HLSMEM_FOLLOW
#define HLSMEM_FOLLOW 0
#endif
#ifndef HLSMEM_ARGUMENTS
#define HLSMEM_ARGUMENTS 0
#endif
#ifndef HLSMEM_VALUES
#define HLSMEM_VALUES 0
#endif
#ifndef HLSMEM_UNDEFINED
#define HLSMEM_UNDEFINED 0
#endif

struct entry {
    uintptr_t address;
    uint64_t store;
};
static struct entry *table;
static size_t size, used;
static uint64_t stores, loaded;
static uint64_t single[16]; /* the sums of the bytes of one load */
static size_t loads, width;
static FILE *record;
static struct {
    uintptr_t start;
    size_t bytes;
} objects[4096];
static size_t count;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static struct entry *look(uintptr_t address)
{
    size_t at = mix(address) & (size - 1);

    while (table[at].address && table[at].address != address)
        at = (at + 1) & (size - 1);
    return &table[at];
}

static void grow(void)
{
    struct entry *const old = table;
    const size_t before = size;

    size = size ? 2 * size : 1 << 16;
    table = calloc(size, sizeof *table);
    if (table == NULL)
        exit(4);
    for (size_t i = 0; i < before; i++)
        if (old[i].address)
            *look(old[i].address) = old[i];
    free(old);
}

extern char **environ;

/* Whether a variable of some function that has not ended lies there. */
static int on_stack(uintptr_t address)
{
    return address - (uintptr_t)__builtin_frame_address(0) <
           (uintptr_t)environ - (uintptr_t)__builtin_frame_address(0);
}

/* The number of an argument and the place in it, 0 for what has no name. */
static uint64_t place(uintptr_t address)
{
    for (size_t i = 0; i < count; i++)
        if (address - objects[i].start < objects[i].bytes)
            return mix(i + 1) + (address - objects[i].start);
    return 0;
}

void hlsmem_object(void *start, size_t bytes)
{
    if (count == sizeof objects / sizeof *objects)
        exit(4);
    objects[count].start = (uintptr_t)start;
    objects[count++].bytes = bytes;
}

static uint64_t cuts;
void hlsmem_cut(void)
{
    cuts = 1;
}

static void put(uint64_t where, uint64_t what);
static void settle(void);
static void close_record(void)
{
    settle();
    if (HLSMEM_ARGUMENTS)
        put(0, cuts);
    if (fclose(record))
        _Exit(5);
}

static void open_record(void)
{
    if (record != NULL)
        return;
    record = fopen(getenv("HLSMEM_RECORD"), "wb");
    if (record == NULL)
        exit(5);
    atexit(close_record);
}

static void put(uint64_t where, uint64_t what)
{
    open_record();
    const uint64_t row[2] = {where, what};
    fwrite(row, sizeof row, 1, record);
}

/* The last store to an argument, whose bytes are there when the next thing happens. */
static const unsigned char *stored;
static size_t unsettled;

static void settle(void)
{
    for (size_t i = 0; i < unsettled; i++)
        put(place((uintptr_t)(stored + i)), stored[i]);
    unsettled = 0;
}

static void follow(const void *at, size_t bytes, int stores)
{
    const uintptr_t byte = (uintptr_t)at - objects[count - 1].start;

    if (byte < objects[count - 1].bytes)
        put(byte, 2 * bytes + (stores != 0));
}

static void store(const void *at, size_t bytes)
{
    const int copies = loads == 1 && width == bytes && bytes <= 16;

    if (HLSMEM_FOLLOW) {
        follow(at, bytes, 1);
        return;
    }
    if (HLSMEM_VALUES) {
        settle();
        if (place((uintptr_t)at)) {
            open_record();
            stored = at;
            unsettled = bytes;
        }
        return;
    }
    if (HLSMEM_ARGUMENTS && !place((uintptr_t)at))
        return;
    loads = 0;
    for (size_t i = 0; i < bytes; i++) {
        const uintptr_t address = (uintptr_t)at + i;

        if (2 * used >= size)
            grow();
        struct entry *const found = look(address);
        used += !found->address;
        found->address = address;
        found->store = ++stores;
        if (copies)
            loaded = single[i];
        put(place(address), loaded);
        loaded = 0;
    }
}

static void load(const void *at, size_t bytes)
{
    if (HLSMEM_FOLLOW) {
        follow(at, bytes, 0);
        return;
    }
    if (HLSMEM_VALUES) {
        settle();
        return;
    }
    if (HLSMEM_ARGUMENTS && !place((uintptr_t)at))
        return;
    loads++;
    width = bytes;
    for (size_t i = 0; i < bytes; i++) {
        const uintptr_t address = (uintptr_t)at + i;
        struct entry *const found = size ? look(address) : NULL;
        uint64_t origin = place(address);

        if (found != NULL && found->address)
            origin = mix(found->store ^ 0x5555555555555555u);
        else if (origin == 0 && HLSMEM_UNDEFINED && on_stack(address))
            origin = mix(0x7777777777777777u);
        else if (origin == 0) /* a constant: by its content */
            origin = mix(*(const unsigned char *)address ^ 0x3333333333333333u);
        loaded += mix(HLSMEM_ARGUMENTS ? origin : origin + i);
        if (i < 16)
            single[i] = mix(origin);
    }
}

#define CALLS(n) \
    void __asan_load##n##_noabort(const void *at) { load(at, n); } \
    void __asan_store##n##_noabort(const void *at) { store(at, n); }
CALLS(1)
CALLS(2)
CALLS(4)
CALLS(8)
CALLS(16)
void __asan_loadN_noabort(const void *at, size_t bytes) { load(at, bytes); }
void __asan_storeN_noabort(const void *at, size_t bytes) { store(at, bytes); }
void __asan_handle_no_return(void) { }

/* Arrays that begin with zeros are cleared by a call, which the linker turns to this one. */
void *__real_memset(void *at, int value, size_t bytes);
void *__wrap_memset(void *at, int value, size_t bytes)
{
    store(at, bytes);
    return __real_memset(at, value, bytes);
}

/* Each byte comes from its own, as in a loop over elements that loads one and stores it. */
void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    if (HLSMEM_VALUES || (HLSMEM_ARGUMENTS && bytes <= 16)) { /* a number, a struct of some */
        load(from, bytes);
        store(to, bytes);
    } else for (size_t i = 0; i < bytes; i++) {
        load((const char *)from + i, 1);
        store((char *)to + i, 1);
    }
    return __real_memcpy(to, from, bytes);
}
"""
