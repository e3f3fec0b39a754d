// Added to hlsmem_fifo for its proof. One beat, anyone, is followed: it leaves when all before it
// have left, unchanged. No cell is read and written on one edge.
reg proof_seen = 1'b0;
always @(posedge clk) proof_seen <= 1'b1;
always @* assume (proof_seen || rst);

(* anyseq *) reg chosen;
wire goes_in = s_tvalid && s_tready;
wire goes_out = m_tvalid && m_tready;
localparam [2:0] UNSEEN = 0, STORED = 1, LATCHED = 2, REGISTERED = 3, GONE = 4;
reg [2:0]       state;
reg [15:0]      ahead;   // beats that leave before it
reg [15:0]      inside;  // beats that went in and not out
reg [WIDTH-1:0] its_value;
