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
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (BANKS < 1 || BANKS > 32) begin : g_bad_BANKS
            BANKS_must_be_from_1_to_32 u_stop ();
        end
        if (SMS < 1 || SMS > 64) begin : g_bad_SMS
            SMS_must_be_from_1_to_64 u_stop ();
        end
        if (EPOCH_BITS < 2 || EPOCH_BITS > 8) begin : g_bad_EPOCH_BITS
            EPOCH_BITS_must_be_from_2_to_8 u_stop ();
        end
        if (RESET_MODE < 0 || RESET_MODE > 1) begin : g_bad_RESET_MODE
            RESET_MODE_must_be_0_or_1 u_stop ();
        end
    endgenerate

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
endmodule
`default_nettype wire
