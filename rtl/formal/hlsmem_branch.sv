// Added to hlsmem_branch for its proof. One beat, anyone, is followed: it leaves when all before it
// have left, unchanged. A beat is taken in whenever there is room, or one leaves; one is shown
// whenever one is inside: so nothing waits for anything but its consumer, whatever the depth.
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
reg [15:0]        inside;  // what went in and did not leave
wire [15:0] following = first + inside;  // the cell behind the last one stored
wire [15:0] before = its_cell >= first ? its_cell - first : its_cell + DEPTH - first;

always @(posedge clk) begin
    inside <= rst ? 0 : inside + comes - leaves;
    if (rst) state <= UNSEEN;
    else if (state == UNSEEN) begin
        if (comes && chosen) begin
            state <= WAITS;
            ahead <= inside - leaves;
            its_cell <= next;
            its_value <= s_tdata;
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
    takes_what_has_room: assert (s_tready == (inside != DEPTH || m_tready));
    if (state == WAITS) begin
        its_place: assert (its_cell < DEPTH && before < inside && ahead == before);
        kept: assert (beats[its_cell] == its_value);
        if (ahead == 0) unchanged: assert (m_tvalid && m_tdata == its_value);
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
