// Simple dual-port RAM: one write port, one read port, one clock.
//
// On one edge the read sees what the cell held before it (read first). COLLISION = 0 is the
// planner's promise that no cell is read and written on one edge: synthesis needs no bypass
// then, and simulation answers a broken promise with x.
//
// r_data is valid 1 + OUTREG cycles after r_en. The output latch and the output register keep
// their value without r_en and o_en. Neither is reset or initialised: a reset or an initial
// value there keeps synthesis from using the block RAM's own registers.
module hlsmem_ram #(
    parameter WIDTH = 32,
    parameter DEPTH = 1024,
    parameter ADDRESS = 10,
    parameter OUTREG = 0,
    parameter COLLISION = 1,
    // verilator lint_off UNUSEDPARAM
    parameter STYLE = "auto"  // auto, block, distributed, registers; only the attributes use it
    // verilator lint_on UNUSEDPARAM
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
    reg [WIDTH-1:0] latch;

    generate
        if (COLLISION != 0) begin : old_value
            (* ram_style = STYLE *)
            reg [WIDTH-1:0] cells [0:DEPTH-1];

            always @(posedge clk) begin
                if (w_en) cells[w_addr] <= w_data;
                if (r_en) latch <= cells[r_addr];
            end
        end else begin : no_collision
            (* no_rw_check *)
            (* ram_style = STYLE *)
            reg [WIDTH-1:0] cells [0:DEPTH-1];

            always @(posedge clk) begin
                if (w_en) cells[w_addr] <= w_data;
                if (r_en) latch <= cells[r_addr];
`ifndef SYNTHESIS
                if (w_en && r_en && w_addr == r_addr) latch <= {WIDTH{1'bx}};
`endif
            end
        end

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
