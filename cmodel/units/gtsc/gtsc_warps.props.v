// gtsc_warps.props.v - a warp's timestamp is 1 at least and falls only by flush.
(* anyconst *) reg [WARP_W-1:0] any_warp;
always @* assume ({1'b0, any_warp} < WARPS[WARP_W:0]);
wire [TS_BITS-1:0] its_ts = warp_ts_q[any_warp*TS_BITS +: TS_BITS];
reg  [TS_BITS-1:0] ts_before = {TS_BITS{1'b0}};
always @(posedge clk) ts_before <= rst || (op_valid && flush) ? {TS_BITS{1'b0}} : its_ts;
always @* if (started) assert (its_ts >= ts_before && its_ts != {TS_BITS{1'b0}});
