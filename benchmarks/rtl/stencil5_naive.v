// The buffer of examples/stencil5 as one would write it down: banks, offsets and a crossbar from
// `%`, `/` and `*` of coordinates, at the least widths that hold them. Streams, stalls and RAMs are
// those of the generated one.
module stencil5_naive (
    input  wire         clk,
    input  wire         rst,
    input  wire         start,
    output reg          busy,
    input  wire [31:0]  s_in_fill_tdata,
    input  wire         s_in_fill_tvalid,
    output wire         s_in_fill_tready,
    input  wire         s_in_fill_tlast,
    output wire [159:0] m_in_S_tdata,
    output wire         m_in_S_tvalid,
    input  wire         m_in_S_tready,
    output wire         m_in_S_tlast
);
    wire unused = &{1'b0, s_in_fill_tlast, move};
    wire load = rst | (busy & over);
    reg  over;

    // The fill, row by row
    reg [5:0] fill_y;
    reg [5:0] fill_x;
    reg       filled;
    assign s_in_fill_tready = ~filled;
    wire write = s_in_fill_tready & s_in_fill_tvalid;
    always @(posedge clk) begin
        if (load) begin
            fill_y <= 6'd0;
            fill_x <= 6'd0;
            filled <= 1'b0;
        end else if (write) begin
            fill_x <= fill_x + 6'd1;
            if (fill_x == 6'd63) fill_y <= fill_y + 6'd1;
            if (fill_x == 6'd63 && fill_y == 6'd63) filled <= 1'b1;
        end
    end
    wire [7:0] fill_sum = {2'd0, fill_x} + {1'b0, fill_y, 1'b0};
    wire [7:0] fill_rest = fill_sum % 8'd5;
    wire [2:0] fill_bank = fill_rest[2:0];
    wire [9:0] fill_offset = {4'd0, fill_y} * 10'd13 + {4'd0, fill_x / 6'd5};

    // The reads: centre, west, east, north, south
    reg [5:0] y;
    reg [5:0] x;
    reg       done;
    wire      room;
    wire      move;
    wire [5:0] south = y + 6'd1;
    wire       last = y == 6'd62 && x == 6'd62;
    wire       fire = busy & ~done & room & (filled | {south, x} < {fill_y, fill_x});
    always @(posedge clk) begin
        if (load) begin
            y <= 6'd1;
            x <= 6'd1;
            done <= 1'b0;
        end else if (fire) begin
            x <= x == 6'd62 ? 6'd1 : x + 6'd1;
            if (x == 6'd62) y <= south;
            done <= last;
        end
    end
    wire [29:0] ys = {south, y - 6'd1, y, y, y};
    wire [29:0] xs = {x, x, x + 6'd1, x - 6'd1, x};
    wire [14:0] banks;
    wire [49:0] offsets;
    genvar k;
    genvar j;
    generate
        for (k = 0; k < 5; k = k + 1) begin : operand
            wire [5:0] own_y = ys[k*6 +: 6];
            wire [5:0] own_x = xs[k*6 +: 6];
            wire [7:0] sum = {2'd0, own_x} + {1'b0, own_y, 1'b0};
            wire [7:0] rest = sum % 8'd5;
            assign banks[k*3 +: 3] = rest[2:0];
            assign offsets[k*10 +: 10] = {4'd0, own_y} * 10'd13 + {4'd0, own_x / 6'd5};
        end
    endgenerate

    wire [159:0] read;
    generate
        for (j = 0; j < 5; j = j + 1) begin : bank
            wire [9:0] offset = banks[2:0] == j ? offsets[9:0]
                              : banks[5:3] == j ? offsets[19:10]
                              : banks[8:6] == j ? offsets[29:20]
                              : banks[11:9] == j ? offsets[39:30] : offsets[49:40];
            hlsmem_ram #(
                .WIDTH(32), .DEPTH(832), .ADDRESS(10), .COLLISION(0)
            ) ram (
                .clk(clk),
                .w_en(write & fill_bank == j), .w_addr(fill_offset), .w_data(s_in_fill_tdata),
                .r_en(fire), .r_addr(offset), .o_en(1'b0), .r_data(read[j*32 +: 32])
            );
        end
    endgenerate

    reg  [14:0]  read_banks;
    wire [159:0] words;
    always @(posedge clk) if (fire) read_banks <= banks;
    generate
        for (k = 0; k < 5; k = k + 1) begin : word
            wire [2:0] own = read_banks[k*3 +: 3];
            assign words[k*32 +: 32] = own == 3'd0 ? read[31:0]
                                     : own == 3'd1 ? read[63:32]
                                     : own == 3'd2 ? read[95:64]
                                     : own == 3'd3 ? read[127:96] : read[159:128];
        end
    endgenerate

    hlsmem_output_register #(.WIDTH(160), .SIDE(1), .LATENCY(1)) hold (
        .clk(clk), .rst(rst), .issue(fire), .issue_side(last), .room(room), .move(move),
        .data(words), .tdata(m_in_S_tdata), .tside(m_in_S_tlast),
        .tvalid(m_in_S_tvalid), .tready(m_in_S_tready)
    );

    always @(posedge clk) begin
        if (load) over <= 1'b0;
        else if (m_in_S_tvalid & m_in_S_tready & m_in_S_tlast) over <= 1'b1;
        if (load) busy <= 1'b0;
        else if (start) busy <= 1'b1;
    end
endmodule
