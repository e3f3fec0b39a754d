// A[i] in cell i mod 3: P writes A[i], then C reads A[i-2], A[i-1] and A[i], for i in 0..19.
// Written by hand, so that the bench can be judged without the generator.
module window_A_buffer (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,
    output reg         busy,
    input  wire [15:0] s_A_P_tdata,
    input  wire        s_A_P_tvalid,
    output wire        s_A_P_tready,
    input  wire        s_A_P_tlast,
    output wire [47:0] m_A_C_tdata,
    output wire        m_A_C_tvalid,
    input  wire        m_A_C_tready,
    output wire        m_A_C_tlast
);
    // The writer: 20 beats.
    reg  [4:0] w_left;
    wire       w_there = busy & w_left != 5'd0;
    wire       free;
    wire       s_A_P_fire = w_there & free & s_A_P_tvalid;
    wire [1:0] w_cell;
    wire [1:0] w_next;

    assign s_A_P_tready = w_there & free;

    hlsmem_wrap #(.WIDTH(2), .MODULUS(3), .STEP(1)) u_w_cell (
        .clk(clk), .load(start), .load_value(2'd0), .step(s_A_P_fire), .value(w_cell), .next(w_next)
    );

    // The reader: 18 beats.
    reg  [4:0] r_left;
    wire       r_there = busy & r_left != 5'd0;
    wire       need;
    wire       room;
    wire       m_A_C_fire = r_there & need & room;
    wire [1:0] r_cell;
    wire [1:0] r_next;
    wire       unused = &{1'b0, w_next, s_A_P_tlast, r_next};
    reg        under_way;

    hlsmem_wrap #(.WIDTH(2), .MODULUS(3), .STEP(1)) u_r_cell (
        .clk(clk), .load(start), .load_value(2'd0), .step(m_A_C_fire), .value(r_cell), .next(r_next)
    );

    always @(posedge clk) begin
        if (start) begin
            w_left <= 5'd20;
            r_left <= 5'd18;
        end else begin
            if (s_A_P_fire) w_left <= w_left - 5'd1;
            if (m_A_C_fire) r_left <= r_left - 5'd1;
        end
        if (rst) busy <= 1'b0;
        else if (start) busy <= 1'b1;
        else if (w_left == 5'd0 & r_left == 5'd0 & ~under_way & ~m_A_C_tvalid) busy <= 1'b0;
    end

    // Read beat j needs the writes before j + 3, write beat i the reads before i - 2.
    hlsmem_gate_count #(.WIDTH(6), .START(-2)) u_need (
        .clk(clk), .rst(rst), .load(start),
        .up(s_A_P_fire), .down(m_A_C_fire), .done(w_left == 5'd0), .open(need)
    );
    hlsmem_gate_count #(.WIDTH(6), .START(3), .BYPASS(1)) u_free (
        .clk(clk), .rst(rst), .load(start),
        .up(m_A_C_fire), .down(s_A_P_fire), .done(r_left == 5'd0), .open(free)
    );

    wire       A_0_w_en = s_A_P_fire;
    wire       A_1_w_en = s_A_P_fire;
    wire       A_2_w_en = s_A_P_fire;
    wire [1:0] A_0_w_addr = w_cell;
    wire [1:0] A_1_w_addr = w_cell;
    wire [1:0] A_2_w_addr = w_cell;
    wire       A_0_r_en = m_A_C_fire;
    wire       A_1_r_en = m_A_C_fire;
    wire       A_2_r_en = m_A_C_fire;
    wire [1:0] A_0_r_addr = r_cell;
    wire [1:0] A_1_r_addr = r_next;
    wire [1:0] A_2_r_addr = r_next == 2'd2 ? 2'd0 : r_next + 2'd1;
    wire [47:0] data;

    hlsmem_ram #(.WIDTH(16), .DEPTH(3), .ADDRESS(2)) u_0 (
        .clk(clk), .w_en(A_0_w_en), .w_addr(A_0_w_addr), .w_data(s_A_P_tdata),
        .r_en(A_0_r_en), .r_addr(A_0_r_addr), .o_en(1'b0), .r_data(data[15:0])
    );
    hlsmem_ram #(.WIDTH(16), .DEPTH(3), .ADDRESS(2)) u_1 (
        .clk(clk), .w_en(A_1_w_en), .w_addr(A_1_w_addr), .w_data(s_A_P_tdata),
        .r_en(A_1_r_en), .r_addr(A_1_r_addr), .o_en(1'b0), .r_data(data[31:16])
    );
    hlsmem_ram #(.WIDTH(16), .DEPTH(3), .ADDRESS(2)) u_2 (
        .clk(clk), .w_en(A_2_w_en), .w_addr(A_2_w_addr), .w_data(s_A_P_tdata),
        .r_en(A_2_r_en), .r_addr(A_2_r_addr), .o_en(1'b0), .r_data(data[47:32])
    );

    always @(posedge clk) under_way <= m_A_C_fire;

    hlsmem_skid #(.WIDTH(48)) u_skid (
        .clk(clk), .rst(rst), .issue(m_A_C_fire), .issue_side(r_left == 5'd1), .room(room),
        .data(data), .tdata(m_A_C_tdata), .tside(m_A_C_tlast),
        .tvalid(m_A_C_tvalid), .tready(m_A_C_tready)
    );
endmodule
