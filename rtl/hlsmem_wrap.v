// A counter modulo a constant with a constant step: add, or subtract what is too much.
//
// `next` is (value + STEP) mod MODULUS at all times. `load` (load_value, below MODULUS) wins over
// `step` (next). There is no reset: load first. A step of -s is STEP = MODULUS - s.
//
// FLAG = 1, for STEP = 1: whether the next step wraps is kept in a register, so that the compare
// is not in front of the adder.
module hlsmem_wrap #(
    parameter WIDTH = 10,
    parameter MODULUS = 1000,
    parameter STEP = 1,
    parameter FLAG = 0
) (
    input  wire             clk,
    input  wire             load,
    input  wire [WIDTH-1:0] load_value,
    input  wire             step,
    output reg  [WIDTH-1:0] value,
    output wire [WIDTH-1:0] next
);
    generate
        if (STEP == 0) begin : stays
            assign next = value;
        end else begin : steps
            localparam FIRST = MODULUS - STEP;  // the least value that wraps
            localparam UP = STEP;
            localparam DOWN = STEP - MODULUS;
            wire wraps;

            if (STEP == 1 && MODULUS > 1 && FLAG != 0) begin : flag
                localparam LAST = MODULUS - 1;
                localparam BEFORE = MODULUS - 2;
                reg last;
                always @(posedge clk) begin
                    if (load) last <= load_value == LAST[WIDTH-1:0];
                    else if (step) last <= value == BEFORE[WIDTH-1:0];
                end
                assign wraps = last;
            end else if (STEP == 1) begin : compare_last
                assign wraps = value == FIRST[WIDTH-1:0];
            end else begin : compare
                assign wraps = value >= FIRST[WIDTH-1:0];
            end

            assign next = value + (wraps ? DOWN[WIDTH-1:0] : UP[WIDTH-1:0]);
        end
    endgenerate

    always @(posedge clk) begin
        if (load) value <= load_value;
        else if (step) value <= next;
    end
endmodule
