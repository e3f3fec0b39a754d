// Added to hlsmem_delay for its proof. One beat, anyone, is followed: DEPTH - 1 beats later it is
// the output, unchanged. No cell is read and written on one edge.
reg proof_seen = 1'b0;
always @(posedge clk) proof_seen <= 1'b1;
always @* assume (proof_seen || rst);

(* anyseq *) reg chosen;
(* hierconn *) wire [ADDRESS-1:0] \RAM.watched ;
(* hierconn *) wire [WIDTH-1:0]   \RAM.content ;
(* hierconn *) wire [WIDTH-1:0]   \RAM.latch ;
reg              follows;
reg [ADDRESS:0]  age;  // beats since
reg [WIDTH-1:0]  its_value;
wire [ADDRESS+1:0] onward = \RAM.watched + AHEAD + 1 + age;
wire [ADDRESS+1:0] r_expected = onward >= 2 * DEPTH ? onward - 2 * DEPTH
                              : onward >= DEPTH ? onward - DEPTH : onward;
wire [ADDRESS+1:0] w_expected = r_addr >= AHEAD ? r_addr - AHEAD : r_addr + DEPTH - AHEAD;
wire [ADDRESS+1:0] b_expected = r_addr >= 1 ? r_addr - 1 : r_addr + DEPTH - 1;
wire [ADDRESS-1:0] before = behind[AHEAD*ADDRESS-1 -: ADDRESS];

always @(posedge clk) begin
    if (rst) follows <= 1'b0;
    else if (en) begin
        if (chosen && w_addr == \RAM.watched ) begin
            follows <= 1'b1;
            age <= 0;
            its_value <= d;
        end else if (age == LAST) follows <= 1'b0;
        else age <= age + 1;
    end
end

always @* if (proof_seen) begin
    in_range: assert (r_addr < DEPTH && r_last == (r_addr == LAST));
    behind_it: assert (w_addr == w_expected && before == b_expected);
    never_both: assert (w_addr != r_addr);
    if (follows) begin
        its_age: assert (age <= LAST && \RAM.watched < DEPTH && r_addr == r_expected);
        if (age <= LAST - AHEAD) its_cell: assert (\RAM.content == its_value);
        if (OUTREG != 0 && age == LAST - 1) its_latch: assert (\RAM.latch == its_value);
        if (age == LAST) comes_out: assert (q == its_value);
    end
end
