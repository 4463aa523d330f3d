// from_reset.v - the first lines of every unit's properties: a run begins with a reset, and
// assertions hold once one has been.
reg started = 1'b0;
always @(posedge clk) started <= 1'b1;
always @* if (!started) assume (rst);
