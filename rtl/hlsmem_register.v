// A memory of one cell, timed as hlsmem_ram: r_data is valid 1 + OUTREG cycles after r_en, and
// on one edge the read sees the old value.
module hlsmem_register #(
    parameter WIDTH = 32,
    parameter OUTREG = 0
) (
    input  wire             clk,
    input  wire             w_en,
    input  wire [WIDTH-1:0] w_data,
    input  wire             r_en,
    input  wire             o_en,
    output wire [WIDTH-1:0] r_data
);
    reg [WIDTH-1:0] value;
    reg [WIDTH-1:0] latch;

    always @(posedge clk) begin
        if (w_en) value <= w_data;
        if (r_en) latch <= value;
    end

    generate
        if (OUTREG != 0) begin : output_register
            reg [WIDTH-1:0] out;
            always @(posedge clk) if (o_en) out <= latch;
            assign r_data = out;
        end else begin : output_latch
            wire unused_o_en = &{1'b0, o_en};
            assign r_data = latch;
        end
    endgenerate
endmodule
