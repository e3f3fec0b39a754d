// Drives the pixel pipe with one frame, stalls it at random on both sides, and compares every
// result with the two blurs computed here, plainly.
module bench;
    localparam N = 64;
    reg clk = 0, rst = 1, start = 0, out_ready = 0, pixel_valid = 0;
    reg [31:0] image [0:N * (N + 2) - 1];
    integer sent = 0, received = 0, cycles = 0, errors = 0, y, x, i;
    wire busy, pixel_ready, out_valid, out_last;
    wire [31:0] out_data;
    reg stalls = 0;

    always #5 clk = ~clk;

    blur_pipe #(.N(N)) pipe (
        .clk(clk), .rst(rst), .start(start), .busy(busy),
        .pixel_tdata(image[sent]), .pixel_tvalid(pixel_valid), .pixel_tready(pixel_ready),
        .out_tdata(out_data), .out_tvalid(out_valid), .out_tready(out_ready), .out_tlast(out_last)
    );

    function [31:0] row_sum(input integer row, input integer column);
        row_sum = image[row * (N + 2) + column] + image[row * (N + 2) + column + 1]
                + image[row * (N + 2) + column + 2];
    endfunction

    initial begin
        for (i = 0; i < N * (N + 2); i = i + 1) image[i] = $random;
        stalls = $test$plusargs("stalls");
        $dumpfile("blur_pipe.vcd");
        $dumpvars(0, bench);
        repeat (3) @(negedge clk);
        rst = 0; start = 1;
        @(negedge clk) start = 0;
    end

    always @(negedge clk) begin
        // valid and data stay as they are while stalled
        if (!pixel_valid || pixel_ready)
            pixel_valid <= !rst && sent < N * (N + 2) && !(stalls && $random % 3 == 0);
        out_ready <= !(stalls && $random % 3 == 0);
    end

    always @(posedge clk) begin
        if (busy === 1'b1) cycles <= cycles + 1;
        if (pixel_valid && pixel_ready) sent <= sent + 1;
        if (out_valid && out_ready) begin
            y = received / N; x = received % N;
            if (out_data !== row_sum(y, x) + row_sum(y + 1, x) + row_sum(y + 2, x)) begin
                $display("out[%0d][%0d] is wrong", y, x);
                errors = errors + 1;
            end
            received <= received + 1;
            if (out_last) begin
                if (received != N * (N - 2) - 1) errors = errors + 1;
                $display("%0d results in %0d cycles, %0d wrong", received + 1, cycles, errors);
                $finish;
            end
        end
        if (cycles > 100000) begin $display("no end"); $finish; end
    end
endmodule
