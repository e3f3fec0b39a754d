// A gate between two streams at a constant distance: a count of beats instead of their times.
//
// count = START + beats of `up` - beats of `down`, signed, WIDTH bits. The gate is open while it
// is positive, or once the other stream is done; with BYPASS also at 0 when `up` is high, so that
// a beat counts in its own cycle.
module hlsmem_gate_count #(
    parameter WIDTH = 8,
    parameter START = 0,
    parameter BYPASS = 0
) (
    input  wire clk,
    input  wire rst,
    input  wire load,
    input  wire up,
    input  wire down,
    input  wire done,
    output wire open
);
    localparam BEGIN = START - 1;

    // One less than the count, so that its sign bit alone decides.
    reg [WIDTH-1:0] ahead;

    always @(posedge clk) begin
        if (rst | load) ahead <= BEGIN[WIDTH-1:0];
        else if (up & ~down) ahead <= ahead + {{WIDTH-1{1'b0}}, 1'b1};
        else if (down & ~up) ahead <= ahead - {{WIDTH-1{1'b0}}, 1'b1};
    end

    generate
        if (BYPASS != 0) begin : same_cycle
            assign open = done | ~ahead[WIDTH-1] | (&ahead & up);
        end else begin : registered
            assign open = done | ~ahead[WIDTH-1];
        end
    endgenerate
endmodule
