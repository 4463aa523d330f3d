/* gtsc_message.h - what a message carries for G-TSC (tabbakh2018-coherence 3.6.3).
 *
 * proto[] of a request: [0] wts of the copy, warp_ts << 32; [1] the SM's epoch; [2] its
 * record.  Of a reply: [0] wts, rts << 32; [1] the bank's epoch, merge_ok << 8; [2] as sent. */
#ifndef WARPLOCK_MECHANISMS_GTSC_MESSAGE_H
#define WARPLOCK_MECHANISMS_GTSC_MESSAGE_H

enum {
    GTSC_EPOCH_MASK = 0xff,
    GTSC_OK_SHIFT = 8,
    GTSC_STAMP_BYTES = 2 /* [D-G4] */
};

#endif
