// gtsc_reset_ctl.props.v - one flash per reset, after a stop with all banks drained; none
// before every SM has adopted the last; with all banks drained a stop lasts two cycles.
reg       was_drain = 1'b0, was_drained = 1'b0, was_flash = 1'b0;
reg [EPOCH_BITS-1:0] flashes = {EPOCH_BITS{1'b0}};
always @(posedge clk) begin
    was_drain   <= phase_q == DRAIN && !rst;
    was_drained <= &drained;
    was_flash   <= flash && !rst;
    flashes     <= rst ? {EPOCH_BITS{1'b0}} : flashes + {{(EPOCH_BITS-1){1'b0}}, flash};
end
always @* if (started) begin
    assert (phase_q == RUN || phase_q == DRAIN || phase_q == FLASH);
    assert (stop == (phase_q == DRAIN || phase_q == FLASH));
    assert (flash == (was_drain && was_drained));
    assert (!(flash && was_flash));
    assert (!stop || all_seen);
    assert (RESET_MODE == 0 || all_seen);
    assert (epoch_q == flashes);
end
