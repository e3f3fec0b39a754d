// Sums and products of floats, rounded to nearest, ties to even; with subnormal numbers.
module float_sum (
    input  wire clk,
    input  wire ce,
    input  wire [31:0] a0,
    input  wire [31:0] a1,
    output reg  [31:0] q
);
    function [31:0] sum;
        input [31:0] x, y;
        reg [31:0] a, b;
        reg [27:0] m, n;
        reg [24:0] r;
        integer e, d;
        begin
            a = x[30:0] >= y[30:0] ? x : y;
            b = x[30:0] >= y[30:0] ? y : x;
            e = a[30:23] == 0 ? 1 : a[30:23];
            d = e - (b[30:23] == 0 ? 1 : b[30:23]);
            m = {1'b0, a[30:23] != 0, a[22:0], 3'b0};
            n = {1'b0, b[30:23] != 0, b[22:0], 3'b0};
            while (d > 0) begin
                n = {1'b0, n[27:2], n[1] | n[0]};
                d = d - 1;
            end
            m = a[31] == b[31] ? m + n : m - n;
            if (m[27]) begin
                m = {1'b0, m[27:2], m[1] | m[0]};
                e = e + 1;
            end
            while (!m[26] && e > 1) begin
                m = m << 1;
                e = e - 1;
            end
            r = m[27:3] + (m[2] & (m[1] | m[0] | m[3]));
            if (r[24]) begin
                r = r >> 1;
                e = e + 1;
            end
            if (a[30:23] == 255) sum = a;
            else if (m == 0) sum = {a[31] & b[31], 31'b0};
            else if (e > 254) sum = {a[31], 8'd255, 23'b0};
            else sum = {a[31], r[23] ? e[7:0] : 8'd0, r[22:0]};
        end
    endfunction
    reg [31:0] first, second;
    always @(posedge clk)
        if (ce) begin
            first <= sum(a0, a1);
            second <= first;
            q <= second;
        end
endmodule

module float_product (input clk, ce, input [31:0] a0, a1, output reg [31:0] q);
    function [31:0] product;
        input [31:0] x, y;
        reg [47:0] m;
        reg [24:0] r;
        reg sticky, sign;
        integer e;
        begin
            sign = x[31] ^ y[31];
            m = {x[30:23] != 0, x[22:0]} * {y[30:23] != 0, y[22:0]};
            e = (x[30:23] == 0 ? 1 : x[30:23]) + (y[30:23] == 0 ? 1 : y[30:23]) - 126;
            while (!m[47] && m != 0) begin
                m = m << 1;
                e = e - 1;
            end
            sticky = 0;
            while (e < 1) begin
                sticky = sticky | m[0];
                m = m >> 1;
                e = e + 1;
            end
            r = m[47:24] + (m[23] & (sticky | (m[22:0] != 0) | m[24]));
            if (r[24]) begin
                r = r >> 1;
                e = e + 1;
            end
            if (m == 0 && !sticky) product = {sign, 31'b0};
            else if (e > 254) product = {sign, 8'd255, 23'b0};
            else product = {sign, r[23] ? e[7:0] : 8'd0, r[22:0]};
        end
    endfunction
    reg [31:0] first;
    always @(posedge clk)
        if (ce) begin
            first <= product(a0, a1);
            q <= first;
        end
endmodule
