// Added to hlsmem_output_register for its proof. One beat, anyone, is followed from its issue: it leaves when
// all before it have left, with its word. Who issues looks at `room`. Assumed of the RAM: its latch
// keeps the word of a beat until the next issue, and its output register (LATENCY 2) takes with
// `move`, and then alone, what the latch holds.
reg proof_seen = 1'b0;
always @(posedge clk) proof_seen <= 1'b1;
always @* assume (proof_seen || rst);
always @* assume (!issue || room);

(* anyseq *) reg chosen;
(* anyseq *) reg [WIDTH-1:0] any_word;
localparam [1:0] UNSEEN = 0, THERE = 1, GONE = 2;
reg [1:0]       state;
reg [3:0]       ahead;     // beats that leave before it
reg             in_latch;  // the RAM's latch holds its word
reg             in_out;    // the RAM's output register does
reg [SIDE-1:0]  its_side;
reg [WIDTH-1:0] its_word;

wire            marks = issue && chosen && state == UNSEEN;
wire            at_end = LATENCY == 1 ? in_latch : in_out;
wire [3:0]      reserved_count = reserved[0] + reserved[1] + (LATENCY > 1 ? reserved[LATENCY] : 1'b0);
wire            in_front = LATENCY > 1 && STAGE.latched;

always @* assume (!at_end || data == its_word);

always @(posedge clk) begin
    if (rst) begin
        state <= UNSEEN;
        in_latch <= 1'b0;
        in_out <= 1'b0;
    end else begin
        if (issue) in_latch <= marks;
        if (move) in_out <= in_latch;
        if (marks) begin
            state <= THERE;
            ahead <= reserved_count - take;
            its_side <= issue_side;
            its_word <= any_word;
        end else if (state == THERE && take) begin
            ahead <= ahead - 1;
            if (ahead == 0) state <= GONE;
        end
    end
end

always @* if (proof_seen) begin
    unary_reserved: assert (reserved == (1 << reserved_count) - 1);
    reserved_for_all: assert (reserved_count == held + arrived + in_front);
    marked: assert (state == THERE || state == GONE || (state == UNSEEN && !in_latch && !in_out));
    if (state == THERE) begin
        its_place: assert (
            (held && ahead == 0 && slot == {its_side, its_word})
            || (at_end && arrived && side == its_side && ahead == held)
            || (in_latch && in_front && STAGE.latch_side == its_side && ahead == held + arrived));
        if (ahead == 0 && tvalid) comes_out: assert (tside == its_side && tdata == its_word);
        if (ahead == 0 && !tvalid) never_stuck: assert (move);
    end
end

// A beat that waits stays there.
reg waits = 1'b0;
always @(posedge clk) waits <= tvalid && !tready && !rst;
always @* if (proof_seen && waits) begin
    stays: assert (tvalid);
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
