// Sends the receiver 64 samples, stalls it at random on both sides, and compares what comes out
// with a receiver computed here, plainly.
module bench;
    localparam N = 64;
    reg clk = 0, rst = 1, start = 0, sample_valid = 0, out_ready = 0, stalls = 0;
    reg [15:0] samples [0:N - 1], wanted [0:N - 1];
    integer sent = 0, received = 0, expected = 0, cycles = 0, errors = 0, state = 0, i;
    wire busy, sample_ready, out_valid;
    wire [15:0] out_data;

    always #5 clk = ~clk;

    receiver_pipe pipe (
        .clk(clk), .rst(rst), .start(start), .busy(busy),
        .sample_tdata(sample_valid ? samples[sent] : 16'hxxxx), .sample_tvalid(sample_valid),
        .sample_tready(sample_ready),
        .out_tdata(out_data), .out_tvalid(out_valid), .out_tready(out_ready)
    );

    initial begin
        for (i = 0; i < N; i = i + 1) begin
            samples[i] = $urandom % 1000;
            if (state != 0) begin
                wanted[expected] = 3 * (samples[i] & 255) + 1;
                expected = expected + 1;
                state = state - 1;
            end else if (samples[i] > 600) state = 5;
        end
        stalls = $test$plusargs("stalls");
        $dumpfile("receiver.vcd");
        $dumpvars(0, bench);
        repeat (3) @(negedge clk);
        rst = 0; start = 1;
        @(negedge clk) start = 0;
    end

    always @(negedge clk) begin
        // valid and data stay as they are while stalled
        if (!sample_valid || sample_ready)
            sample_valid <= !rst && sent < N && !(stalls && $urandom % 3 == 0);
        out_ready <= !(stalls && $urandom % 3 == 0);
    end

    always @(posedge clk) begin
        if (busy === 1'b1) cycles <= cycles + 1;
        if (sample_valid && sample_ready) sent <= sent + 1;
        if (out_valid && out_ready) begin
            if (received >= expected || out_data !== wanted[received]) begin
                $display("symbol %0d is wrong", received);
                errors = errors + 1;
            end
            received <= received + 1;
        end
        if (cycles > 0 && !busy) begin
            if (received != expected) errors = errors + 1;
            $display("%0d symbols of %0d samples in %0d cycles, %0d wrong", received, sent, cycles, errors);
            $finish;
        end
        if (cycles > 10000) begin $display("no end"); $finish; end
    end
endmodule
