// Fills stencil5_naive with 7 i + 1, stalls both sides at random, compares every beat.
module naive_bench;
    reg clk = 0;
    always #5 clk = ~clk;
    reg rst = 1;
    reg start = 0;
    wire busy;
    reg [31:0] data = 0;
    reg valid = 0;
    wire ready;
    wire [159:0] beat;
    wire there;
    wire last;
    reg take = 0;
    integer filled = 0;
    integer beats = 0;
    integer wrong = 0;
    integer y;
    integer x;

    stencil5_naive dut (
        .clk(clk), .rst(rst), .start(start), .busy(busy),
        .s_in_fill_tdata(data), .s_in_fill_tvalid(valid), .s_in_fill_tready(ready),
        .s_in_fill_tlast(1'b0),
        .m_in_S_tdata(beat), .m_in_S_tvalid(there), .m_in_S_tready(take), .m_in_S_tlast(last)
    );

    function [31:0] element(input integer row, input integer column);
        element = 7 * (64 * row + column) + 1;
    endfunction

    initial begin
        repeat (4) @(negedge clk);
        rst = 0;
        start = 1;
        @(negedge clk) start = 0;
        wait (busy);
        wait (!busy);
        $display("%0d beats, %0d wrong", beats, wrong);
        $finish;
    end
    initial #1000000 $finish;

    always @(negedge clk) if (!rst) begin
        valid = $random % 4 != 0 && filled < 4096;
        data = 7 * filled + 1;
        take = $random;
    end
    always @(posedge clk) if (!rst) begin
        if (valid & ready) filled <= filled + 1;
        if (there & take) begin
            y = 1 + beats / 62;
            x = 1 + beats % 62;
            if (beat !== {element(y + 1, x), element(y - 1, x), element(y, x + 1),
                          element(y, x - 1), element(y, x)}) wrong = wrong + 1;
            if (last !== (beats == 3843)) wrong = wrong + 1;
            beats = beats + 1;
        end
    end
endmodule
