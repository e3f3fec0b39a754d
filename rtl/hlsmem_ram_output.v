// A RAM with an output register, where no cell is read and written on one edge: a leaf that a
// family may have a better text for, see rtl/ecp5.
//
// r_data is valid two cycles after r_en: the latch keeps its value without r_en, the register
// without o_en.
module hlsmem_ram_output #(
    parameter WIDTH = 32,
    parameter DEPTH = 1024,  // at most 16384
    parameter ADDRESS = 10
) (
    input  wire               clk,
    input  wire               w_en,
    input  wire [ADDRESS-1:0] w_addr,
    input  wire [WIDTH-1:0]   w_data,
    input  wire               r_en,
    input  wire [ADDRESS-1:0] r_addr,
    input  wire               o_en,
    output reg  [WIDTH-1:0]   r_data
);
    wire [WIDTH-1:0] latch;

    hlsmem_ram #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDRESS(ADDRESS), .COLLISION(0)) ram (
        .clk(clk),
        .w_en(w_en), .w_addr(w_addr), .w_data(w_data),
        .r_en(r_en), .r_addr(r_addr), .o_en(1'b0), .r_data(latch)
    );

    always @(posedge clk) if (o_en) r_data <= latch;
endmodule
