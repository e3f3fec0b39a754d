// Added to a memory for its proof. One cell, anyone, is followed: what was written to it last is
// what a read finds in it, one cycle later, or behind the output register with its enable two; on
// one edge the read sees what the cell held before. CELL is the followed cell, LATCH what was read.
reg proof_seen = 1'b0;
always @(posedge clk) proof_seen <= 1'b1;
always @* assume (watched < DEPTH);

reg             written = 1'b0;
reg             latched = 1'b0;
reg             shown = 1'b0;
reg [WIDTH-1:0] content;
reg [WIDTH-1:0] its_latch;
reg [WIDTH-1:0] its_word;
wire            collides = COLLISION == 0 && w_en && w_addr == r_addr;

always @(posedge clk) begin
    if (w_en && w_addr == watched) begin
        written <= 1'b1;
        content <= w_data;
    end
    if (r_en) begin
        latched <= written && r_addr == watched && !collides;
        its_latch <= content;
    end
    if (o_en) begin
        shown <= latched;
        its_word <= its_latch;
    end
end

always @* if (proof_seen) begin
    a_cell_lost_what_was_written: assert (!written || CELL == content);
    another_word_is_read: assert (!latched || LATCH == its_latch);
    if (OUTREG == 0) another_word_is_shown: assert (!latched || r_data == its_latch);
    else another_word_comes_out: assert (!shown || r_data == its_word);
end
