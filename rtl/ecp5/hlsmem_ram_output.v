// The RAM with an output register, out of ECP5 block RAMs: takes the place of the file of the same
// name one folder up. Yosys never infers the block RAM's own output register; behind its latch it
// makes the difference between 145 and 360 MHz. OCEB is its enable, so it is right under stalls.
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
    output wire [WIDTH-1:0]   r_data
);
    localparam SHAPE = DEPTH <= 1024 ? 18 : DEPTH <= 2048 ? 9 : DEPTH <= 4096 ? 4
                     : DEPTH <= 8192 ? 2 : 1;
    localparam SHIFT = SHAPE == 18 ? 4 : SHAPE == 9 ? 3 : SHAPE == 4 ? 2
                     : SHAPE == 2 ? 1 : 0;
    localparam COUNT = (WIDTH + SHAPE - 1) / SHAPE;

    wire [13:0] w_cell = {{14 - ADDRESS{1'b0}}, w_addr} << SHIFT;
    wire [13:0] r_cell = {{14 - ADDRESS{1'b0}}, r_addr} << SHIFT;
    // Both bytes of an 18-bit word are written: their enables are address bits 0 and 1.
    wire [13:0] w_place = SHAPE == 18 ? w_cell | 14'd3 : w_cell;
    wire [COUNT*SHAPE-1:0] w_padded = {{COUNT * SHAPE - WIDTH{1'b0}}, w_data};
    wire [COUNT*SHAPE-1:0] r_padded;
    assign r_data = r_padded[WIDTH-1:0];

    genvar n;
    generate
        for (n = 0; n < COUNT; n = n + 1) begin : block
            wire [17:0] w_bits = {{18 - SHAPE{1'b0}}, w_padded[n*SHAPE +: SHAPE]};
            wire [17:0] r_bits;
            assign r_padded[n*SHAPE +: SHAPE] = r_bits[SHAPE-1:0];
            DP16KD #(
                .DATA_WIDTH_A(SHAPE), .DATA_WIDTH_B(SHAPE),
                .REGMODE_A("NOREG"), .REGMODE_B("OUTREG"),
                .RESETMODE("SYNC"), .ASYNC_RESET_RELEASE("SYNC"),
                .CSDECODE_A("0b000"), .CSDECODE_B("0b000"),
                .WRITEMODE_A("NORMAL"), .WRITEMODE_B("NORMAL"), .GSR("AUTO")
            ) ram (
                .CLKA(clk), .CEA(w_en), .WEA(1'b1), .OCEA(1'b0), .RSTA(1'b0),
                .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
                .ADA0(w_place[0]), .ADA1(w_place[1]), .ADA2(w_place[2]), .ADA3(w_place[3]),
                .ADA4(w_place[4]), .ADA5(w_place[5]), .ADA6(w_place[6]), .ADA7(w_place[7]),
                .ADA8(w_place[8]), .ADA9(w_place[9]), .ADA10(w_place[10]), .ADA11(w_place[11]),
                .ADA12(w_place[12]), .ADA13(w_place[13]),
                .DIA0(w_bits[0]), .DIA1(w_bits[1]), .DIA2(w_bits[2]), .DIA3(w_bits[3]),
                .DIA4(w_bits[4]), .DIA5(w_bits[5]), .DIA6(w_bits[6]), .DIA7(w_bits[7]),
                .DIA8(w_bits[8]), .DIA9(w_bits[9]), .DIA10(w_bits[10]), .DIA11(w_bits[11]),
                .DIA12(w_bits[12]), .DIA13(w_bits[13]), .DIA14(w_bits[14]), .DIA15(w_bits[15]),
                .DIA16(w_bits[16]), .DIA17(w_bits[17]),
                .CLKB(clk), .CEB(r_en), .WEB(1'b0), .OCEB(o_en), .RSTB(1'b0),
                .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0),
                .ADB0(r_cell[0]), .ADB1(r_cell[1]), .ADB2(r_cell[2]), .ADB3(r_cell[3]),
                .ADB4(r_cell[4]), .ADB5(r_cell[5]), .ADB6(r_cell[6]), .ADB7(r_cell[7]),
                .ADB8(r_cell[8]), .ADB9(r_cell[9]), .ADB10(r_cell[10]), .ADB11(r_cell[11]),
                .ADB12(r_cell[12]), .ADB13(r_cell[13]),
                .DOB0(r_bits[0]), .DOB1(r_bits[1]), .DOB2(r_bits[2]), .DOB3(r_bits[3]),
                .DOB4(r_bits[4]), .DOB5(r_bits[5]), .DOB6(r_bits[6]), .DOB7(r_bits[7]),
                .DOB8(r_bits[8]), .DOB9(r_bits[9]), .DOB10(r_bits[10]), .DOB11(r_bits[11]),
                .DOB12(r_bits[12]), .DOB13(r_bits[13]), .DOB14(r_bits[14]), .DOB15(r_bits[15]),
                .DOB16(r_bits[16]), .DOB17(r_bits[17])
            );
        end
    endgenerate
endmodule
