// 8-entry content addressable memory, no parameters: sizes are localparams.
// Everything happens on the falling edge of CLK; SRST is synchronous.
module cam8 (CLK, SRST, WE, WADDR, WKEY, INV, KEY, HIT, HITADDR, MULTI);
  localparam ENTRIES = 8;
  localparam AW      = 3;
  localparam KW      = 12;

  input           CLK, SRST;
  input           WE;
  input  [AW-1:0] WADDR;
  input  [KW-1:0] WKEY;
  input           INV;
  input  [KW-1:0] KEY;
  output          HIT;
  output [AW-1:0] HITADDR;
  output          MULTI;

  wire [ENTRIES-1:0] match;

  genvar g;
  generate
    for (g = 0; g < ENTRIES; g = g + 1) begin : entry
      reg [KW-1:0] key;
      reg          vld;
      wire         sel = WE && (WADDR == g);
      always @(negedge CLK)
        if (SRST) begin
          vld <= 1'b0;
          key <= {KW{1'b0}};
        end else if (sel) begin
          vld <= ~INV;
          key <= WKEY;
        end
      assign match[g] = vld && (key == KEY);
    end
  endgenerate

  reg [AW-1:0] addr;
  integer i;
  always @(match) begin
    addr = 0;
    for (i = ENTRIES - 1; i >= 0; i = i - 1)
      if (match[i]) addr = i;
  end

  // Registered answer, one cycle late
  reg          hit_r, multi_r;
  reg [AW-1:0] addr_r;
  always @(negedge CLK)
    if (SRST) {hit_r, multi_r, addr_r} <= 0;
    else begin
      hit_r   <= |match;
      multi_r <= |(match & (match - 1'b1));
      addr_r  <= addr;
    end

  assign HIT     = hit_r;
  assign HITADDR = addr_r;
  assign MULTI   = multi_r;
endmodule
