// In place of hlsmem_ram in proofs: one cell, anyone. What it says of that cell holds of all.
module hlsmem_ram #(
    parameter WIDTH = 32,
    parameter DEPTH = 1024,
    parameter ADDRESS = 10,
    parameter OUTREG = 0,
    parameter COLLISION = 1,
    parameter STYLE = "auto"
) (
    input  wire               clk,
    input  wire               w_en,
    input  wire [ADDRESS-1:0] w_addr,
    input  wire [WIDTH-1:0]   w_data,
    input  wire               r_en,
    input  wire [ADDRESS-1:0] r_addr,
    input  wire               o_en,
    output wire [WIDTH-1:0]   r_data
);
    (* anyconst *) reg [ADDRESS-1:0] watched;
    (* anyseq *) reg [WIDTH-1:0] any;
    reg [WIDTH-1:0] content;
    reg [WIDTH-1:0] latch;
    reg [WIDTH-1:0] out;
    // Whether the edge before read and wrote one cell, where that was promised not to happen.
    wire collides = COLLISION == 0 && w_en && r_en && w_addr == r_addr;

    always @(posedge clk) begin
        if (w_en && w_addr == watched) content <= w_data;
        if (r_en) latch <= r_addr == watched && !collides ? content : any;
        if (o_en) out <= latch;
    end
    assign r_data = OUTREG != 0 ? out : latch;
endmodule
