// Streams, vectors, windows, images and buses of all vendors, each used once; prints what they hold.
#define N 3 // names of template parameters must bear it
#define W 5
#define T 7
#define ROWS 9
#include <ac_channel.h>
#include <ac_complex.h>
#include <ap_axi_sdata.h>
#include <hls_array_partition.h>
#include <hls_burst_maxi.h>
#include <hls_directio.h>
#include <hls_math.h>
#include <hls_stream.h>
#include <hls_streamofblocks.h>
#include <hls_vector.h>
#include <hls_video.h>
#include <tapa.h>
#include <utils/x_hls_traits.h>
#include <common/xf_common.h>
#include <common/xf_common.hpp>
#include <stdio.h>
#undef N
#undef W
#undef T
#undef ROWS

template <class S> static void pass(const char *name, S &s) {
    for (int i = 0; i < 200; i++)
        s.write(3 * i);
    int sum = 0;
    for (int i = 0; i < 199; i++)
        sum += s.read() * (i + 1);
    printf("%s %d %d %d", name, sum, s.empty(), s.full());
    int last = s.read();
    printf(" %d %d\n", last, s.empty());
}

template <int D> static int depth_of(hls::stream<int, D> &) { return D; }
static int taken(hls::stream<int> &s) { return s.read(); }

static void streams() {
    hls::stream<int, 4> amd("amd");
    pass("hls::stream", amd);
    int x = 0, none = 5;
    amd << 1;
    amd << 2;
    amd.write_nb(3);
    amd >> x;
    int two = taken(amd);
    printf("%d %d %d %d", x, two, (int)amd.size(), depth_of(amd));
    bool some = amd.read_nb(x), more = amd.read_nb(none);
    printf(" %d %d %d %d %d\n", some, x, more, none, (int)amd.capacity());
    int memory[4] = {7, 8, 0, 0};
    hls::stream<int> over(memory, 4, 2);
    over.write(9);
    int first = over.read(), second = over.read(), third = over.read();
    printf("%d %d %d %d\n", first, second, third, memory[2]);
    ac_channel<int> catapult;
    pass("ac_channel", catapult);
    catapult.write(4);
    printf("%d %d\n", catapult.available(1), catapult.available(2));
    tapa::stream<int, 2> channel("channel");
    pass("tapa::stream", channel);
    hls::ap_hs<int> port;
    pass("hls::ap_hs", port);
    hls::stream_of_blocks<int[4]> blocks;
    for (int i = 0; i < 2; i++) {
        hls::write_lock<int[4]> lock(blocks);
        for (int j = 0; j < 4; j++)
            lock[j] = 10 * i + j;
    }
    for (int i = 0; i < 2; i++) {
        hls::read_lock<int[4]> lock(blocks);
        printf("%d %d ", lock[0], lock[3]);
    }
    printf("%d\n", blocks.empty());
}

static void moved(tapa::mmap<const int> from, tapa::ostream<int> &to, int n) {
    for (int i = 0; i < n; i++)
        to << from[i];
}
static void squared(tapa::istream<int> &from, tapa::mmap<int> to, int n) {
    for (int i = 0; i < n; i++)
        to[i] = from.read() * from.read();
}

static void tasks() {
    int in[4] = {1, 2, 3, 4}, out[2];
    tapa::stream<int> q;
    tapa::task().invoke(moved, in, q, 4).invoke(squared, "squared", q, out, 2);
    printf("%d %d\n", out[0], out[1]);
}

static void beats() {
    typedef ap_axiu<24, 2, 3, 4> beat;
    hls::stream<beat> s;
    beat x;
    x.data = 0xabcdef;
    x.keep_all();
    x.set_last(1);
    x.user = 2;
    s.write(x);
    beat y = s.read();
    printf("%x %d %d %d\n", (int)y.data, (int)y.keep, (int)y.get_last(), (int)y.user);
    hls::axis<float, 0, 0, 0> z;
    z.keep_all();
    printf("%d %d\n", (int)z.keep, (int)hlsmem::bytes<ap_int<33>>::of);
}

static void vectors() {
    hls::vector<int, 4> a = {1, 2, 3, 4}, b = 5, c = a * b - 1;
    c += a;
    printf("%d %d %d %d", c[0], c[3], c.reduce_add(), (a & b).reduce_or());
    int from[8] = {0, 1, 4, 9, 16, 25, 36, 49};
    printf(" %d\n", hls::gather<int, 4>(from, {1, 3, 5, 7}).reduce_add());
    ac_complex<int> p(1, 2), q(3, -1);
    p = p * q + q;
    printf("%d %d %d %d\n", p.r(), p.i(), p.conj().imag(), q.mag_sqr());
    hls::burst_maxi<int> bus(from);
    bus.read_request(2, 3);
    int sum = bus.read() + bus.read() + bus.read();
    bus.write_request(6, 2);
    bus.write(sum);
    bus.write(-1);
    printf("%d %d %d\n", sum, from[6], from[7]);
    printf("%d %d\n", (int)BitWidth<1024>::Value, (int)BitWidth<1023>::Value);
    printf("%g %g %d\n", hls::sqrt(2.0f), hls::pow(2.0, 3.0), hls::max(3, 4));
}

static void windows() {
    hls::Window<2, 3, int> w;
    for (int i = 0; i < 6; i++)
        w.insert_pixel(i, i / 3, i % 3);
    w.shift_pixels_left();
    w.shift_pixels_down();
    const int row[3] = {7, 8, 9};
    w.insert_top_row(row);
    for (int i = 0; i < 6; i++)
        printf("%d ", w.getval(i / 3, i % 3));
    hls::LineBuffer<3, 2, int> l;
    for (int i = 0; i < 6; i++)
        l.val[i / 2][i % 2] = i;
    l.shift_pixels_up(1);
    l.insert_bottom_row(6, 1);
    for (int i = 0; i < 6; i++)
        printf("%d ", l.getval(i / 2, i % 2));
    xf::Mat<XF_8UC1, 2, 8, XF_NPPC8> image;
    image.write(1, ap_uint<64>(0x0807060504030201UL));
    xf::cv::Mat<XF_16SC1, 2, 8, XF_NPPC1> other(2, 4);
    other.write(7, 9);
    printf("%d %d %d %d %d %d\n", (int)image.read(1).range(15, 8), image.rows, image.cols, image.size,
           (int)other.read(7), other.size);
}

int main() {
    streams();
    tasks();
    beats();
    vectors();
    windows();
}
