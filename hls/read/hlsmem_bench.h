/* Of the C++ library what test benches beside a kernel use: declarations alone. */
#pragma once
#include <array>
#include <algorithm>
#include <functional>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
namespace std {
template <class t_> class allocator;
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
    t_ *begin() const, *end() const, *data() const;
    size_t size() const;
    bool empty() const;
    void push_back(const t_ &), pop_back(), clear(), resize(size_t), reserve(size_t);
    void resize(size_t, const t_ &), assign(size_t, const t_ &);
    template <class... x_> void emplace_back(x_ &&...);
    template <class... x_> t_ *insert(x_ &&...), *erase(x_ &&...);
};
template <class t_> class deque : public vector<t_> {};
template <class t_> class list : public vector<t_> {};
template <class t_> class queue : public vector<t_> {
public:
    void push(const t_ &), pop();
};
class string {
public:
    string();
    string(const char *);
    string(size_t, char);
    template <class i_> string(i_, i_);
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
template <class t_> string to_string(t_);
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
template <class> struct char_traits;
template <class c_, class t_ = char_traits<c_>> class basic_ostream;
template <class c_, class t_ = char_traits<c_>> class basic_istream;
using ostream = basic_ostream<char>;
using istream = basic_istream<char>;
template <class c_, class t_> class basic_ostream : virtual public ios {
public:
    template <class x_> basic_ostream &operator<<(const x_ &);
    ostream &operator<<(ostream &(*)(ostream &)), &operator<<(ios &(*)(ios &));
    ostream &write(const char *, long), &put(char);
};
template <class c_, class t_> class basic_istream : virtual public ios {
public:
    template <class x_> basic_istream &operator>>(x_ &);
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
template <class k_, class v_, class f_ = less<k_>> class map : public vector<pair<const k_, v_>> {
public:
    v_ &operator[](const k_ &), &at(const k_ &);
    pair<const k_, v_> *find(const k_ &) const;
    size_t count(const k_ &) const, erase(const k_ &);
};
template <class k_, class v_> class unordered_map : public map<k_, v_> {};
template <class k_> class set : public vector<k_> {
public:
    void insert(const k_ &);
    k_ *find(const k_ &) const;
    size_t count(const k_ &) const, erase(const k_ &);
};
template <class k_> class unordered_set : public set<k_> {};
template <class t_> struct default_delete {};
template <class t_, class d_ = default_delete<t_>> class unique_ptr {
public:
    unique_ptr();
    explicit unique_ptr(t_ *);
    unique_ptr(t_ *, d_);
    t_ &operator*() const, *operator->() const, *get() const, &operator[](size_t) const;
    explicit operator bool() const;
    void reset(t_ * = nullptr);
};
template <class t_, class d_> class unique_ptr<t_[], d_> : public unique_ptr<t_, d_> {};
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
class random_device {
public:
    unsigned operator()();
};
template <class t_> class hlsmem_distribution {
public:
    hlsmem_distribution(t_ = 0, t_ = 0);
    template <class g_> t_ operator()(g_ &);
};
template <class t_ = int> using uniform_int_distribution = hlsmem_distribution<t_>;
template <class t_ = double> using uniform_real_distribution = hlsmem_distribution<t_>;
template <class t_ = double> using normal_distribution = hlsmem_distribution<t_>;
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
    template <class t_> duration(t_);
    double count() const;
};
template <class t_> duration<> duration_cast(duration<>);
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
