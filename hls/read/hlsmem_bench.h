/* Of the C++ library what test benches beside a kernel use: declarations alone, wider than they are. */
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <stdio.h>
#include <stdlib.h>
namespace std {
using streamsize = long;
using streampos = long;
template <class> class allocator;
template <class t_, class a_ = allocator<t_>> class vector {
public:
    using value_type = t_;
    using iterator = t_ *;
    using const_iterator = const t_ *;
    vector();
    explicit vector(size_t);
    vector(size_t, const t_ &);
    vector(initializer_list<t_>);
    template <class i_> vector(i_, i_);
    t_ &operator[](size_t), &at(size_t), &front(), &back();
    const t_ &operator[](size_t) const;
    t_ *begin() const, *end() const, *data() const, *find(const t_ &) const;
    size_t size() const, count(const t_ &) const;
    bool empty() const;
    void push_back(const t_ &), push(const t_ &), pop_back(), pop(), clear(), reserve(size_t);
    void resize(size_t), resize(size_t, const t_ &), assign(size_t, const t_ &);
    template <class... x_> void emplace_back(x_ &&...);
    template <class... x_> t_ *insert(x_ &&...);
    template <class... x_> t_ *erase(x_ &&...);
};
template <class t_> using deque = vector<t_>;
template <class t_> using list = vector<t_>;
template <class t_> using queue = vector<t_>;
template <class t_> using set = vector<t_>;
template <class t_> using unordered_set = vector<t_>;
template <class k_, class v_, class f_ = less<k_>> class map : public vector<pair<const k_, v_>> {
public:
    v_ &operator[](const k_ &), &at(const k_ &);
    pair<const k_, v_> *find(const k_ &) const;
    size_t count(const k_ &) const, erase(const k_ &);
};
template <class k_, class v_> using unordered_map = map<k_, v_>;
class string : public vector<char> {
public:
    static const size_t npos = -1;
    using vector<char>::vector;
    string();
    string(const char *);
    string(size_t, char);
    const char *c_str() const;
    size_t length() const, find(const string &, size_t = 0) const;
    string substr(size_t, size_t = npos) const;
    string &operator+=(const string &), &operator+=(char), &append(const string &);
};
string operator+(const string &, const string &), operator+(const string &, char);
bool operator==(const string &, const string &), operator!=(const string &, const string &);
bool operator<(const string &, const string &);
template <class t_> string to_string(t_);
int stoi(const string &);
double stod(const string &);
class ios_base {
public:
    static const int in = 1, out = 2, binary = 4, app = 8, ate = 16, trunc = 32, beg = 0, end = 2;
    using openmode = int;
    bool good() const, eof() const, fail() const, is_open() const, operator!() const;
    explicit operator bool() const;
    void close(), open(const string &, int = 0), precision(int), width(int), clear();
};
using ios = ios_base;
template <class> struct char_traits;
template <class c_, class t_ = char_traits<c_>> class basic_ostream : virtual public ios {
public:
    template <class x_> basic_ostream &operator<<(const x_ &);
    basic_ostream &operator<<(basic_ostream &(*)(basic_ostream &)), &operator<<(ios &(*)(ios &));
    basic_ostream &write(const char *, long), &put(char), &flush();
};
template <class c_, class t_ = char_traits<c_>> class basic_istream : virtual public ios {
public:
    template <class x_> basic_istream &operator>>(x_ &);
    basic_istream &read(char *, long), &seekg(long, int = 0), &ignore(long = 1, int = 0);
    basic_istream &getline(char *, long);
    int get();
    long tellg();
};
using ostream = basic_ostream<char>;
using istream = basic_istream<char>;
class iostream : public istream, public ostream {};
template <class t_> class hlsmem_file : public t_ {
public:
    hlsmem_file();
    hlsmem_file(const string &, int = 0);
    string str() const;
    void str(const string &);
};
using ofstream = hlsmem_file<ostream>;
using ifstream = hlsmem_file<istream>;
using fstream = hlsmem_file<iostream>;
using stringstream = fstream;
using ostringstream = fstream;
using istringstream = fstream;
extern ostream cout, cerr, clog;
extern istream cin;
ostream &endl(ostream &), &flush(ostream &);
ios &hex(ios &), &dec(ios &), &oct(ios &), &fixed(ios &), &scientific(ios &), &left(ios &);
ios &right(ios &), &showbase(ios &), &noshowbase(ios &), &uppercase(ios &), &boolalpha(ios &);
istream &getline(istream &, string &), &getline(istream &, string &, char);
int setw(int), setprecision(int), setfill(char);
template <class t_> class unique_ptr {
public:
    explicit unique_ptr(t_ * = nullptr);
    template <class d_> unique_ptr(t_ *, d_);
    t_ &operator*() const, *operator->() const, *get() const, &operator[](size_t) const;
    explicit operator bool() const;
    void reset(t_ * = nullptr);
};
template <class t_> class unique_ptr<t_[]> : public unique_ptr<t_> {
    using unique_ptr<t_>::unique_ptr;
};
template <class t_> using shared_ptr = unique_ptr<t_>;
template <class t_, class... x_> unique_ptr<t_> make_unique(x_ &&...);
template <class t_, class... x_> shared_ptr<t_> make_shared(x_ &&...);
class mt19937 {
public:
    mt19937(unsigned = 0);
    unsigned operator()();
    void seed(unsigned);
};
using default_random_engine = mt19937;
using mt19937_64 = mt19937;
using random_device = mt19937;
template <class t_ = double> class normal_distribution {
public:
    normal_distribution(t_ = 0, t_ = 0);
    template <class g_> t_ operator()(g_ &);
};
template <class t_ = double> using uniform_real_distribution = normal_distribution<t_>;
template <class t_ = int> using uniform_int_distribution = normal_distribution<t_>;
class exception {
public:
    exception(const string & = "");
    virtual const char *what() const noexcept;
};
using runtime_error = exception;
using logic_error = exception;
using invalid_argument = exception;
using out_of_range = exception;
using bad_alloc = exception;
namespace chrono {
template <int unit_> struct duration {
    template <int other_> duration(duration<other_>);
    double count() const;
};
using nanoseconds = duration<0>;
using microseconds = duration<1>;
using milliseconds = duration<2>;
using seconds = duration<3>;
template <class t_> t_ duration_cast(nanoseconds);
struct steady_clock {
    struct time_point {
        nanoseconds operator-(const time_point &) const, time_since_epoch() const;
    };
    static time_point now();
};
using high_resolution_clock = steady_clock;
using system_clock = steady_clock;
}
}
