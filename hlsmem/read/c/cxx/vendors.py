"""Types and functions of vendors' libraries that are not read: what to take in their place."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.read.c import headers

_FIXED = "take ap_int with a shift of your own"
_ALGORITHMIC = "take ap_int<W> or ap_uint<W> of ap_int.h"
_SIDE = "take {kind}<{first}> in hls::stream and keep tlast outside"
_FLOAT = "take float"
_COMPLEX = "take a struct of two numbers"
_VECTOR = "take an array of as many elements"
_PORT = "take an array, and leave bursts to synthesis"
_CALLS = "call its function, and pass hls::stream<T> &"
_STREAM = "take hls::stream<T> &"

# What of a library is not read, by its name without that of the library, and what to do.
_TYPES = {
    "ap_axiu": _SIDE.replace("{kind}", "ap_uint"),
    "ap_axis": _SIDE.replace("{kind}", "ap_int"),
    "qdma_axis": _SIDE.replace("{kind}", "ap_uint"),
    "axis": "take {first} in hls::stream and keep tlast outside",
    "axis_data": "take {first} in hls::stream and keep tlast outside",
    "ap_fixed": _FIXED,
    "ap_ufixed": _FIXED,
    "ap_float": _FLOAT,
    "ac_fixed": _FIXED,
    "ac_int": _ALGORITHMIC,
    "ac_float": _FLOAT,
    "ac_channel": _STREAM,
    "sc_int": _ALGORITHMIC,
    "sc_uint": _ALGORITHMIC,
    "sc_bigint": _ALGORITHMIC,
    "sc_biguint": _ALGORITHMIC,
    "sc_fixed": _FIXED,
    "sc_ufixed": _FIXED,
    "ap_shift_reg": "take a static array that the kernel shifts",
    "ap_wait": "leave it out",
    "half": _FLOAT,
    "complex": _COMPLEX,
    "x_complex": _COMPLEX,
    "vector": _VECTOR,
    "vec_t": _VECTOR,
    "burst_maxi": _PORT,
    "mmap": _PORT,
    "async_mmap": _PORT,
    "stream_of_blocks": "take an array between two loops",
    "istream": _STREAM,
    "ostream": _STREAM,
    "stream": _STREAM,
    "streams": "take several streams",
    "istreams": "take several streams",
    "ostreams": "take several streams",
    "task": _CALLS,
    "split": _CALLS,
    "merge": _CALLS,
    "Mat": "take an array",
    "Scalar": _VECTOR,
    "Window": "take a static array that the kernel shifts",
    "LineBuffer": "take a static array that the kernel shifts",
    "directio": _STREAM,
    "print": "leave it out",
}
_OWN = "write a function or a constant of the file"
_PREFIXES = ("ap_", "ac_", "sc_", "qdma_")

# Headers of these libraries; what is used of them is refused where it stands.
HEADERS = frozenset(
    """
    ap_axi_sdata.h ap_fixed.h ap_float.h ap_shift_reg.h ap_utils.h hls_burst_maxi.h hls_directio.h
    hls_fence.h hls_half.h hls_math.h hls_np_channel.h hls_print.h hls_stream_depend.h
    hls_streamofblocks.h hls_task.h hls_vector.h hls_video.h hls_x_complex.h utils/x_hls_utils.h
    hls/ap_axi_sdata.h hls/ap_fixed.hpp hls/ap_int.hpp hls/streaming.h hls_linear_algebra.h
    hls_dsp.h hls_fft.h hls_fir.h ac_int.h ac_fixed.h ac_channel.h ac_float.h ac_math.h
    ac_sync.h HLS/hls.h HLS/ac_int.h HLS/ac_fixed.h HLS/stdio.h HLS/math.h systemc.h
    tapa.h tapa/tapa.h mc_scverify.h
    """.split()  # noqa: SIM905 - a list of quoted words would be harder to read
)


def is_type(words: Sequence[str]) -> bool:
    """True if a name without its library, and the text behind it, is a vendor's type.

    >>> is_type(["ap_axiu", "<"]), is_type(["half", "x"]), is_type(["half", "="])
    (True, True, False)
    """
    name, behind = words[0], words[1] if len(words) > 1 else ""
    if name == "half":
        return behind.isidentifier()
    return name in _TYPES and name.startswith(_PREFIXES) and behind in ("<", "(")


def refusal(words: Sequence[str], arguments: Sequence[str]) -> tuple[str, str]:
    """Return what is wrong with a name of a vendor's library, and what to do.

    `words` are the parts of the name, that of the library first, `arguments` those in < > behind.

    >>> refusal(["ap_axiu"], ["8", "1", "1", "1"])
    ('ap_axiu<8,1,1,1> is not read yet', 'take ap_uint<8> in hls::stream and keep tlast outside')
    """
    *library, name = words
    text = "::".join(words) + (f"<{','.join(arguments)}>" if arguments else "")
    if name in _TYPES:
        first = arguments[0] if arguments else "8"
        return f"{text} is not read yet", _TYPES[name].format(first=first)
    header = headers.header_of_function(name) if library[0] in ("hls", "std") else None
    if header is not None:
        return f"{text} is not read", f"use {name} of <{header}>, without {library[0]}::"
    return f"{text} is not read", _OWN
