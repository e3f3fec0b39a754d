// Added to hlsmem_rotator for its proof. One beat, anyone, is followed from its issue: the words that
// are on `data` when it is there come out turned, four moves after the issue. Who issues looks at
// `room`.
reg proof_seen = 1'b0;
always @(posedge clk) proof_seen <= 1'b1;
always @* assume (proof_seen || rst);
always @* assume (!issue || room);
always @* assume (!issue || issue_turn < LANES);

(* anyseq *) reg chosen;
reg [2:0]      stage;  // 0: unseen or gone
reg            seen;
reg [SIDE-1:0] its_side;
reg [TURN-1:0] its_turn;
reg [ALL-1:0]  its_words;

always @(posedge clk) begin
    if (rst) begin
        stage <= 3'd0;
        seen <= 1'b0;
    end else if (!seen && issue && chosen) begin
        seen <= 1'b1;
        stage <= 3'd1;
        its_side <= issue_side;
        its_turn <= issue_turn;
    end else if (stage != 3'd0 && room) begin
        stage <= stage == 3'd4 ? 3'd0 : stage + 3'd1;
        if (stage == 1 + LATENCY) its_words <= data;
    end
end

integer proof_lane;
reg [ALL-1:0] its_turned;
always @* begin
    its_turned = {ALL{1'b0}};
    for (proof_lane = 0; proof_lane < LANES; proof_lane = proof_lane + 1)
        its_turned[proof_lane*WIDTH +: WIDTH] =
            its_words[((proof_lane + its_turn) % LANES)*WIDTH +: WIDTH];
end

always @* if (proof_seen) begin
    unseen: assert (seen || stage == 3'd0);
    at_most_four: assert (stage <= 3'd4);
    if (stage != 3'd0) in_range: assert (its_turn < LANES);
    if (stage == 3'd1) asked_there: assert (there[0] && side_1 == its_side && turn_1 == its_turn);
    if (stage == 3'd2) latched_there: assert (there[1] && side_2 == its_side && turn_2 == its_turn);
    if (stage == 3'd3) front_there: assert (there[2] && side_3 == its_side && turn_3 == its_turn);
    if (stage == 3'd3 && LATENCY == 1) its_front: assert (words == its_words);
    if (stage == 3'd4) comes_out: assert (tvalid && tside == its_side && tdata == its_turned);
    never_stuck: assert (room == (!tvalid || tready));
end

// A beat that waits stays as it is.
reg                held = 1'b0;
reg [SIDE+ALL-1:0] held_beat;
always @(posedge clk) begin
    held <= tvalid && !tready && !rst;
    held_beat <= {tside, tdata};
end
always @* if (proof_seen && held) begin
    stable: assert (tvalid && {tside, tdata} == held_beat);
end

// What buffers count on: so many beats are owed as were issued and not taken, a beat is shown only
// where one is, and there is room for few.
reg [3:0] owed;
always @(posedge clk) owed <= rst ? 4'd0 : owed + issue - (tvalid & tready);
always @* if (proof_seen) begin
    owed_are_there: assert (there[0] + there[1] + there[2] + there[3] == owed);
    shown_is_owed: assert (!tvalid || owed != 0);
    room_for_few: assert (!room || owed < 8);
end
