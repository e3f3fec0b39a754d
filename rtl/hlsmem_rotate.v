// Rotation of any number of lanes: lane i of the result is lane (i + shift) mod LANES of
// `lanes`, with LEFT = 1 lane (i - shift) mod LANES. Lane 0 is in the lowest bits; shift is
// below LANES.
module hlsmem_rotate #(
    parameter WIDTH = 32,
    parameter LANES = 5,
    parameter SHIFT = 3,
    parameter LEFT = 0
) (
    input  wire [LANES*WIDTH-1:0] lanes,
    input  wire [SHIFT-1:0]       shift,
    output wire [LANES*WIDTH-1:0] rotated
);
    genvar lane;
    genvar by;
    genvar part;
    generate
        for (lane = 0; lane < LANES; lane = lane + 1) begin : each_lane
            for (part = 0; part < WIDTH; part = part + 1) begin : each_bit
                // One multiplexer a bit: cheaper than a stage for each bit of shift.
                wire [(1<<SHIFT)-1:0] choice;
                for (by = 0; by < (1 << SHIFT); by = by + 1) begin : each_shift
                    localparam FROM = (LEFT != 0 ? lane + (LANES << SHIFT) - by : lane + by) % LANES;
                    assign choice[by] = by < LANES ? lanes[FROM*WIDTH + part] : 1'bx;
                end
                assign rotated[lane*WIDTH + part] = choice[shift];
            end
        end
    endgenerate
endmodule
