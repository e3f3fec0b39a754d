// The same for SmartHLS and Intel, whose names are others' too.
#define N 3
#define T 7
#define D 2
#include <HLS/hls.h>
#include <HLS/stdio.h>
#include <hls/axi_interface.hpp>
#include <hls/data_buffer.hpp>
#include <hls/hls_alloc.h>
#include <hls/image_processing.hpp>
#include <hls/streaming.hpp>
#include <hls/thread.hpp>
#include <hls/utils.hpp>
#undef N
#undef T
#undef D
using namespace hls;

static void filled(hls::FIFO<int> &s, int n) {
    for (int i = 0; i < n; i++)
        s.write(i * i);
}

component int halved(ihls::stream_in<int, ihls::buffer<4>> &in, ihls::stream_out<int> &out) {
    int x = in.read();
    out.write(x / 2);
    return x;
}

int main() {
    hls::FIFO<int> s(200), t;
    hls::FIFO<int, 4> deep;
    hls::thread<void> filling(filled, hls::ref(s), 100);
    filling.join();
    filled(deep, 3);
    int x = 0;
    bool some = t.try_read(x);
    int sum = s.read() + s.read() + s.read();
    printf("%d %d %d %d %d\n", sum, s.peek(), s.get_usedw(), some, deep.get_usedw());
    hls::LineBuffer<int, 4, 3> lines;
    for (int i = 0; i < 16; i++)
        lines.ShiftInPixel(i);
    for (int i = 0; i < 9; i++)
        printf("%d ", lines.window[i / 3][i % 3]);
    hls::DoubleBuffer<int[2]> buffer;
    for (int i = 0; i < 2; i++) {
        buffer.producer()[1] = i + 1;
        buffer.producer_release();
    }
    printf("%d ", buffer.consumer()[1]);
    buffer.consumer_release();
    printf("%d %d\n", buffer.consumer()[1], hls::hls_reg(6));
    hls::AxiInterface<ap_uint<32>, ap_uint<64>, ap_uint<8>> bus(8);
    axi_m_read_req<ap_uint<32>, ap_uint<64>, ap_uint<8>>(bus, 16, ap_uint<9>(256));
    bus.r.write(hls::RdDataSignals<ap_uint<64>>{5, 0, 1});
    axi_m_write_data<ap_uint<32>, ap_uint<64>, ap_uint<8>>(bus, ap_uint<64>(6), ap_uint<8>(255), true);
    hls::AddrSignals<ap_uint<32>> asked = bus.ar.read();
    printf("%d %d %d %d\n", (int)asked.addr, (int)asked.len, (int)bus.w.read().data,
           (int)axi_m_read_data<ap_uint<32>, ap_uint<64>, ap_uint<8>>(bus));
    ihls::stream_in<int, ihls::buffer<4>> in;
    ihls::stream_out<int> out;
    in.write(9);
    int whole = halved(in, out);
    printf("%d %d\n", whole, out.read());
    int *memory = (int *)hls_malloc(4 * sizeof(int), HLS_ALLOC_NONCACHED);
    ihls::mm_host<int, ihls::aspace<1>> host(memory);
    host[3] = 8;
    printf("%d\n", memory[3]);
    hls_free(memory);
}
