// The receiver's arithmetic around the memory that hlsmem made for design.yaml: one sample after
// the other begins a packet, or is decoded as one of its symbols.
module receiver_pipe (
    input wire clk, input wire rst, input wire start, output wire busy,
    input wire [15:0] sample_tdata, input wire sample_tvalid, output wire sample_tready,
    output wire [15:0] out_tdata, output wire out_tvalid, input wire out_tready
);
    // T: in which state the sample comes; D or C is due then
    reg due, looking;
    wire [7:0] state, left;
    wire state_tvalid, looking_tready;
    wire T = state_tvalid & ~due & looking_tready;
    // D: a strong sample begins a packet
    wire detected_tready;
    wire detects = due & looking & sample_tvalid;
    wire D = detects & detected_tready;
    // C: one sample less is left; its two results go each at their own pace
    reg [1:0] sent;
    wire left_tvalid;
    wire [1:0] tready;
    wire decodes = due & ~looking & sample_tvalid & left_tvalid;
    wire C = decodes & (&(sent | tready));
    assign sample_tready = D | C;
    always @(posedge clk) begin
        due <= ~rst & (T | due & ~D & ~C);
        sent <= rst | C ? 2'b00 : sent | {2{decodes}} & tready;
        if (T) looking <= state == 0;
    end
    // Q0 and Q1: what is sent is made of what was decoded
    wire [15:0] bits, symbol;
    wire bits_tvalid, symbol_tready;
    assign out_tdata = symbol + 16'd1;

    receiver_mem memory (
        .clk(clk), .rst(rst), .start(start), .busy(busy),
        .s_state_I_tdata(8'd0), .s_state_I_tvalid(1'b1), .s_state_I_tready(), .s_state_I_tlast(1'b1),
        .m_state_T_tdata(state), .m_state_T_tvalid(state_tvalid), .m_state_T_tready(T),
        .m_state_T_tlast(),
        .s_looking_T_tdata({7'd0, state == 0}), .s_looking_T_tvalid(state_tvalid & ~due),
        .s_looking_T_tready(looking_tready), .s_looking_T_tlast(1'b0),
        .s_state_D_tdata($signed(sample_tdata) > 600 ? 8'd5 : 8'd0), .s_state_D_tvalid(detects),
        .s_state_D_tready(detected_tready), .s_state_D_tdone(),
        .m_state_C_tdata(left), .m_state_C_tvalid(left_tvalid), .m_state_C_tready(C),
        .m_state_C_tdone(),
        .s_state_C_tdata(left - 8'd1), .s_state_C_tvalid(decodes & ~sent[0]), .s_state_C_tready(tready[0]),
        .s_state_C_tdone(),
        .s_bits_C_tdata({8'd0, sample_tdata[7:0]}), .s_bits_C_tvalid(decodes & ~sent[1]),
        .s_bits_C_tready(tready[1]), .s_bits_C_tdone(),
        .m_bits_Q0_tdata(bits), .m_bits_Q0_tvalid(bits_tvalid), .m_bits_Q0_tready(symbol_tready),
        .m_bits_Q0_tdone(),
        .s_symbol_Q0_tdata(16'd3 * bits), .s_symbol_Q0_tvalid(bits_tvalid),
        .s_symbol_Q0_tready(symbol_tready), .s_symbol_Q0_tdone(),
        .m_symbol_Q1_tdata(symbol), .m_symbol_Q1_tvalid(out_tvalid),
        .m_symbol_Q1_tready(out_tready), .m_symbol_Q1_tdone()
    );
endmodule
