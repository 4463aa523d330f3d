// Round-robin arbiter with a lock: the winner keeps the grant while it asks and lock_i is set.

module rr_arbiter #(
  parameter int unsigned NumReq = 4
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [NumReq-1:0] req_i,
  input  logic              lock_i,
  output logic [NumReq-1:0] gnt_o,
  output logic              busy_o
);

  typedef enum logic [1:0] {Idle, Granted, Locked} state_e;
  state_e state_q, state_d;

  logic [NumReq-1:0] mask_q, mask_d;
  logic [NumReq-1:0] last_q, last_d;
  logic [NumReq-1:0] masked, pick_masked, pick_any, winner;
  logic              keep;

  rr_first #(.Width(NumReq)) i_first_masked (.in_i(masked), .out_o(pick_masked));
  rr_first #(.Width(NumReq)) i_first_any (.in_i(req_i), .out_o(pick_any));

  assign masked = req_i & mask_q;
  assign winner = (|masked) ? pick_masked : pick_any;
  assign keep   = (state_q != Idle) && lock_i && |(last_q & req_i);

  always_comb begin
    state_d = state_q;
    mask_d  = mask_q;
    last_d  = last_q;
    gnt_o   = '0;
    if (keep) begin
      gnt_o   = last_q;
      state_d = Locked;
    end else if (|req_i) begin
      gnt_o   = winner;
      last_d  = winner;
      mask_d  = ~(winner | (winner - 1'b1));
      state_d = Granted;
    end else begin
      state_d = Idle;
    end
  end

  assign busy_o = state_q != Idle;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      mask_q  <= '1;
      last_q  <= '0;
    end else begin
      state_q <= state_d;
      mask_q  <= mask_d;
      last_q  <= last_d;
    end
  end

endmodule

// The lowest bit that is set.
module rr_first #(
  parameter int unsigned Width = 4
) (
  input  logic [Width-1:0] in_i,
  output logic [Width-1:0] out_o
);
  assign out_o = in_i & (~in_i + 1'b1);
endmodule
