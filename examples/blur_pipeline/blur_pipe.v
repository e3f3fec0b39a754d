// A pixel pipe: two 3-tap blurs around the memory that hlsmem made for examples/blur.
// Pixels come row by row, N + 2 in each of N rows; results leave row by row.
module blur_pipe #(parameter N = 64) (
    input wire clk, input wire rst, input wire start, output wire busy,
    input  wire [31:0] pixel_tdata, input  wire pixel_tvalid, output wire pixel_tready,
    output wire [31:0] out_tdata,   output wire out_tvalid,   input  wire out_tready,
    output wire out_tlast
);
    // P: a window of three pixels in a row, two of them in registers
    reg [31:0] left, middle;
    reg [15:0] x;
    wire sum_ready;
    wire full = x >= 2;
    assign pixel_tready = busy & (sum_ready | ~full);
    always @(posedge clk)
        if (rst) x <= 0;
        else if (pixel_tvalid & pixel_tready) begin
            {left, middle} <= {middle, pixel_tdata};
            x <= (x == N + 1) ? 16'd0 : x + 16'd1;
        end

    // C: the three rows that the memory hands out in one beat
    wire [95:0] rows;
    assign out_tdata = rows[31:0] + rows[63:32] + rows[95:64];

    blur_mem memory (
        .clk(clk), .rst(rst), .start(start), .busy(busy),
        .s_blurx_P_tdata(left + middle + pixel_tdata), .s_blurx_P_tvalid(pixel_tvalid & full),
        .s_blurx_P_tready(sum_ready), .s_blurx_P_tlast(1'b0),
        .m_blurx_C_tdata(rows), .m_blurx_C_tvalid(out_tvalid),
        .m_blurx_C_tready(out_tready), .m_blurx_C_tlast(out_tlast)
    );
endmodule
