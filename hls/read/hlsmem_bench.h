/* Of the C++ library what test benches beside a kernel use: declarations alone. */
#pragma once
#include <array>
#include <algorithm>
#include <functional>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
namespace std {
template <class T> class allocator;
template <class T, class A = allocator<T>> class vector {
public:
    using value_type = T;
    using iterator = T *;
    using const_iterator = const T *;
    vector();
    explicit vector(size_t);
    vector(size_t, const T &);
    vector(initializer_list<T>);
    template <class I> vector(I, I);
    T &operator[](size_t), &at(size_t), &front(), &back();
    const T &operator[](size_t) const;
    T *begin() const, *end() const, *data() const;
    size_t size() const;
    bool empty() const;
    void push_back(const T &), pop_back(), clear(), resize(size_t), reserve(size_t);
    void resize(size_t, const T &), assign(size_t, const T &);
    template <class... X> void emplace_back(X &&...);
    template <class... X> T *insert(X &&...), *erase(X &&...);
};
template <class T> class deque : public vector<T> {};
template <class T> class list : public vector<T> {};
template <class T> class queue : public vector<T> {
public:
    void push(const T &), pop();
};
class string {
public:
    string();
    string(const char *);
    string(size_t, char);
    template <class I> string(I, I);
    static const size_t npos = -1;
    const char *c_str() const, *data() const;
    size_t size() const, length() const, find(const string &, size_t = 0) const;
    bool empty() const;
    char &operator[](size_t) const;
    char *begin() const, *end() const;
    string substr(size_t, size_t = npos) const;
    string &operator+=(const string &), &operator+=(char), &append(const string &);
};
string operator+(const string &, const string &);
string operator+(const string &, char);
bool operator==(const string &, const string &), operator!=(const string &, const string &);
bool operator<(const string &, const string &);
template <class T> string to_string(T);
int stoi(const string &);
double stod(const string &);
class ios_base {
public:
    static const int in = 1, out = 2, binary = 4, app = 8, ate = 16, trunc = 32;
    using openmode = int;
};
class ios : public ios_base {
public:
    bool good() const, eof() const, fail() const, is_open() const;
    explicit operator bool() const;
    bool operator!() const;
    void close(), open(const string &, int = 0), flush(), precision(int), width(int), clear();
};
class ostream : virtual public ios {
public:
    template <class T> ostream &operator<<(const T &);
    ostream &operator<<(ostream &(*)(ostream &)), &operator<<(ios &(*)(ios &));
    ostream &write(const char *, long), &put(char);
};
class istream : virtual public ios {
public:
    template <class T> istream &operator>>(T &);
    istream &read(char *, long), &seekg(long, int = 0), &ignore(long = 1, int = 0);
    istream &getline(char *, long);
    int get();
    long tellg();
};
class iostream : public istream, public ostream {};
class ofstream : public ostream {
public:
    ofstream();
    ofstream(const string &, int = 0);
};
class ifstream : public istream {
public:
    ifstream();
    ifstream(const string &, int = 0);
};
class fstream : public iostream {
public:
    fstream();
    fstream(const string &, int = 0);
};
class stringstream : public iostream {
public:
    stringstream(const string & = "");
    string str() const;
    void str(const string &);
};
using ostringstream = stringstream;
using istringstream = stringstream;
extern ostream cout, cerr, clog;
extern istream cin;
ostream &endl(ostream &), &flush(ostream &);
ios &hex(ios &), &dec(ios &), &oct(ios &), &fixed(ios &), &scientific(ios &), &left(ios &);
ios &right(ios &), &showbase(ios &), &noshowbase(ios &), &uppercase(ios &), &boolalpha(ios &);
istream &getline(istream &, string &), &getline(istream &, string &, char);
int setw(int), setprecision(int), setfill(char);
using streamsize = long;
using streampos = long;
template <class K, class V, class F = less<K>> class map : public vector<pair<const K, V>> {
public:
    V &operator[](const K &), &at(const K &);
    pair<const K, V> *find(const K &) const;
    size_t count(const K &) const, erase(const K &);
};
template <class K, class V> class unordered_map : public map<K, V> {};
template <class K> class set : public vector<K> {
public:
    void insert(const K &);
    K *find(const K &) const;
    size_t count(const K &) const, erase(const K &);
};
template <class K> class unordered_set : public set<K> {};
template <class T> struct default_delete {};
template <class T, class D = default_delete<T>> class unique_ptr {
public:
    unique_ptr();
    explicit unique_ptr(T *);
    unique_ptr(T *, D);
    T &operator*() const, *operator->() const, *get() const, &operator[](size_t) const;
    explicit operator bool() const;
    void reset(T * = nullptr);
};
template <class T, class D> class unique_ptr<T[], D> : public unique_ptr<T, D> {};
template <class T> using shared_ptr = unique_ptr<T>;
template <class T, class... X> unique_ptr<T> make_unique(X &&...);
template <class T, class... X> shared_ptr<T> make_shared(X &&...);
class mt19937 {
public:
    mt19937(unsigned = 0);
    unsigned operator()();
    void seed(unsigned);
};
using default_random_engine = mt19937;
using mt19937_64 = mt19937;
class random_device {
public:
    unsigned operator()();
};
template <class T> class hlsmem_distribution {
public:
    hlsmem_distribution(T = 0, T = 0);
    template <class G> T operator()(G &);
};
template <class T = int> using uniform_int_distribution = hlsmem_distribution<T>;
template <class T = double> using uniform_real_distribution = hlsmem_distribution<T>;
template <class T = double> using normal_distribution = hlsmem_distribution<T>;
class exception {
public:
    virtual const char *what() const noexcept;
    virtual ~exception();
};
class runtime_error : public exception {
public:
    runtime_error(const string &);
};
using logic_error = runtime_error;
using invalid_argument = runtime_error;
using out_of_range = runtime_error;
using bad_alloc = exception;
namespace chrono {
template <class...> class duration {
public:
    template <class T> duration(T);
    double count() const;
};
template <class T> duration<> duration_cast(duration<>);
using nanoseconds = duration<char>;
using microseconds = duration<short>;
using milliseconds = duration<int>;
using seconds = duration<long>;
struct steady_clock {
    struct time_point {
        duration<> operator-(const time_point &) const, time_since_epoch() const;
    };
    static time_point now();
};
using high_resolution_clock = steady_clock;
using system_clock = steady_clock;
}
}
