// A memory of one cell, timed as hlsmem_ram: r_data is valid 1 + OUTREG cycles after r_en, and
// on one edge the read sees the old value. READERS share the cell, each with a latch of its own.
module hlsmem_register #(
    parameter WIDTH = 32,
    parameter OUTREG = 0,
    parameter READERS = 1
) (
    input  wire                     clk,
    input  wire                     w_en,
    input  wire [WIDTH-1:0]         w_data,
    input  wire [READERS-1:0]       r_en,
    input  wire [READERS-1:0]       o_en,
    output wire [READERS*WIDTH-1:0] r_data
);
    reg [WIDTH-1:0]         value;
    reg [READERS*WIDTH-1:0] latch;

    always @(posedge clk) if (w_en) value <= w_data;

    genvar k;
    generate
        for (k = 0; k < READERS; k = k + 1) begin : reader
            always @(posedge clk) if (r_en[k]) latch[k*WIDTH +: WIDTH] <= value;
        end

        if (OUTREG != 0) begin : output_register
            reg [READERS*WIDTH-1:0] out;
            for (k = 0; k < READERS; k = k + 1) begin : reader
                always @(posedge clk) if (o_en[k]) out[k*WIDTH +: WIDTH] <= latch[k*WIDTH +: WIDTH];
            end
            assign r_data = out;
        end else begin : output_latch
            wire unused_o_en = &{1'b0, o_en};
            assign r_data = latch;
        end
    endgenerate
endmodule
