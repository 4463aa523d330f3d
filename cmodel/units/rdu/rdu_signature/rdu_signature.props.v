// rdu_signature.props.v - a key that was put in is found until the filter is emptied, whatever
// else is put in; a bit is set only if a key put in since then has a hash there, so that an
// empty filter finds nothing.  Keys with the same six hashes are one here, which is stronger,
// and spares the proof the hash network.
localparam IDX_W = $clog2(M);
(* anyconst *) reg [6*IDX_W-1:0] its_idx;
wire inserts;
reg  inserted = 1'b0;
always @(posedge clk)
    inserted <= !rst && !clear && (inserted || (found_valid && inserts && idx == its_idx));
always @* if (started) assert (!inserted || !found_valid || idx != its_idx || found);
integer f;
generate
    if (ONE_CYCLE != 0) begin : g_bits
        (* anyconst *) reg [IDX_W-1:0] any_bit;
        reg bit_due = 1'b0, sets_bit;
        assign inserts = insert;
        always @* begin
            sets_bit = 1'b0;
            for (f = 0; f < 6; f = f + 1)
                if (idx[f*IDX_W +: IDX_W] == any_bit) sets_bit = key_valid && insert;
        end
        always @(posedge clk) bit_due <= !rst && !clear && (bit_due || sets_bit);
        always @* if (started) begin
            assert (g_one_cycle.sig_q[any_bit] == bit_due);
            for (f = 0; f < 6; f = f + 1)
                assert (!inserted || g_one_cycle.sig_q[its_idx[f*IDX_W +: IDX_W]]);
        end
    end else begin : g_insert
        assign inserts = g_words.insert_q;
    end
endgenerate
