/* Table of gtsc_reset_ctl: one per machine, resets all timestamps when one overflows.
 *
 * A bank whose gtsc_l2 says overflow parks that request and raises its bit of `overflow`
 * until flash.  The controller waits until every SM has adopted the last reset (asking the
 * silent ones by probe), stops all banks, waits until they are drained and flashes them. */
UNIT(gtsc_reset_ctl, SEQUENTIAL, "G-TSC: resets timestamps machine-wide on overflow", "tabbakh2018 3.6.8")
PARAM(BANKS, 4, 1, 32, "L2 banks")
PARAM(SMS, 4, 1, 64, "SMs")
PARAM(EPOCH_BITS, 4, 2, 8, "D-G3 TS_EPW: reset epoch, bits")
PARAM(RESET_MODE, 0, 0, 1, "D-G3: 0 SMs learn of a reset from answers and probes, 1 everything drains and all reset together")
ENUM(phase, RUN, 0)
ENUM(phase, DRAIN, 1)
ENUM(phase, FLASH, 2)
IN(overflow, BANKS, RARE(3), "banks with a parked request")
IN(drained, BANKS, ANY, "banks without a request or answer in their pipeline (RESET_MODE 1: and nothing in flight to or from any SM)")
IN(adopted, SMS, RARE(2), "SMs that adopted the epoch, in this cycle or since")
OUT(stop, 1, REG, ALWAYS, "banks take no new request (RESET_MODE 1: SMs issue none)")
OUT(flash, 1, REG, ALWAYS, "one cycle: gtsc_l2 resets")
OUT(probe, SMS, COMB, ALWAYS, "SMs to be sent a reset message; RESET_MODE 1: with flash, to all, of the epoch that begins")
OUT(epoch, EPOCH_BITS, REG, ALWAYS, "resets so far")
EVENT(held_up, COMB, "a reset waits for an SM to adopt the last one")
STATE(phase, 2, AT(phase_q), EXTRA, "what it is doing")
STATE(seen, SMS, AT(seen_q), EXTRA, "SMs that adopted the epoch")
STATE(own_epoch, EPOCH_BITS, AT(epoch_q), EXTRA, "resets so far")
