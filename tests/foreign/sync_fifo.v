/*
 *  Simple synchronous FIFO, one clock.
 *  Write when wr_en && !full, read when rd_en && !empty; dout is valid in the
 *  cycle after the read.
 */
`timescale 1ns/1ps

module sync_fifo #(
    parameter DATA_WIDTH = 8,
    parameter ADDR_WIDTH = 3
) (
    input                       clk_in,
    input                       rst_n,      // async, active low
    input                       wr_en,
    input      [DATA_WIDTH-1:0] din,
    input                       rd_en,
    output reg [DATA_WIDTH-1:0] dout,
    output                      full,
    output                      empty,
    output     [ADDR_WIDTH:0]   level
);

localparam DEPTH = (1 << ADDR_WIDTH);

reg [DATA_WIDTH-1:0] mem [0:DEPTH-1];
reg [ADDR_WIDTH-1:0] wptr, rptr;
reg [ADDR_WIDTH:0]   cnt;

wire do_wr = wr_en & ~full;
wire do_rd = rd_en & ~empty;

assign full  = (cnt == DEPTH);
assign empty = (cnt == 0);
assign level = cnt;

always @(posedge clk_in or negedge rst_n)
    if (!rst_n) begin
        wptr <= 0;
        rptr <= 0;
        cnt  <= 0;
    end else begin
        if (do_wr) wptr <= wptr + 1;
        if (do_rd) rptr <= rptr + 1;
        case ({do_wr, do_rd})
            2'b10:   cnt <= cnt + 1;
            2'b01:   cnt <= cnt - 1;
            default: cnt <= cnt;
        endcase
    end

always @(posedge clk_in)
    if (do_wr) mem[wptr] <= din;

always @(posedge clk_in or negedge rst_n)
    if (!rst_n)     dout <= 0;
    else if (do_rd) dout <= mem[rptr];

endmodule
