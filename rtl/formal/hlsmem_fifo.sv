// Added to hlsmem_fifo for its proof. One beat, anyone, is followed: it leaves when all before it
// have left, unchanged. No cell is read and written on one edge. What is inside is what went in
// and did not leave; s_last and m_only say so. `stored_now` is told where the depth is known.
reg proof_seen = 1'b0;
always @(posedge clk) proof_seen <= 1'b1;
always @* assume (proof_seen || rst);

(* anyseq *) reg chosen;
(* hierconn *) wire [ADDRESS-1:0]  \RAM.watched ;
(* hierconn *) wire [WIDTH-1:0] \RAM.content ;
(* hierconn *) wire [WIDTH-1:0] \RAM.latch ;
wire goes_out = m_tvalid & m_tready;
wire in_register = OUTREG != 0 && m_tvalid;
wire [15:0] stored_now;
wire [15:0] inside = stored_now + latched + in_register;
wire [15:0] following = r_addr + stored_now;  // the cell behind the last one stored
wire [15:0] before = \RAM.watched >= r_addr ? \RAM.watched - r_addr
                   : \RAM.watched + DEPTH - r_addr;  // cells stored before its own

localparam [2:0] UNSEEN = 0, STORED = 1, LATCHED = 2, REGISTERED = 3, GONE = 4;
reg [2:0]       state;
reg [15:0]      ahead;  // beats that leave before it
reg [WIDTH-1:0] its_value;
// Where it leaves from, and when its last but one stage gives it away.
wire at_end = state == REGISTERED || (OUTREG == 0 && state == LATCHED);
wire onward = OUTREG != 0 && latched && (!m_tvalid || m_tready);

reg [31:0] went_in;
reg [31:0] went_out;
always @(posedge clk) begin
    went_in <= rst ? 0 : went_in + push;
    went_out <= rst ? 0 : went_out + goes_out;
end
// A run has no more beats than it is made for.
always @* assume (BEATS == 0 || went_in < BEATS || !s_tvalid);

always @(posedge clk) begin
    if (rst) state <= UNSEEN;
    else if (state == UNSEEN) begin
        if (push && chosen && w_addr == \RAM.watched ) begin
            state <= STORED;
            ahead <= inside - goes_out;
            its_value <= s_tdata;
        end
    end else if (state != GONE) begin
        if (goes_out) ahead <= ahead - 1;
        if (state == STORED && pop && before == 0) state <= LATCHED;
        if (state == LATCHED && onward) state <= REGISTERED;
        if (goes_out && ahead == 0) state <= GONE;
    end
end

always @* if (proof_seen) begin
    balance: assert (went_in == went_out + inside);
    counts_beats: assert (sent == ((EVEN || BEATS > 1) ? went_in[SENT-1:0] : {SENT{1'b0}}));
    knows_the_last: assert (BEATS == 0 ? !s_last : went_in == BEATS || s_last == (went_in == BEATS - 1));
    within_the_run: assert (BEATS == 0 || went_in <= BEATS);
    nothing_behind: assert (m_only == (stored_now == 0 && (OUTREG == 0 || !latched)));
    known: assert (state <= GONE);
    in_range: assert (r_addr < DEPTH && w_addr < DEPTH && stored_now <= DEPTH);
    as_many: assert (w_addr == (following >= DEPTH ? following - DEPTH : following));
    never_both: assert (!(push && pop && w_addr == r_addr));
    ready_unless_full: assert (s_tready == (stored_now != DEPTH));
    if (state == STORED) begin
        its_cell: assert (\RAM.watched < DEPTH && \RAM.content == its_value && before < stored_now);
        its_turn: assert (ahead == before + latched + in_register);
    end
    if (state == LATCHED) begin
        its_latch: assert (latched && \RAM.latch == its_value && ahead == in_register);
    end
    if (state == REGISTERED) its_register: assert (OUTREG != 0 && m_tvalid && ahead == 0);
    if (at_end && ahead == 0) unchanged: assert (m_tvalid && m_tdata == its_value);
    if (m_tvalid && ahead == 0 && state != UNSEEN && state != GONE) no_other: assert (at_end);
end
