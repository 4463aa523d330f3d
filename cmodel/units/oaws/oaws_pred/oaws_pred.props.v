// oaws_pred.props.v - every start is answered once, in the next cycle or after PRED_STEP cycles,
// unless another one comes before; no prediction is greater than the MSHRs, a coherent load's
// is 1, a locality warp's at least its age.
localparam CAP = MSHRS - CLAIM5;
wire [15:0] product = {10'b0, div} * {6'b0, num};
wire        fits    = product[15:6] < den;  // a quotient of six bits
reg       waits = 1'b0, divides = 1'b0, coherent = 1'b0, ages = 1'b0;
reg [2:0] waited = 3'd0;  // cycles since the start
reg [5:0] its_age = 6'd0;
always @(posedge clk) begin
    waits  <= !rst && (start || (waits && !done));
    waited <= rst || start ? 3'd0 : waited + {2'd0, waits};
    if (start) begin
        divides  <= is_div && (ONE_CYCLE == 0 && !dyn
                || (dyn && gprio < fcw && (ONE_CYCLE != 0 ? fits : den != 10'd0)));
        coherent <= !is_div;
        ages     <= is_div && dyn && gprio < fcw;
        its_age  <= gprio;
    end
end
always @* if (started) begin
    assert (done == (waits && waited == (divides ? PRED_STEP - 1 : 0)));
    assert (!done || pred <= CAP);
    assert (!(done && coherent) || pred == 1);
    assert (!(done && ages) || pred >= its_age || pred == CAP);
end
