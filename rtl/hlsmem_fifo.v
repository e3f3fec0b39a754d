// A FIFO of DEPTH words in a RAM, and behind it the RAM's output latch (OUTREG = 1: and its output
// register): it holds DEPTH + 1 + OUTREG beats.
//
// A beat comes out 2 + OUTREG cycles after it went in; one beat a cycle from DEPTH 2 on. s_tready
// depends on registers alone, and so does m_tvalid. A DEPTH that is a power of two, without output
// register, takes two pointers with a bit more than addresses have; others count their words.
//
// For runs of BEATS beats from reset on, `s_last` says that the next beat to go in is the last
// one; where DEPTH is a power of two, the pointer is part of that count. `m_only` says that
// nothing waits behind the place that m_tdata shows.
module hlsmem_fifo #(
    parameter WIDTH = 32,
    parameter DEPTH = 1024,  // at least 1
    parameter OUTREG = 0,
    parameter BEATS = 0,  // of a run, 0: s_last is never high
    // verilator lint_off UNUSEDPARAM
    parameter STYLE = "auto"  // of the RAM, without output register
    // verilator lint_on UNUSEDPARAM
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] s_tdata,
    input  wire             s_tvalid,
    output wire             s_tready,
    output wire             s_last,
    output wire [WIDTH-1:0] m_tdata,
    output wire             m_tvalid,
    output wire             m_only,
    input  wire             m_tready
);
    localparam ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam EVEN = DEPTH > 1 && (DEPTH & (DEPTH - 1)) == 0;
    localparam TWOS = EVEN && OUTREG == 0;

    wire               some;  // words in the RAM
    wire               full;
    wire               room;  // behind the RAM
    wire               push = s_tvalid & ~full;
    wire               pop = some & room;
    wire [ADDRESS-1:0] w_addr;
    wire [ADDRESS-1:0] r_addr;
    assign s_tready = ~full;

    // Beats that went in, modulo a power of two.
    localparam POINTER = !EVEN ? 1 : TWOS ? ADDRESS + 1 : ADDRESS;
    localparam COUNTED = BEATS > 1 ? $clog2(BEATS) : 1;
    localparam SENT = POINTER > COUNTED ? POINTER : COUNTED;
    wire [SENT-1:0] sent;
    wire            unused_sent = &{1'b0, sent};

    generate
        if (EVEN || BEATS > 1) begin : counts
            localparam [SENT-1:0] ONE = 1;
            reg [SENT-1:0] in;
            assign sent = in;
            always @(posedge clk) begin
                if (rst) in <= {SENT{1'b0}};
                else if (push) in <= in + ONE;
            end
        end else begin : no_counts
            assign sent = {SENT{1'b0}};
        end

        if (BEATS > 1) begin : ends
            localparam BEFORE = BEATS - 2;
            reg last;
            assign s_last = last;
            always @(posedge clk) begin
                if (rst) last <= 1'b0;
                else if (push) last <= sent[COUNTED-1:0] == BEFORE[COUNTED-1:0];
            end
        end else begin : one_or_no_end
            assign s_last = BEATS == 1;
        end

        if (TWOS) begin : pointers
            localparam [ADDRESS:0] ONE = 1;
            wire [ADDRESS:0] w = sent[ADDRESS:0];
            reg  [ADDRESS:0] r;
            assign w_addr = w[ADDRESS-1:0];
            assign r_addr = r[ADDRESS-1:0];
            assign some = w != r;
            assign full = w == {~r[ADDRESS], r[ADDRESS-1:0]};
            always @(posedge clk) begin
                if (rst) r <= {ADDRESS + 1{1'b0}};
                else if (pop) r <= r + ONE;
            end
        end else begin : counted
            localparam COUNT = $clog2(DEPTH + 1);
            localparam NEARLY = DEPTH - 1;
            localparam [COUNT-1:0] ONE = 1;
            reg [COUNT-1:0] stored;
            reg             is_some;  // stored is not 0
            reg             is_full;  // stored is DEPTH
            assign some = is_some;
            assign full = is_full;
            wire            moves = push ^ pop;
            // Plus one, or all ones, minus one: m_tready comes late, and to the enables only.
            wire [COUNT-1:0] moved = stored + ({COUNT{~push}} | ONE);
            always @(posedge clk) begin
                if (rst) stored <= {COUNT{1'b0}};
                else if (moves) stored <= moved;
                if (rst) is_some <= 1'b0;
                else if (moves) is_some <= push | stored != ONE;
                if (rst) is_full <= 1'b0;
                else if (moves) is_full <= push & stored == NEARLY[COUNT-1:0];
            end
            if (EVEN) begin : even
                localparam [ADDRESS-1:0] NEXT = 1;
                reg [ADDRESS-1:0] r;
                assign w_addr = sent[ADDRESS-1:0];
                assign r_addr = r;
                always @(posedge clk) begin
                    if (rst) r <= {ADDRESS{1'b0}};
                    else if (pop) r <= r + NEXT;
                end
            end else begin : wrapped
                wire [ADDRESS-1:0] w_next;
                wire [ADDRESS-1:0] r_next;
                wire               unused_next = &{1'b0, w_next, r_next};
                hlsmem_wrap #(.WIDTH(ADDRESS), .MODULUS(DEPTH), .STEP(1), .FLAG(1)) u_write (
                    .clk(clk), .load(rst), .load_value({ADDRESS{1'b0}}),
                    .step(push), .value(w_addr), .next(w_next)
                );
                hlsmem_wrap #(.WIDTH(ADDRESS), .MODULUS(DEPTH), .STEP(1), .FLAG(1)) u_read (
                    .clk(clk), .load(rst), .load_value({ADDRESS{1'b0}}),
                    .step(pop), .value(r_addr), .next(r_next)
                );
            end
        end
    endgenerate

    // The stages behind the RAM; each takes a beat when it is empty or gives one away. A word is
    // read only where one is stored, and written only where none is.
    reg latched;
    always @(posedge clk) begin
        if (rst) latched <= 1'b0;
        else if (room) latched <= some;
    end

    generate
        if (OUTREG != 0) begin : two_stages
            reg  registered;
            wire o_en = latched & (~registered | m_tready);
            assign room = ~latched | o_en;
            assign m_tvalid = registered;
            assign m_only = ~some & ~latched;
            hlsmem_ram_output #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDRESS(ADDRESS)) u_ram (
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
            assign m_only = ~some;
            hlsmem_ram #(
                .WIDTH(WIDTH), .DEPTH(DEPTH), .ADDRESS(ADDRESS), .COLLISION(0), .STYLE(STYLE)
            ) u_ram (
                .clk(clk), .w_en(push), .w_addr(w_addr), .w_data(s_tdata),
                .r_en(pop), .r_addr(r_addr), .o_en(1'b0), .r_data(m_tdata)
            );
        end
    endgenerate
endmodule
