// Words of a beat out of banks, turned to their operands, with registers in front and within.
//
// `data` holds LANES words out of RAMs that nobody else reads, lane 0 in the lowest bits; lane i of
// `tdata` is lane (i + turn) mod LANES of them, for the `issue_turn` below LANES that came with the
// beat. Four moves after its issue a beat is at `tdata`; all beats move at once, whenever there is
// none at `tdata` or that one is taken. `room` says so, in the same cycle as `tready`, and is the
// enable of a register in front of the RAM's read port, which stands elsewhere, and of the RAM's
// output register (LATENCY 2; with 1 that register stands here).
//
// A turn is made in two steps of two-way multiplexers, with a register between them. That register
// stands there once for every four turns, all but one of them kept zero by their reset, and what they
// give is joined by OR: five lanes take two LUTs a bit that way, and three as one multiplexer.
module hlsmem_rotator #(
    parameter WIDTH = 32,
    parameter LANES = 5,
    parameter TURN = 3,    // bits of a turn
    parameter SIDE = 1,
    parameter LATENCY = 1  // 1 or 2
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   issue,
    input  wire [SIDE-1:0]        issue_side,
    input  wire [TURN-1:0]        issue_turn,
    output wire                   room,
    input  wire [LANES*WIDTH-1:0] data,
    output wire [LANES*WIDTH-1:0] tdata,
    output wire [SIDE-1:0]        tside,
    output wire                   tvalid,
    input  wire                   tready
);
    localparam ALL = LANES * WIDTH;
    localparam FOURS = (LANES + 3) / 4;

    // A beat at the RAM's address, in its latch, in front of the turn, within it.
    reg [3:0]      there;
    reg [SIDE-1:0] side_1, side_2, side_3, side_4;
    reg [TURN-1:0] turn_1, turn_2, turn_3;

    assign room = ~there[3] | tready;
    assign tvalid = there[3];
    assign tside = side_4;

    always @(posedge clk) begin
        if (rst) there <= 4'b0000;
        else if (room) there <= {there[2:0], issue};
        if (room) begin
            side_1 <= issue_side;
            side_2 <= side_1;
            side_3 <= side_2;
            side_4 <= side_3;
            turn_1 <= issue_turn;
            turn_2 <= turn_1;
            turn_3 <= turn_2;
        end
    end

    wire [ALL-1:0] words;
    generate
        if (LATENCY == 1) begin : latched
            reg [ALL-1:0] front;
            always @(posedge clk) if (room) front <= data;
            assign words = front;
        end else begin : registered
            assign words = data;
        end
    endgenerate

    wire [ALL-1:0] by_one;  // the first step: by none or one
    wire           by_two;  // the second one: by none or two
    wire [ALL*(FOURS+1)-1:0] joined;
    assign joined[ALL-1:0] = {ALL{1'b0}};
    assign tdata = joined[ALL*FOURS +: ALL];

    genvar lane;
    genvar four;
    generate
        if (TURN > 1) begin : second_step
            reg second;
            always @(posedge clk) if (room) second <= turn_3[1];
            assign by_two = second;
        end else begin : one_step
            assign by_two = 1'b0;
        end
        for (lane = 0; lane < LANES; lane = lane + 1) begin : each_lane
            localparam NEXT = (lane + 1) % LANES;
            assign by_one[lane*WIDTH +: WIDTH] =
                turn_3[0] ? words[NEXT*WIDTH +: WIDTH] : words[lane*WIDTH +: WIDTH];
        end
        for (four = 0; four < FOURS; four = four + 1) begin : each_four
            reg [ALL-1:0] kept;
            if (FOURS == 1) begin : only
                always @(posedge clk) if (room) kept <= by_one;
            end else begin : some
                localparam [TURN-1:0] HIGH = four;
                always @(posedge clk)
                    if (room) begin
                        if (turn_3 >> 2 == HIGH) kept <= by_one;
                        else kept <= {ALL{1'b0}};
                    end
            end
            for (lane = 0; lane < LANES; lane = lane + 1) begin : each_lane
                localparam NONE = (lane + 4 * four) % LANES;
                // No turn is by as much as LANES.
                localparam TWO = 4 * four + 2 < LANES ? (lane + 4 * four + 2) % LANES : NONE;
                assign joined[ALL*(four+1) + lane*WIDTH +: WIDTH] =
                    joined[ALL*four + lane*WIDTH +: WIDTH]
                    | (by_two ? kept[TWO*WIDTH +: WIDTH] : kept[NONE*WIDTH +: WIDTH]);
            end
        end
    endgenerate
endmodule
