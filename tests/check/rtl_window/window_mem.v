module window_mem (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,
    output wire        busy,
    input  wire [15:0] s_A_P_tdata,
    input  wire        s_A_P_tvalid,
    output wire        s_A_P_tready,
    input  wire        s_A_P_tlast,
    output wire [47:0] m_A_C_tdata,
    output wire        m_A_C_tvalid,
    input  wire        m_A_C_tready,
    output wire        m_A_C_tlast
);
    window_A_buffer u_A (
        .clk(clk),
        .rst(rst),
        .start(start & ~busy),
        .busy(busy),
        .s_A_P_tdata(s_A_P_tdata),
        .s_A_P_tvalid(s_A_P_tvalid),
        .s_A_P_tready(s_A_P_tready),
        .s_A_P_tlast(s_A_P_tlast),
        .m_A_C_tdata(m_A_C_tdata),
        .m_A_C_tvalid(m_A_C_tvalid),
        .m_A_C_tready(m_A_C_tready),
        .m_A_C_tlast(m_A_C_tlast)
    );
endmodule
