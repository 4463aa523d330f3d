# function.mk - outputs and next state of a design as functions of its inputs and state, for
# Yosys: every register becomes an input and an output of its name, and the rest AND gates.
# Buffers at the outputs keep a register that is an output to its own name.  After `proc;
# flatten`.  To be written with -symbols: abc's cec then matches by name.
TO_FUNCTION := memory_collect; memory_map; opt -full -nodffe -nosdff; dffunmap; techmap; simplemap; opt -fast -nodffe -nosdff; \
    setundef -zero; iopadmap -outpad \$$_BUF_ A:Y; expose -evert-dff t:\$$_DFF_*_ t:\$$_SDFF*_ t:\$$_DFFE_*_; opt_clean; abc -g AND -fast; opt_clean
