// The low bits of a product, two clock edges with `ce` behind its factors: a register on each
// factor and one on the product, as the multipliers of FPGAs have them.
module hlsmem_multiply #(
    parameter A_BITS = 18,
    parameter B_BITS = 18,
    parameter Q_BITS = 36,
    parameter SIGNED = 0
) (
    input  wire clk,
    input  wire ce,
    input  wire [A_BITS-1:0] a,
    input  wire [B_BITS-1:0] b,
    output reg  [Q_BITS-1:0] q
);
    localparam WHOLE = A_BITS + B_BITS;
    localparam WIDE = WHOLE > Q_BITS ? WHOLE : Q_BITS;

    reg [A_BITS-1:0] a_1;
    reg [B_BITS-1:0] b_1;
    wire [WIDE-1:0] product;

    generate
        if (SIGNED != 0) begin : g_signed
            wire signed [WIDE-1:0] a_wide = {{(WIDE - A_BITS){a_1[A_BITS-1]}}, a_1};
            wire signed [WIDE-1:0] b_wide = {{(WIDE - B_BITS){b_1[B_BITS-1]}}, b_1};
            assign product = a_wide * b_wide;
        end else begin : g_unsigned
            assign product = {{(WIDE - A_BITS){1'b0}}, a_1} * {{(WIDE - B_BITS){1'b0}}, b_1};
        end
        if (WIDE > Q_BITS) begin : g_rest
            wire unused = &{1'b0, product[WIDE-1:Q_BITS]};
        end
    endgenerate

    always @(posedge clk) if (ce) begin
        a_1 <= a;
        b_1 <= b;
        q <= product[Q_BITS-1:0];
    end
endmodule
