// A FIFO of any depth: DEPTH - 1 words of RAM, whose output latch is the last place.
//
// It holds exactly DEPTH beats. A beat comes out two cycles after it went in (one, if DEPTH is 1).
// One beat a cycle from DEPTH 3 on. s_tready and m_tvalid come from registers.
module hlsmem_fifo #(
    parameter WIDTH = 32,
    parameter DEPTH = 1024,
    // verilator lint_off UNUSEDPARAM
    parameter STYLE = "auto"  // of the RAM, where there is one
    // verilator lint_on UNUSEDPARAM
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] s_tdata,
    input  wire             s_tvalid,
    output wire             s_tready,
    output wire [WIDTH-1:0] m_tdata,
    output wire             m_tvalid,
    input  wire             m_tready
);
    reg out_valid;
    assign m_tvalid = out_valid;

    generate
        if (DEPTH == 1) begin : one
            reg [WIDTH-1:0] beat;
            assign m_tdata = beat;
            assign s_tready = ~out_valid;
            always @(posedge clk) begin
                if (rst) out_valid <= 1'b0;
                else if (out_valid) out_valid <= ~m_tready;
                else out_valid <= s_tvalid;
                if (~out_valid) beat <= s_tdata;
            end
        end else begin : many
            localparam WORDS = DEPTH - 1;
            localparam ADDRESS = WORDS > 1 ? $clog2(WORDS) : 1;
            localparam COUNT = $clog2(WORDS + 1);
            localparam NEARLY = WORDS - 1;
            localparam [COUNT-1:0] ONE = 1;

            reg [COUNT-1:0] stored;  // words in the RAM
            reg             some;    // stored is not 0
            reg             full;    // stored is WORDS
            wire            push = s_tvalid & ~full;
            wire            pop = some & (~out_valid | m_tready);

            assign s_tready = ~full;

            always @(posedge clk) begin
                if (rst) begin
                    stored <= {COUNT{1'b0}};
                    some <= 1'b0;
                    full <= 1'b0;
                end else if (push & ~pop) begin
                    stored <= stored + ONE;
                    some <= 1'b1;
                    full <= stored == NEARLY[COUNT-1:0];
                end else if (pop & ~push) begin
                    stored <= stored - ONE;
                    some <= stored != ONE;
                    full <= 1'b0;
                end
                if (rst) out_valid <= 1'b0;
                else if (pop) out_valid <= 1'b1;
                else if (m_tready) out_valid <= 1'b0;
            end

            wire [ADDRESS-1:0] w_addr;
            wire [ADDRESS-1:0] r_addr;
            wire [ADDRESS-1:0] w_next;
            wire [ADDRESS-1:0] r_next;
            wire               unused_next = &{1'b0, w_next, r_next};

            hlsmem_wrap #(.WIDTH(ADDRESS), .MODULUS(WORDS), .STEP(1), .FLAG(1)) u_write (
                .clk(clk), .load(rst), .load_value({ADDRESS{1'b0}}),
                .step(push), .value(w_addr), .next(w_next)
            );
            hlsmem_wrap #(.WIDTH(ADDRESS), .MODULUS(WORDS), .STEP(1), .FLAG(1)) u_read (
                .clk(clk), .load(rst), .load_value({ADDRESS{1'b0}}),
                .step(pop), .value(r_addr), .next(r_next)
            );
            // A word is read only when stored, and written only where none is.
            hlsmem_ram #(
                .WIDTH(WIDTH), .DEPTH(WORDS), .ADDRESS(ADDRESS), .COLLISION(0), .STYLE(STYLE)
            ) u_ram (
                .clk(clk), .w_en(push), .w_addr(w_addr), .w_data(s_tdata),
                .r_en(pop), .r_addr(r_addr), .o_en(1'b0), .r_data(m_tdata)
            );
        end
    endgenerate
endmodule
