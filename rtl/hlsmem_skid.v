// The slots in which read beats wait for their consumer.
//
// A read may be issued while `room` is high and thereby reserves a slot, so whatever the consumer
// does, the RAM behind it never stalls and no beat is lost. Data comes LATENCY cycles after its
// issue and is there for one cycle only; `issue_side` travels along (tlast, tuser).
//
// `room` comes from a register: LATENCY beats can be under way while one waits to be seen
// leaving, hence LATENCY + 1 slots give one beat a cycle.
module hlsmem_skid #(
    parameter WIDTH = 32,
    parameter SIDE = 1,
    parameter LATENCY = 1  // 1 or 2
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             issue,
    input  wire [SIDE-1:0]  issue_side,
    output wire             room,
    input  wire [WIDTH-1:0] data,
    output wire [WIDTH-1:0] tdata,
    output wire [SIDE-1:0]  tside,
    output wire             tvalid,
    input  wire             tready
);
    localparam SLOTS = LATENCY + 1;
    localparam BEAT = SIDE + WIDTH;

    // Beats under way in the RAM: the oldest in the highest bit.
    reg [LATENCY-1:0]      under_way;
    reg [LATENCY*SIDE-1:0] sides;

    generate
        if (LATENCY == 1) begin : one_cycle
            always @(posedge clk) begin
                under_way <= issue & ~rst;
                sides <= issue_side;
            end
        end else begin : more_cycles
            always @(posedge clk) begin
                under_way <= {under_way[LATENCY-2:0], issue} & {LATENCY{~rst}};
                sides <= {sides[(LATENCY-1)*SIDE-1:0], issue_side};
            end
        end
    endgenerate

    wire            arrives = under_way[LATENCY-1];
    wire [BEAT-1:0] arriving = {sides[LATENCY*SIDE-1 -: SIDE], data};

    // Beats that wait, the oldest in slot 0. Bit i of `waiting` says that slot i is taken.
    reg  [SLOTS-1:0]      waiting;
    reg  [SLOTS*BEAT-1:0] slots;

    assign tvalid = waiting[0] | arrives;
    assign {tside, tdata} = waiting[0] ? slots[BEAT-1:0] : arriving;

    wire             take = tvalid & tready;
    wire             store = arrives & (waiting[0] | ~tready);
    wire [SLOTS-1:0] kept = take ? waiting >> 1 : waiting;

    always @(posedge clk) begin
        if (rst) waiting <= {SLOTS{1'b0}};
        else waiting <= store ? {kept[SLOTS-2:0], 1'b1} : kept;
    end

    genvar i;
    generate
        for (i = 0; i < SLOTS; i = i + 1) begin : slot
            if (i < SLOTS - 1) begin : moves
                always @(posedge clk) begin
                    if (~kept[i]) slots[i*BEAT +: BEAT] <= arriving;
                    else if (take) slots[i*BEAT +: BEAT] <= slots[(i+1)*BEAT +: BEAT];
                end
            end else begin : last
                always @(posedge clk) if (~kept[i]) slots[i*BEAT +: BEAT] <= arriving;
            end
        end
    endgenerate

    // Slots reserved: issued and not taken yet, counted in the same code.
    reg [SLOTS-1:0] reserved;

    assign room = ~reserved[SLOTS-1];

    always @(posedge clk) begin
        if (rst) reserved <= {SLOTS{1'b0}};
        else if (issue & ~take) reserved <= {reserved[SLOTS-2:0], 1'b1};
        else if (~issue & take) reserved <= reserved >> 1;
    end
endmodule
