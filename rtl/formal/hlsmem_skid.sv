// Added to hlsmem_skid for its proof. One beat, anyone, is followed from its issue: it leaves when
// all before it have left, unchanged. Who issues looks at `room`.
reg proof_seen = 1'b0;
always @(posedge clk) proof_seen <= 1'b1;
always @* assume (proof_seen || rst);
always @* assume (!issue || room);

(* anyseq *) reg chosen;
localparam [1:0] UNSEEN = 0, UNDER_WAY = 1, WAITS = 2, GONE = 3;
reg [1:0]      state;
reg [1:0]      age;    // cycles since its issue
reg [3:0]      ahead;  // beats that leave before it
reg [SIDE-1:0] its_side;
reg [BEAT-1:0] its_beat;

wire [3:0] waiting_count = waiting[0] + waiting[1] + (SLOTS > 2 ? waiting[SLOTS-1] : 1'b0);
wire [3:0] reserved_count = reserved[0] + reserved[1] + (SLOTS > 2 ? reserved[SLOTS-1] : 1'b0);
wire [3:0] under_way_count = under_way[0] + (LATENCY > 1 ? under_way[LATENCY-1] : 1'b0);
wire       comes = state == UNDER_WAY && age == LATENCY - 1;
wire [BEAT-1:0] coming = {its_side, data};

always @(posedge clk) begin
    if (rst) state <= UNSEEN;
    else if (state == UNSEEN && issue && chosen) begin
        state <= UNDER_WAY;
        age <= 0;
        ahead <= reserved_count - take;
        its_side <= issue_side;
    end else if (state == UNDER_WAY || state == WAITS) begin
        if (take) ahead <= ahead - 1;
        age <= age + 1;
        if (comes) its_beat <= coming;
        if (take && ahead == 0) state <= GONE;
        else if (comes) state <= WAITS;
    end
end

always @* if (proof_seen) begin
    unary_waiting: assert (waiting == (1 << waiting_count) - 1);
    unary_reserved: assert (reserved == (1 << reserved_count) - 1);
    reserved_for_all: assert (reserved_count == waiting_count + under_way_count);
    if (state == UNDER_WAY) begin
        its_way: assert (age < LATENCY && under_way[age] && sides[age*SIDE +: SIDE] == its_side);
        its_turn: assert (ahead == waiting_count + (LATENCY > 1 && age == 0 && under_way[LATENCY-1]));
    end
    if (state == WAITS) begin
        its_slot: assert (ahead < waiting_count && slots[ahead*BEAT +: BEAT] == its_beat);
    end
    if (comes && ahead == 0) seen_at_once: assert (tvalid && {tside, tdata} == coming);
    if (state == WAITS && ahead == 0) unchanged: assert (tvalid && {tside, tdata} == its_beat);
end

// A beat that waits stays as it is.
reg            held = 1'b0;
reg [BEAT-1:0] held_beat;
always @(posedge clk) begin
    held <= tvalid && !tready && !rst;
    held_beat <= {tside, tdata};
end
always @* if (proof_seen && held) begin
    stable: assert (tvalid && {tside, tdata} == held_beat && waiting[0]);
end

// What buffers count on: so many beats are owed as were issued and not taken, a beat is shown only
// where one is, and there is room for few.
reg [3:0] owed;
always @(posedge clk) owed <= rst ? 4'd0 : owed + issue - take;
always @* if (proof_seen) begin
    owed_are_reserved: assert (reserved_count == owed);
    shown_is_owed: assert (!tvalid || reserved_count != 0);
    room_for_few: assert (!room || reserved_count < 8);
end
