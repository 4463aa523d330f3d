# arrays.awk - mutants' Verilog with the tables that Yosys made a list of registers, \count_q[0], \count_q[1]
# ..., as vectors of that name beside them, from which the binding reads their state (tb/rtl_binding.cpp).
/^ *reg / && /\[[0-9]+\] ;$/ {
    msb = $2 ~ /^\[/ ? $2 : "[0:0]"
    gsub(/\[|:.*/, "", msb)
    name = $(NF - 1)
    at = name; sub(/.*\[/, "", at); sub(/\]$/, "", at)
    sub(/\[[0-9]+\]$/, "", name)
    if (!(name in width)) order[++n] = name
    width[name] = msb + 1
    if (at + 1 > elements[name]) elements[name] = at + 1
    has[name, at] = 1
}
/^endmodule/ {
    for (i = 1; i <= n; i++) {
        name = order[i]; list = ""
        for (at = elements[name] - 1; at >= 0; at--) {
            if (!((name, at) in has)) {list = ""; break}
            list = list (list == "" ? "" : ", ") name "[" at "] "
        }
        if (list != "") print "  wire [" elements[name] * width[name] - 1 ":0] " name " = {" list "};"
    }
}
{print}
