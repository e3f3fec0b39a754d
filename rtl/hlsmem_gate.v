// Whether a time vector is lexicographically before the progress of another stream.
//
// Both vectors are signed components side by side, the slowest in the highest bits. Turning the
// sign bits over (SIGN has a 1 at each of them) makes their order that of unsigned numbers.
// `done`: the other stream has passed its last beat, its progress is infinite. As the highest bit
// of the comparison it takes no LUT behind the carry chain.
module hlsmem_gate #(
    parameter WIDTH = 32,
    parameter [WIDTH-1:0] SIGN = {1'b1, {WIDTH-1{1'b0}}}
) (
    input  wire [WIDTH-1:0] time_vector,
    input  wire [WIDTH-1:0] progress,
    input  wire             done,
    output wire             open
);
    assign open = {1'b0, time_vector ^ SIGN} < {done, progress ^ SIGN};
endmodule
