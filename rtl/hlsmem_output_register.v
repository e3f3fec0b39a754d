// The slot in which read beats wait for their consumer, where the RAM holds those behind it.
//
// As hlsmem_skid, beat for beat, for RAMs that nobody else reads: the RAM's latch and output
// register keep their words while nothing comes after them, so one slot is enough. `move` is
// the enable of the output register (LATENCY 2). Issued beats push those before them on: with
// LATENCY + 1 beats under way there is no room.
module hlsmem_output_register #(
    parameter WIDTH = 32,
    parameter SIDE = 1,
    parameter LATENCY = 1  // 1 or 2
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             issue,
    input  wire [SIDE-1:0]  issue_side,
    output wire             room,
    output wire             move,
    input  wire [WIDTH-1:0] data,
    output wire [WIDTH-1:0] tdata,
    output wire [SIDE-1:0]  tside,
    output wire             tvalid,
    input  wire             tready
);
    localparam BEAT = SIDE + WIDTH;

    wire            arrived;  // a beat at the end of the RAM
    wire [SIDE-1:0] side;
    wire            follows;  // another one takes its place

    reg             held;
    reg  [BEAT-1:0] slot;

    assign tvalid = held | arrived;
    assign {tside, tdata} = held ? slot : {side, data};

    wire take = tvalid & tready;
    wire leaves = take & ~held;

    always @(posedge clk) begin
        if (rst) held <= 1'b0;
        else held <= (arrived & follows & ~leaves) | (held & ~take);
        if (~held) slot <= {side, data};
    end

    generate
        if (LATENCY == 1) begin : one_cycle
            reg            latched;
            reg [SIDE-1:0] latch_side;
            always @(posedge clk) begin
                latched <= ~rst & (issue | (latched & ~leaves));
                if (issue) latch_side <= issue_side;
            end
            assign arrived = latched;
            assign side = latch_side;
            assign follows = issue;
            assign move = 1'b0;
        end else begin : two_cycles
            reg            latched;
            reg            out;
            reg [SIDE-1:0] latch_side;
            reg [SIDE-1:0] out_side;
            always @(posedge clk) begin
                latched <= ~rst & (issue | (latched & ~move));
                out <= ~rst & (move | (out & ~leaves));
                if (issue) latch_side <= issue_side;
                if (move) out_side <= latch_side;
            end
            assign arrived = out;
            assign side = out_side;
            assign move = latched & (issue | ~out | leaves);
            assign follows = move;
        end
    endgenerate

    // Beats under way, issued and not taken yet: bit i says that there are more than i.
    reg [LATENCY:0] reserved;

    assign room = ~reserved[LATENCY];

    always @(posedge clk) begin
        if (rst) reserved <= {LATENCY + 1{1'b0}};
        else if (issue & ~take) reserved <= {reserved[LATENCY-1:0], 1'b1};
        else if (~issue & take) reserved <= reserved >> 1;
    end
endmodule
