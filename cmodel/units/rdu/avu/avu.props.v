// avu.props.v - no copy is used that is two or more epochs old, nor one of the previous epoch
// with a granule that was not tested; only the older ones expire; a line gives at most HITMAX
// hits in a row unchecked; a check has one verdict, after as many cycles as it has granules at
// most.  A check that has no verdict yet is held, as the contract asks.
(* anyconst *) reg [$clog2(LINES)-1:0] any_line;
(* anyconst *) reg [POS_W-1:0]         any_granule;
wire forgets = rst || kernel_start;
always @* assume (sig_at <= LAST_WORD[AT_W-1:0]);

// What is held, as far as it matters here.
reg                     waits = 1'b0;
reg [$clog2(LINES)-1:0] line_before     = {$clog2(LINES){1'b0}};
reg [GRANULES-1:0]      granules_before = {GRANULES{1'b0}};
reg [7:0]               cycles = 8'd0;  // of this check, without an answer
always @(posedge clk) begin
    waits           <= !rst && chk_valid && !chk_done;
    line_before     <= chk_line;
    granules_before <= granules;
    cycles          <= rst || !checks || chk_done ? 8'd0 : cycles + 8'd1;
end
always @* assume (!waits || (chk_valid && chk_line == line_before && granules == granules_before));

// The epochs since the fetch, counted by hand: 2 is two and more.
reg [2*MSHRS-1:0] mshr_epochs = {MSHRS{2'd2}};
reg [1:0]         line_epochs = 2'd2;
reg [2*MSHRS-1:0] mshr_epochs_d;
integer f;
always @* begin
    for (f = 0; f < MSHRS; f = f + 1) begin
        mshr_epochs_d[2*f +: 2] = mshr_epochs[2*f +: 2];
        if (begins && mshr_epochs[2*f +: 2] != 2'd2)
            mshr_epochs_d[2*f +: 2] = mshr_epochs[2*f +: 2] + 2'd1;
        if (rsp_valid && rsp_mshr == f) mshr_epochs_d[2*f +: 2] = 2'd0;
    end
end
reg [HIT_W:0] in_a_row = {(HIT_W+1){1'b0}};
wire fills  = fill_valid && fill_line == any_line;
wire its_hit = hit && chk_line == any_line;
always @(posedge clk) begin
    mshr_epochs <= forgets ? {MSHRS{2'd2}} : mshr_epochs_d;
    line_epochs <= forgets ? 2'd2 : fills ? mshr_epochs_d[2*fill_mshr +: 2]
                 : its_hit && renews ? 2'd0
                 : line_epochs + {1'b0, begins && line_epochs != 2'd2};
    in_a_row    <= forgets || fills || (need_rchk && chk_line == any_line) ? {(HIT_W+1){1'b0}}
                 : in_a_row + {{HIT_W{1'b0}}, its_hit && !chk_again};
end

// A granule that the check must not overlook, and whether it was tested since the last epoch.
wire [GRANULES-1:0] one_granule = {{(GRANULES-1){1'b0}}, 1'b1} << any_granule;
always @* assume (any_granule < GRANULES);
wire cleared = previous && |(todo & one_granule) && (todo & (one_granule - 1'b1)) == 0 && !found;
reg  was_tested = 1'b0;
always @(posedge clk) was_tested <= !rst && previous && !chk_done && (was_tested || cleared);
generate
    if (GRANULES > 1) begin : g_walks
        always @* if (started) begin
            assert (!previous || !granules[any_granule] || g_walk.granule_q <= any_granule || was_tested);
            assert (cycles <= g_walk.granule_q);
        end
    end
endgenerate
always @* if (started) begin
    assert ({2'b0, hit} + {2'b0, avu_miss} + {2'b0, expired} + {2'b0, need_rchk}
            == {2'b0, chk_done});
    assert (!(hit && chk_line == any_line) || line_epochs < 2'd2);
    assert (!checks || chk_line != any_line || expired == (line_epochs == 2'd2));
    assert (!(hit && chk_line == any_line && line_epochs == 2'd1)
            || !granules[any_granule] || was_tested || cleared);
    assert (in_a_row <= HITMAX && in_a_row == {1'b0, hcnt_q[any_line*HIT_W +: HIT_W]});
    assert (cycles < GRANULES);
end
