"""Streams of structs of the planned function: arrays of structs with as many elements as pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.polyhedra import Set
from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.design import load
from hlsmem.read.design_folder import Folder
from tests.plans import plan_storage

LATER = """
#include <hls_stream.h>
void top(hls::stream<int> &in, hls::stream<int> &out, unsigned n)
{
    int kept = 0;
    unsigned o = 0;
    for (unsigned i = 0; i < 6 * n; i++) {
        if (o == 0)
            kept = in.read();
        out.write(kept + i);
        if (++o == 3)
            o = 0;
    }
}
"""
KERNEL = """
#include <ap_axi_sdata.h>
#include <hls_stream.h>
void top(const int in[64], hls::stream<ap_axiu<32, 0, 0, 0>> &out)
{
    for (int i = 0; i < 64; i++) {
        ap_axiu<32, 0, 0, 0> beat;
        beat.data = in[i];
        beat.keep = 15;
        beat.last = i == 63;
        out.write(beat);
    }
}
"""


def test_a_stream_has_as_many_elements_as_a_parameter_behind_it_says(tmp_path: Path) -> None:
    file = tmp_path / "top.cpp"
    file.write_text(LATER)
    design = load(file, parameters={"n": 4})
    kernel = design.program.kernel
    assert kernel is not None
    assert [str(one) for one in design.program.arrays["in"].extents or ()] == ["2*n"]
    assert "int in[restrict ], int out[restrict ], unsigned n)" in kernel.normal


def test_a_stream_of_beats_has_a_row_for_each_that_passes(tmp_path: Path) -> None:
    file = tmp_path / "top.cpp"
    file.write_text(KERNEL)
    arrays = load(file).program.arrays
    found = {name: arrays[name].extents for name in arrays if name.startswith("out")}
    assert found
    assert all(one and [str(extent) for extent in one] == ["64"] for one in found.values()), found


THREADS = """
#include <hls/streaming.hpp>
#include <hls/thread.hpp>
#define N 32
void scaled(const int *const &from, hls::FIFO<int> &to, int k)
{
    for (int i = 0; i < N; i++)
        to.write(from[i] * k);
}
void halved(hls::FIFO<int> &from, int *to)
{
    for (int i = 0; i < N / 2; i++) {
        from.read();
        to[i] = from.read();
    }
}
void threads(const int in[N], int out[N])
{
    hls::FIFO<int> fifo(N);
    hls::thread<void> first(scaled, in, hls::ref(fifo), 3);
    hls::thread<void> second(halved, std::ref(fifo), out);
    first.join();
    second.join();
}
"""


def test_a_thread_is_a_call_and_an_element_that_nothing_uses_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "top.cpp"
    file.write_text(THREADS)
    program = load(file, settings=["kernel.function=threads"]).program
    reads = [one.relation for each in program.statements for one in each.reads]
    taken = [str(one) for one in reads if one.range().get_tuple_name() == "fifo"]
    assert ["fifo[2i]" in one for one in taken] == [True, False]
    assert "fifo[1 + 2i]" in taken[1]


BUNDLES = """
#include <hls_stream.h>
#include <hls_vector.h>
typedef hls::vector<int, 4> four;
void doubled(const four *in, four *out, int size)
{
    static hls::stream<four> between("between");
    for (int i = 0; i < size / 4; i++)
        between << in[i];
    for (int i = 0; i < size / 4; i++)
        out[i] = between.read() * 2;
}
"""


def test_a_stream_has_as_many_elements_as_a_quotient(tmp_path: Path) -> None:
    file = tmp_path / "top.cpp"
    file.write_text(BUNDLES)
    program = load(file, parameters={"size": 64}).program
    assert [str(one) for one in program.arrays["between_at"].extents] == ["floor(size/4)", "4"]


LANES = """
#include <hls_stream.h>
#define M 3
void split(hls::stream<int> (&to)[M], const int in[8 * M])
{
    for (int i = 0; i < 8; i++)
        for (int j = M - 1; j >= 0; --j) {
            int lane = M - 1 - j;
            to[lane].write(in[i * M + j]);
        }
}
void top(const int in[8 * M], int out[8], hls::stream<int> more[2])
{
#pragma HLS DATAFLOW
    hls::stream<int> lanes[M];
    split(lanes, in);
    for (int i = 0; i < 8; i++) {
        int sum = 0;
        for (unsigned j = 0; j < M; j += 2)
            sum += lanes[j].read();
        out[i] = sum + lanes[1].read();
        more[1].write(sum);
    }
}
"""


def test_a_loop_that_chooses_streams_has_its_turns_one_by_one(tmp_path: Path) -> None:
    file = tmp_path / "top.cpp"
    file.write_text(LANES)
    program = load(file, settings=["kernel.function=top"]).program
    assert {"lanes_0", "lanes_1", "lanes_2", "more_1"} <= set(program.arrays)
    first = next(one for one in program.statements if one.writes[0].array == "lanes_0")
    assert "in[2 + 3i]" in str(first.reads[0].relation)


IMAGES = """
#include <hls_stream.h>
struct Image {
    int rows, cols;
    unsigned char data[64];
    Image() : rows(8), cols(8) {}
};
void top(Image &from, Image &to)
{
    hls::stream<unsigned char> pixels;
    for (int i = 0; i < from.rows; i++)
        for (int j = 0; j < from.cols; j++)
            pixels.write(from.data[i * from.cols + j]);
    for (int i = 0; i < to.rows; i++)
        for (int j = 0; j < to.cols; j++)
            to.data[i * to.cols + j] = pixels.read();
}
"""


def test_sizes_of_two_images_are_one_where_they_have_to_be(tmp_path: Path) -> None:
    file = tmp_path / "top.cpp"
    file.write_text(IMAGES)
    values = {"from_rows": 4, "from_cols": 8, "to_rows": 4, "to_cols": 8}
    program = load(file, parameters=values).program
    sizes = "[from_rows, from_cols, to_rows, to_cols] -> { :"
    wanted = Set(f"{sizes} from_rows = to_rows and from_cols = to_cols }}")
    assert program.context.params().is_subset(wanted.params())


@pytest.mark.parametrize(("counter", "end"), [("ap_uint<3>", "M"), ("int", "(int)in[0]")])
def test_a_loop_whose_turns_are_not_known_is_never_left_out(
    counter: str, end: str, tmp_path: Path
) -> None:
    file = tmp_path / "top.cpp"
    head = "for (int j = M - 1; j >= 0; --j) {"
    text = LANES.replace(head, f"for ({counter} j = 0; j < {end}; j++) {{")
    file.write_text("#include <ap_int.h>\n" + text.replace("to[lane]", "to[j]"))
    with pytest.raises(InputError, match="element of an array of streams is not known"):
        load(file, settings=["kernel.function=top"])


ENDS = """
#include <tapa.h>
#include <stdint.h>
typedef tapa::vec_t<int, 2> two;
void put(const int *a, uint64_t n, tapa::ostream<two> &to)
{
    for (uint64_t i = 0; i < n; i++) {
        two both;
        both.set(0, a[i]);
        both.set(1, 2 * a[i]);
        to.write(both);
    }
    to.close();
}
void add(tapa::istream<two> &from, tapa::ostream<int> &to)
{
    TAPA_WHILE_NOT_EOT(from) {
        auto both = from.read(nullptr);
        to.write(both[0] + both[1]);
    }
    to.close();
}
void take(tapa::istream<int> &from, int *b)
{
    for (uint64_t i = 0;;) {
        bool is_end;
        if (from.try_eot(is_end)) {
            if (is_end)
                break;
            b[i] = from.read(nullptr);
            ++i;
        }
    }
}
void top(tapa::mmap<const int> a, tapa::mmap<int> b, uint64_t n)
{
    tapa::stream<two, 4> pairs("pairs");
    tapa::stream<int, 4> sums("sums");
    tapa::task()
        .invoke(put, "put", a, n, pairs)
        .invoke(add, "add", pairs, sums)
        .invoke(take, "take", sums, b);
}
"""


def test_a_loop_to_the_end_of_a_stream_has_as_many_turns_as_elements_were_written(
    tmp_path: Path,
) -> None:
    file = tmp_path / "top.cpp"
    file.write_text(ENDS)
    program = load(file, parameters={"n": 8}, settings=["kernel.function=top"]).program
    extents = {name: one.extents for name, one in program.arrays.items() if one.extents is not None}
    found = {name: [str(each) for each in one] for name, one in extents.items()}
    assert found["pairs_at"] == ["n", "2"]
    assert found["sums"] == ["n"]
    names = dict.fromkeys(one.tasks[-1].name for one in program.statements)
    assert list(names) == ["put", "add", "take"]  # processes, side by side
    (last,) = (one for one in program.statements if one.writes[0].array == "b")
    assert last.domain.is_equal(Set(f"[n] -> {{ {last.name}[i] : 0 <= i < n }}"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    to.close();\n}\nvoid take", "}\nvoid take", "'sums' is read before any statement"),
        (
            "for (uint64_t i = 0;;) {",
            "for (uint64_t i = 0; i < 9; i++) {",
            "whether the end of a stream is there depends on when it is asked",
        ),
        (
            "void top(tapa::mmap<const int> a, tapa::mmap<int> b, uint64_t n)\n{",
            "void top(tapa::istream<int> &a, tapa::mmap<int> b)\n{\n    take(a, b);\n}\n"
            "void rest(tapa::mmap<const int> a, tapa::mmap<int> b, uint64_t n)\n{",
            "the end of a stream that the planned function gets is not known",
        ),
    ],
    ids=["open", "asked", "outside"],
)
def test_an_end_that_is_not_known_is_refused(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "top.cpp"
    assert old in ENDS
    file.write_text(ENDS.replace(old, new))
    with pytest.raises(InputError, match=message):
        plan_storage(load(file, parameters={"n": 8}, settings=["kernel.function=top"]))


DELAYED = """
#include <tapa.h>
void copy(const int *a, int n, tapa::ostream<int> &soon, tapa::ostream<int> &late)
{
    for (int i = 0; i < n; i++) {
        soon.write(a[i]);
        late.write(a[i]);
    }
    ap_wait();
    soon.close();
    late.close();
}
void add(tapa::istream<int> &soon, tapa::istream<int> &late, tapa::ostream<int> &to)
{
    int count = 0;
    TAPA_WHILE_NEITHER_EOT(late, soon) {
        int before = 0;
        bool is_late = count >= 5;
        if (is_late)
            before = late.read(nullptr);
        to.write(before + soon.read(nullptr));
        if (!is_late)
            ++count;
    }
    to.close();
}
void take(tapa::istream<int> &from, int *b)
{
    int i = 0;
    TAPA_WHILE_NOT_EOT(from) {
        b[i++] = from.read(nullptr);
    }
}
void top(tapa::mmap<const int> a, tapa::mmap<int> b, int n)
{
    tapa::stream<int> soon, late, sums;
    tapa::task().invoke(copy, a, n, soon, late).invoke(add, soon, late, sums).invoke(take, sums, b);
}
"""


def test_a_stream_that_is_read_later_is_a_delay(tmp_path: Path) -> None:
    file = tmp_path / "top.cpp"
    file.write_text(DELAYED)
    program = load(file, parameters={"n": 16}, settings=["kernel.function=top"]).program
    (last,) = (one for one in program.statements if one.writes[0].array == "b")
    assert last.domain.is_equal(Set(f"[n] -> {{ {last.name}[i] : n >= 6 and 0 <= i < n }}"))
    late = [one.relation for each in program.statements for one in each.reads]
    (taken,) = (one for one in late if one.range().get_tuple_name() == "late")
    assert taken.range().is_equal(Set("[n] -> { late[i] : 0 <= i < n - 5 }"))


FILLED = """
#include <hls/image_processing.hpp>
#include <hls/streaming.hpp>
void top(hls::FIFO<unsigned char> &from, hls::FIFO<unsigned char> &to)
{
    const unsigned ahead = N + 1;
    hls::LineBuffer<unsigned char, N, 3> lines;
    int x = 0, y = 0;
    for (int i = 0; i < N * N + ahead; i++) {
        unsigned char pixel = 0;
        if (i < N * N)
            pixel = from.read();
        lines.ShiftInPixel(pixel);
        if (i < ahead)
            continue;
        bool edge = (x < 1) | (x > N - 2) | (y < 1) | (y > N - 2);
        y = x == N - 1 ? y + 1 : y;
        x = x == N - 1 ? 0 : x + 1;
        int slope = lines.window[0][0] - lines.window[2][2];
        slope = slope < 0 ? -slope : slope;
        to.write(edge ? 0 : slope);
    }
}
"""


@pytest.mark.parametrize("size", [6, 96, pytest.param(512, marks=pytest.mark.dear)])
def test_a_line_buffer_is_filled_before_the_first_pixel(size: int, tmp_path: Path) -> None:
    """Of many pixels as of few; those of an edge use nothing that was not set yet."""
    file = tmp_path / "top.cpp"
    file.write_text(f"#define N {size}\n{FILLED}")
    program = load(file, settings=["kernel.function=top"]).program
    (write,) = (one for one in program.statements if one.writes[0].array == "to")
    elements = write.writes[0].relation.intersect_domain(write.domain).range()
    assert elements.is_equal(Set(f"{{ to[i] : 0 <= i < {size * size} }}"))
    (slope,) = (one for one in write.reads if one.array == "slope")
    inside = f"0 < x < {size - 1} and 0 < y < {size - 1} and i = {size} * y + x + {size + 1}"
    used = slope.relation.intersect_domain(write.domain).domain()
    assert used.is_equal(Set(f"{{ {write.name}[i] : exists x, y : {inside} }}"))


PACKED = """
#include <hls_stream.h>
void top(hls::stream<int> &in, hls::stream<int> &out, int n)
{
    int room = 4, word = 0;
    for (int i = 0; i < n; i++) {
        word = word * 256 + in.read();
        if (room == 1) {
            out.write(word);
            room = 4;
        } else {
            room--;
        }
    }
    if (room != 4)
        out.write(word);
}
"""


def test_the_rest_behind_a_cycle_is_a_formula(tmp_path: Path) -> None:
    """What is left is written where n is no multiple of 4."""
    file = tmp_path / "top.cpp"
    file.write_text(PACKED)
    program = load(file, parameters={"n": 10}, settings=["kernel.function=top"]).program
    *_, rest = (one for one in program.statements if one.writes[0].array == "out")
    element = rest.writes[0].relation.intersect_domain(rest.domain).range()
    assert element.is_equal(Set("[n] -> { out[i] : n > 4 and n mod 4 > 0 and i = floor(n / 4) }"))


LEFT_OUT = """
#include <ap_int.h>
#include <hls_stream.h>
void top(hls::stream<int> lanes[2], const int in[8], int out[1])
{
    int first = 1;
    for (int c = 0; c < 2; c++) {
        if (sizeof(int) == 8)
            first = 7;
        lanes[c].write(in[c]);
    }
    first = 5;
    ap_uint<16> x = in[2];
    if (in[3] & 1)
        first = in[4] & 7;
    out[0] = x.range(first + 3, first);
}
"""


def test_a_branch_that_is_left_out_in_each_turn_is_one(tmp_path: Path) -> None:
    """Of three assignments two are left, so that none of them alone says what the variable is."""
    (tmp_path / "top.cpp").write_text(LEFT_OUT)
    text = read_file(Folder(tmp_path), "top.cpp", "top").parsed.text
    assert "x >> first" in text
