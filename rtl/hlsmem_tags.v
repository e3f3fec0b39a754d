// Simulation only: remembers which element every cell holds. `foreign` is high in the cycle
// after a read that met the tag of another element, or a cell that was never written. On one
// edge the read sees the old tag.
module hlsmem_tags #(
    parameter WIDTH = 16,
    parameter DEPTH = 1024,
    parameter ADDRESS = 10
) (
    input  wire               clk,
    input  wire               w_en,
    input  wire [ADDRESS-1:0] w_addr,
    input  wire [WIDTH-1:0]   w_tag,
    input  wire               r_en,
    input  wire [ADDRESS-1:0] r_addr,
    input  wire [WIDTH-1:0]   r_tag,
    output reg                foreign
);
    reg [WIDTH-1:0] tags [0:DEPTH-1];
    reg             written [0:DEPTH-1];

    integer cell_index;
    initial begin
        foreign = 1'b0;
        for (cell_index = 0; cell_index < DEPTH; cell_index = cell_index + 1)
            written[cell_index] = 1'b0;
    end

    always @(posedge clk) begin
        if (w_en) begin
            tags[w_addr] <= w_tag;
            written[w_addr] <= 1'b1;
        end
        foreign <= r_en & (~written[r_addr] | (tags[r_addr] != r_tag));
    end
endmodule
