// Added to hlsmem_fifo for its proof, where DEPTH is at least 2 + OUTREG. One beat, anyone, is
// followed: it leaves when all before it have left, unchanged. No cell is read and written on one
// edge. `stored` is told where the depth is known.
reg proof_seen = 1'b0;
always @(posedge clk) proof_seen <= 1'b1;
always @* assume (proof_seen || rst);

(* anyseq *) reg chosen;
localparam PLACES = TWOS ? DEPTH : DEPTH - 1 - OUTREG;
localparam BITS = PLACES > 1 ? $clog2(PLACES) : 1;
(* hierconn *) wire [BITS-1:0]  \RAM.watched ;
(* hierconn *) wire [WIDTH-1:0] \RAM.content ;
(* hierconn *) wire [WIDTH-1:0] \RAM.latch ;
wire goes_out = m_tvalid & m_tready;
wire in_register = OUTREG != 0 && m_tvalid;
wire [15:0] stored;
wire [15:0] inside = stored + many.latched + in_register;
wire [15:0] following = many.r_addr + stored;  // the cell behind the last one stored
wire [15:0] before = \RAM.watched >= many.r_addr ? \RAM.watched - many.r_addr
                   : \RAM.watched + PLACES - many.r_addr;  // cells stored before its own

localparam [2:0] UNSEEN = 0, STORED = 1, LATCHED = 2, REGISTERED = 3, GONE = 4;
reg [2:0]       state;
reg [15:0]      ahead;  // beats that leave before it
reg [WIDTH-1:0] its_value;
// Where it leaves from, and when its last but one stage gives it away.
wire at_end = state == REGISTERED || (OUTREG == 0 && state == LATCHED);
wire onward = OUTREG != 0 && many.latched && (!m_tvalid || m_tready);

always @(posedge clk) begin
    if (rst) state <= UNSEEN;
    else if (state == UNSEEN) begin
        if (many.push && chosen && many.w_addr == \RAM.watched ) begin
            state <= STORED;
            ahead <= inside - goes_out;
            its_value <= s_tdata;
        end
    end else if (state != GONE) begin
        if (goes_out) ahead <= ahead - 1;
        if (state == STORED && many.pop && before == 0) state <= LATCHED;
        if (state == LATCHED && onward) state <= REGISTERED;
        if (goes_out && ahead == 0) state <= GONE;
    end
end

always @* if (proof_seen) begin
    known: assert (state <= GONE);
    in_range: assert (many.r_addr < PLACES && many.w_addr < PLACES && stored <= PLACES);
    as_many: assert (many.w_addr == (following >= PLACES ? following - PLACES : following));
    never_both: assert (!(many.push && many.pop && many.w_addr == many.r_addr));
    ready_unless_full: assert (s_tready == (stored != PLACES));
    if (state == STORED) begin
        its_cell: assert (\RAM.watched < PLACES && \RAM.content == its_value && before < stored);
        its_turn: assert (ahead == before + many.latched + in_register);
    end
    if (state == LATCHED) begin
        its_latch: assert (many.latched && \RAM.latch == its_value && ahead == in_register);
    end
    if (state == REGISTERED) its_register: assert (OUTREG != 0 && m_tvalid && ahead == 0);
    if (at_end && ahead == 0) unchanged: assert (m_tvalid && m_tdata == its_value);
    if (m_tvalid && ahead == 0 && state != UNSEEN && state != GONE) no_other: assert (at_end);
end
