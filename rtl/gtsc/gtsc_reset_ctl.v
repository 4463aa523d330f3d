// gtsc_reset_ctl - machine-wide reset of G-TSC timestamps (tabbakh2018 3.6.8).
//
// While a bank raises overflow in phase RUN and every SM has adopted the last reset, the
// next cycle is DRAIN (stop); with all banks drained the one after is FLASH (stop, flash:
// one cycle, the epoch counts on at its end), then RUN again.  A bank lowers overflow after
// flash.  RESET_MODE 0: as long as an SM has not adopted the last reset, probe asks it, and
// the reset waits.  adopted of the FLASH cycle is of the epoch that ends and has no effect.
// RESET_MODE 1: no SM lags behind, all are reset by probe in the FLASH cycle.
`default_nettype none
module gtsc_reset_ctl #(
    parameter BANKS      = 4,  // L2 banks, 1..32
    parameter SMS        = 4,  // SMs, 1..64
    parameter EPOCH_BITS = 4,  // reset epoch, 2..8 bits
    parameter RESET_MODE = 0   // 0: lazy, by epochs, 1: everything drained and reset together
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [BANKS-1:0]      overflow,
    input  wire [BANKS-1:0]      drained,
    input  wire [SMS-1:0]        adopted,
    output wire                  stop,
    output wire                  flash,
    output reg  [SMS-1:0]        probe,
    output wire [EPOCH_BITS-1:0] epoch,
    output wire                  held_up
);
    localparam [1:0] RUN = 2'd0, DRAIN = 2'd1, FLASH = 2'd2;

    reg [1:0]            phase_q, phase_d;
    reg [SMS-1:0]        seen_q, seen_d;
    reg [EPOCH_BITS-1:0] epoch_q;

    wire wanted    = phase_q == RUN && |overflow;
    wire all_seen  = &seen_q;
    assign held_up = wanted && !all_seen;
    assign stop    = phase_q != RUN;
    assign flash   = phase_q == FLASH;
    assign epoch   = epoch_q;

    always @* begin
        probe = {SMS{1'b0}};
        if (RESET_MODE != 0)
            probe = {SMS{flash}};
        else if (held_up)
            probe = ~seen_q;
    end

    always @* begin
        phase_d = RUN;
        if (wanted && all_seen)
            phase_d = DRAIN;
        else if (phase_q == DRAIN)
            phase_d = &drained ? FLASH : DRAIN;
        seen_d = seen_q | adopted;
        if (flash)
            seen_d = RESET_MODE != 0 ? {SMS{1'b1}} : {SMS{1'b0}};
    end

    always @(posedge clk) begin
        if (rst) begin
            phase_q <= RUN;
            seen_q  <= {SMS{1'b1}};
            epoch_q <= {EPOCH_BITS{1'b0}};
        end else begin
            phase_q <= phase_d;
            seen_q  <= seen_d;
            if (flash)
                epoch_q <= epoch_q + 1'b1;
        end
    end

`ifdef FORMAL
    reg started = 1'b0;  // a reset has been
    always @(posedge clk) started <= 1'b1;
    always @* if (!started) assume (rst);
    // One flash per reset, after a stop with all banks drained; none before every SM has
    // adopted the last; with all banks drained a stop lasts two cycles.
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
`endif
endmodule
`default_nettype wire
