// The limit: a RAM of 1024 x 32 between two free counters, nothing else.
module bare_ram (
    input  wire        clk,
    input  wire        rst,
    input  wire        w_en,
    input  wire        r_en,
    input  wire [31:0] w_data,
    output wire [31:0] r_data
);
    reg [9:0] w_addr;
    reg [9:0] r_addr;

    always @(posedge clk) begin
        if (rst) w_addr <= 10'd0;
        else if (w_en) w_addr <= w_addr + 10'd1;
        if (rst) r_addr <= 10'd0;
        else if (r_en) r_addr <= r_addr + 10'd1;
    end

    hlsmem_ram #(.WIDTH(32), .DEPTH(1024), .ADDRESS(10), .COLLISION(0)) ram (
        .clk(clk), .w_en(w_en), .w_addr(w_addr), .w_data(w_data),
        .r_en(r_en), .r_addr(r_addr), .o_en(1'b0), .r_data(r_data)
    );
endmodule
