// A FIFO of any depth, whose last place is the output latch of its RAM (OUTREG = 1: the last two
// are the latch and the output register).
//
// A depth that is a power of two, without output register, takes two pointers with a bit more
// than addresses have, and holds DEPTH + 1 beats. Any other holds exactly DEPTH, and counts them.
// A beat comes out 2 + OUTREG cycles after it went in (one, if DEPTH is 1); one beat a cycle from
// DEPTH 3 + OUTREG on. s_tready depends on registers alone, and so does m_tvalid.
module hlsmem_fifo #(
    parameter WIDTH = 32,
    parameter DEPTH = 1024,  // 1, or at least 2 + OUTREG
    parameter OUTREG = 0,
    // verilator lint_off UNUSEDPARAM
    parameter STYLE = "auto"  // of the RAM, where there is one
    // verilator lint_on UNUSEDPARAM
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] s_tdata,
    input  wire             s_tvalid,
    output wire             s_tready,
    output wire [WIDTH-1:0] m_tdata,
    output wire             m_tvalid,
    input  wire             m_tready
);
    localparam TWOS = OUTREG == 0 && DEPTH > 1 && (DEPTH & (DEPTH - 1)) == 0;

    generate
        if (DEPTH == 1) begin : one
            reg             valid;
            reg [WIDTH-1:0] beat;
            assign m_tdata = beat;
            assign m_tvalid = valid;
            assign s_tready = ~valid;
            always @(posedge clk) begin
                if (rst) valid <= 1'b0;
                else if (valid) valid <= ~m_tready;
                else valid <= s_tvalid;
                if (~valid) beat <= s_tdata;
            end
        end else begin : many
            localparam WORDS = TWOS ? DEPTH : DEPTH - 1 - OUTREG;
            localparam ADDRESS = WORDS > 1 ? $clog2(WORDS) : 1;

            wire               some;  // words in the RAM
            wire               full;
            wire               room;  // behind the RAM
            wire               push = s_tvalid & ~full;
            wire               pop = some & room;
            wire [ADDRESS-1:0] w_addr;
            wire [ADDRESS-1:0] r_addr;

            assign s_tready = ~full;

            if (TWOS) begin : pointers
                localparam [ADDRESS:0] ONE = 1;
                reg [ADDRESS:0] w;
                reg [ADDRESS:0] r;
                assign w_addr = w[ADDRESS-1:0];
                assign r_addr = r[ADDRESS-1:0];
                assign some = w != r;
                assign full = w == {~r[ADDRESS], r[ADDRESS-1:0]};
                always @(posedge clk) begin
                    if (rst) w <= {ADDRESS + 1{1'b0}};
                    else if (push) w <= w + ONE;
                    if (rst) r <= {ADDRESS + 1{1'b0}};
                    else if (pop) r <= r + ONE;
                end
            end else begin : counted
                localparam COUNT = $clog2(WORDS + 1);
                localparam NEARLY = WORDS - 1;
                localparam [COUNT-1:0] ONE = 1;
                reg [COUNT-1:0]    stored;
                reg                is_some;  // stored is not 0
                reg                is_full;  // stored is WORDS
                wire [ADDRESS-1:0] w_next;
                wire [ADDRESS-1:0] r_next;
                wire               unused_next = &{1'b0, w_next, r_next};
                assign some = is_some;
                assign full = is_full;
                wire               up = push & ~pop;
                wire               down = pop & ~push;
                // One adder for both ways: all ones is -1, and a carry out of the bit below is 1.
                wire [COUNT:0]     sum = {stored, 1'b1} + {{COUNT{down}}, up};
                wire               unused_sum = &{1'b0, sum[0]};
                always @(posedge clk) begin
                    if (rst) stored <= {COUNT{1'b0}};
                    else stored <= sum[COUNT:1];
                    if (rst) is_some <= 1'b0;
                    else if (up) is_some <= 1'b1;
                    else if (down) is_some <= stored != ONE;
                    if (rst) is_full <= 1'b0;
                    else if (up) is_full <= stored == NEARLY[COUNT-1:0];
                    else if (down) is_full <= 1'b0;
                end
                hlsmem_wrap #(.WIDTH(ADDRESS), .MODULUS(WORDS), .STEP(1), .FLAG(1)) u_write (
                    .clk(clk), .load(rst), .load_value({ADDRESS{1'b0}}),
                    .step(push), .value(w_addr), .next(w_next)
                );
                hlsmem_wrap #(.WIDTH(ADDRESS), .MODULUS(WORDS), .STEP(1), .FLAG(1)) u_read (
                    .clk(clk), .load(rst), .load_value({ADDRESS{1'b0}}),
                    .step(pop), .value(r_addr), .next(r_next)
                );
            end

            // The stages behind the RAM; each takes a beat when it is empty or gives one away.
            reg latched;
            if (OUTREG != 0) begin : two_stages
                reg  registered;
                wire o_en = latched & (~registered | m_tready);
                assign room = ~latched | o_en;
                assign m_tvalid = registered;
                // A word is read only when stored, and written only where none is.
                hlsmem_ram_output #(.WIDTH(WIDTH), .DEPTH(WORDS), .ADDRESS(ADDRESS)) u_ram (
                    .clk(clk), .w_en(push), .w_addr(w_addr), .w_data(s_tdata),
                    .r_en(pop), .r_addr(r_addr), .o_en(o_en), .r_data(m_tdata)
                );
                always @(posedge clk) begin
                    if (rst) registered <= 1'b0;
                    else if (o_en) registered <= 1'b1;
                    else if (m_tready) registered <= 1'b0;
                end
            end else begin : one_stage
                assign room = ~latched | m_tready;
                assign m_tvalid = latched;
                hlsmem_ram #(
                    .WIDTH(WIDTH), .DEPTH(WORDS), .ADDRESS(ADDRESS), .COLLISION(0), .STYLE(STYLE)
                ) u_ram (
                    .clk(clk), .w_en(push), .w_addr(w_addr), .w_data(s_tdata),
                    .r_en(pop), .r_addr(r_addr), .o_en(1'b0), .r_data(m_tdata)
                );
            end
            always @(posedge clk) begin
                if (rst) latched <= 1'b0;
                else if (room) latched <= some;
            end
        end
    endgenerate
endmodule
