// Added to hlsmem_branch for its proof. One beat, anyone, is followed: it leaves when all before it
// have left, unchanged. A beat is taken in whenever there is room, or one leaves; one is shown
// whenever one is inside: so nothing waits for anything but its consumer, whatever the depth. Behind
// the last beat of a run none comes until it has left.
reg proof_seen = 1'b0;
always @(posedge clk) proof_seen <= 1'b1;
always @* assume (proof_seen || rst);

(* anyseq *) reg chosen;
wire comes = s_tvalid & s_tready;
wire leaves = m_tvalid & m_tready;
localparam [1:0] UNSEEN = 0, WAITS = 1, GONE = 2;
reg [1:0]         state;
reg [15:0]        ahead;   // beats that leave before it
reg [ADDRESS-1:0] its_cell;
reg [WIDTH-1:0]   its_value;
reg               its_last;
reg               ended;   // the last beat of a run is inside
reg [15:0]        inside;  // what went in and did not leave
wire [15:0] following = first + inside;  // the cell behind the last one stored
wire [15:0] before = its_cell >= first ? its_cell - first : its_cell + DEPTH - first;

always @* assume (!ended || !s_tvalid || (leaves && m_tlast));

always @(posedge clk) begin
    ended <= !rst && ((comes && s_tlast) || (ended && !(leaves && m_tlast)));
    inside <= rst ? 0 : inside + comes - leaves;
    if (rst) state <= UNSEEN;
    else if (state == UNSEEN) begin
        if (comes && chosen) begin
            state <= WAITS;
            ahead <= inside - leaves;
            its_cell <= next;
            its_value <= s_tdata;
            its_last <= s_tlast;
        end
    end else if (state == WAITS && leaves) begin
        ahead <= ahead - 1;
        if (ahead == 0) state <= GONE;
    end
end

always @* if (proof_seen) begin
    known: assert (state <= GONE);
    in_range: assert (first < DEPTH && next < DEPTH && inside <= DEPTH);
    as_many: assert (next == (following >= DEPTH ? following - DEPTH : following));
    shows_what_is_inside: assert (m_tvalid == (inside != 0));
    knows_when_full: assert (full == (inside == DEPTH));
    knows_the_end: assert (ends == ended && (!ended || inside != 0));
    shows_the_end: assert (!m_tvalid || m_tlast == (ended && inside == 1));
    takes_what_has_room: assert (s_tready == (inside != DEPTH || m_tready));
    if (state == WAITS) begin
        its_place: assert (its_cell < DEPTH && before < inside && ahead == before);
        last_comes_last: assert (!its_last || (ended && before == inside - 1));
        not_last: assert (its_last || !ended || before != inside - 1);
        kept: assert (beats[its_cell] == its_value);
        if (ahead == 0) unchanged: assert (m_tvalid && m_tdata == its_value && m_tlast == its_last);
    end
end

// A beat that waits stays as it is.
reg               held = 1'b0;
reg [WIDTH-1:0]   held_beat;
reg [ADDRESS-1:0] held_cell;
always @(posedge clk) begin
    held <= m_tvalid && !m_tready && !rst;
    held_beat <= m_tdata;
    held_cell <= first;
end
always @* if (proof_seen && held) begin
    stable: assert (m_tvalid && m_tdata == held_beat && first == held_cell);
end
