// The square root of 16 bits, rounded down.
module square_root (clk, ce, a0, q);
    input clk, ce;
    input [31:0] a0;
    output [31:0] q;
    function [31:0] root;
        input [31:0] x;
        reg [31:0] b;
        begin
            root = 0;
            for (b = 128; b != 0; b = b >> 1)
                if ((root + b) * (root + b) <= x) root = root + b;
        end
    endfunction
    reg [31:0] first, second;
    assign q = second;
    always @(posedge clk)
        if (ce) begin
            first <= root(a0);
            second <= first;
        end
endmodule
