// A delay of DEPTH beats in a RAM, as DEPTH registers in a row would make it: `d` of one beat is
// `q` from the edge of the beat DEPTH - 1 beats later until that of the next.
//
// Everything moves with `en`, the RAM's latch and its output register too, so a stall keeps it
// all. The cell written in a beat is read DEPTH - 1 - OUTREG beats later: never on one edge.
// Data is cut into slices of SLICE bits, a RAM each: a slice as narrow as the deepest block RAM
// needs no multiplexer behind it.
module hlsmem_delay #(
    parameter WIDTH = 8,
    parameter DEPTH = 640,  // at least 2 + OUTREG
    parameter ADDRESS = 10,
    parameter OUTREG = 0,
    parameter SLICE = WIDTH,
    parameter STYLE = "auto"  // without output register
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             en,
    input  wire [WIDTH-1:0] d,
    output wire [WIDTH-1:0] q
);
    localparam AHEAD = 1 + OUTREG;
    localparam SLICES = (WIDTH + SLICE - 1) / SLICE;
    localparam LAST = DEPTH - 1;
    localparam BEFORE_LAST = DEPTH - 2;

    // The cell that is read, whether it is the last one, and the cell that is written.
    reg  [ADDRESS-1:0]       r_addr;
    reg                      r_last;
    reg  [AHEAD*ADDRESS-1:0] behind;
    wire [ADDRESS-1:0]       w_addr = behind[ADDRESS-1:0];
    // Reset and wrap-around lead to the same cell: one synchronous reset serves both.
    wire                     wrap = rst | (en & r_last);

    always @(posedge clk) begin
        if (wrap) r_addr <= {ADDRESS{1'b0}};
        else if (en) r_addr <= r_addr + 1'b1;
        if (rst) r_last <= 1'b0;
        else if (en) r_last <= (r_addr == BEFORE_LAST[ADDRESS-1:0]);
    end

    generate
        if (OUTREG != 0) begin : two_behind
            always @(posedge clk) begin
                if (rst) behind <= {LAST[ADDRESS-1:0], BEFORE_LAST[ADDRESS-1:0]};
                else if (en) behind <= {r_addr, behind[2*ADDRESS-1:ADDRESS]};
            end
        end else begin : one_behind
            always @(posedge clk) begin
                if (rst) behind <= LAST[ADDRESS-1:0];
                else if (en) behind <= r_addr;
            end
        end
    endgenerate

    genvar k;
    generate
        for (k = 0; k < SLICES; k = k + 1) begin : slice
            localparam LOW = k * SLICE;
            localparam BITS = WIDTH - LOW < SLICE ? WIDTH - LOW : SLICE;
            if (OUTREG != 0) begin : registered
                hlsmem_ram_output #(.WIDTH(BITS), .DEPTH(DEPTH), .ADDRESS(ADDRESS)) ram (
                    .clk(clk),
                    .w_en(en), .w_addr(w_addr), .w_data(d[LOW +: BITS]),
                    .r_en(en), .r_addr(r_addr), .o_en(en), .r_data(q[LOW +: BITS])
                );
            end else begin : latched
                hlsmem_ram #(
                    .WIDTH(BITS), .DEPTH(DEPTH), .ADDRESS(ADDRESS), .COLLISION(0), .STYLE(STYLE)
                ) ram (
                    .clk(clk),
                    .w_en(en), .w_addr(w_addr), .w_data(d[LOW +: BITS]),
                    .r_en(en), .r_addr(r_addr), .o_en(1'b0), .r_data(q[LOW +: BITS])
                );
            end
        end
    endgenerate
endmodule
