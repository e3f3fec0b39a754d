// A branch FIFO: as many beats as another way to the same consumer takes longer.
// DEPTH beats of WIDTH bits in distributed RAM; one goes in where there is room, or where one goes
// out in the same cycle. A beat is shown a cycle after it came. Of tlast one bit is kept: behind the
// last beat of a run none comes until it has left.
module hlsmem_branch #(
    parameter WIDTH = 8,
    parameter DEPTH = 2,
    parameter ADDRESS = 1  // bits of DEPTH - 1, at least 1
) (
    input  wire clk,
    input  wire rst,
    input  wire [WIDTH-1:0] s_tdata,
    input  wire s_tlast,
    input  wire s_tvalid,
    output wire s_tready,
    output wire [WIDTH-1:0] m_tdata,
    output wire m_tlast,
    output reg  m_tvalid,
    input  wire m_tready
);
    localparam LAST = DEPTH - 1;
    localparam [ADDRESS-1:0] END = LAST[ADDRESS-1:0];

    reg [WIDTH-1:0] beats [0:DEPTH-1];
    reg [ADDRESS-1:0] first, next;
    reg full, ends;
    wire push = s_tvalid & s_tready;
    wire pop = m_tvalid & m_tready;
    wire [ADDRESS-1:0] after_first = first == END ? {ADDRESS{1'b0}} : first + 1'b1;
    wire [ADDRESS-1:0] after_next = next == END ? {ADDRESS{1'b0}} : next + 1'b1;

    wire alone = after_first == next;  // nothing waits behind the beat that is shown

    assign s_tready = ~full | m_tready;
    assign m_tdata = beats[first];
    assign m_tlast = ends & alone;

    always @(posedge clk) begin
        if (push) beats[next] <= s_tdata;
        if (rst) begin
            first <= {ADDRESS{1'b0}};
            next <= {ADDRESS{1'b0}};
            m_tvalid <= 1'b0;
            full <= 1'b0;
            ends <= 1'b0;
        end else begin
            ends <= (push & s_tlast) | (ends & ~(pop & m_tlast));
            if (push) next <= after_next;
            if (pop) first <= after_first;
            if (push & ~pop) begin
                m_tvalid <= 1'b1;
                full <= after_next == first;
            end
            if (pop & ~push) begin
                m_tvalid <= ~alone;
                full <= 1'b0;
            end
        end
    end
endmodule
