# from_reset.awk - of a unit's ports (Yosys: portlist -m) a module from_reset that holds the unit,
# keeps it in reset in the first cycle, and its outputs at 0 until that is over.  A unit without
# reset has no state, and the module is the unit.  clock, falling, reset, low: its pins, by its table.
/^module / { name = $2; sub(/\(.*/, "", name); sub(name, "from_reset") }
/^ *(input|output) / {
    range = match($0, /\[[^]]*\]/) ? substr($0, RSTART, RLENGTH) : ""
    port = $NF
    sub(/[,;].*/, "", port)
    clocked = clocked || port == reset
}
/^ *input / { pins = pins ", ." port "(" (port == reset ? reset (low ? " & started" : " | !started") : port) ")" }
/^ *output / {
    pins = pins ", ." port "(" port "_then)"
    outputs = outputs "wire " range " " port "_then;\nassign " port " = started ? " port "_then : 0;\n"
}
/^endmodule/ {
    print clocked ? "reg started = 0;\nalways @(" (falling ? "neg" : "pos") "edge " clock ") started <= 1;" : "wire started = 1;"
    print outputs name " unit (" substr(pins, 3) ");"
}
{ print }
