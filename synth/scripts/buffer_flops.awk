# buffer_flops.awk LIBERTY NETLIST - the netlist with trees of buffers behind flip-flops that drive
# more than MOST inputs of cells.
#
# ABC buffers what gates drive; outputs of flip-flops are inputs to it, which it takes for driven
# from outside and leaves as they are.  As there, a driver has at most MOST (16) inputs behind it.
# The buffer is the library's second smallest; a library without one is left as it is.  Reads what
# Yosys writes (-noexpr, a pin a line).
BEGIN { most = 16 }
function name_in(line) { sub(/^[^(]*\([ \t]*"?/, "", line); sub(/"?[ \t]*\).*/, "", line); return line }
function value_in(line) { sub(/^[^:]*:[ \t]*"?/, "", line); sub(/"?[ \t]*;.*/, "", line); return line }
function root(net) { while (net in same_as) net = same_as[net]; return net }

# ---- the library: outputs of flip-flops, and buffers ----
FILENAME == ARGV[1] && /^[ \t]*cell[ \t]*\(/ { cell = name_in($0); pin = ""; area[cell] = 0 }
FILENAME == ARGV[1] && cell != "" && /^[ \t]*area[ \t]*:/ && area[cell] == 0 { area[cell] = value_in($0) }
FILENAME == ARGV[1] && /^[ \t]*ff[ \t]*\(/ { is_flop[cell] = 1 }
FILENAME == ARGV[1] && /^[ \t]*pin[ \t]*\(/ { pin = name_in($0) }
FILENAME == ARGV[1] && /^[ \t]*direction[ \t]*:/ {
    if (value_in($0) == "output") { is_output[cell, pin] = 1; out_pin[cell] = pin }
    else { n_inputs[cell]++; in_pin[cell] = pin }
}
FILENAME == ARGV[1] && /^[ \t]*function[ \t]*:/ { does[cell] = value_in($0); gsub(/[ ()]/, "", does[cell]) }
FILENAME == ARGV[1] && /^[ \t]*three_state/ { is_flop[cell] = 1 }
FILENAME == ARGV[1] { next }

# ---- the netlist, first: what flip-flops drive, and how many inputs that is ----
function choose_buffer(    c, first, second) {
    for (c in n_inputs)
        if (n_inputs[c] == 1 && does[c] == in_pin[c] && !(c in is_flop)) {
            if (first == "" || area[c] < area[first] || (area[c] == area[first] && c < first)) { second = first; first = c }
            else if (second == "" || area[c] < area[second] || (area[c] == area[second] && c < second)) second = c
        }
    return second == "" ? first : second
}
function pin_of(line) { sub(/^[ \t]*\./, "", line); sub(/\(.*/, "", line); return line }
function net_of(line) { sub(/^[^(]*\(/, "", line); sub(/\),?[ \t]*$/, "", line); sub(/ +$/, "", line); return line }
FNR == 1 { buffer = choose_buffer() }
{ line[++n_lines] = $0 }
/^[ \t]*assign / {
    to = $0; sub(/^[ \t]*assign +/, "", to); from = to
    sub(/ *=.*/, "", to); sub(/^[^=]*= */, "", from); sub(/;[ \t]*$/, "", from); sub(/ +$/, "", from)
    same_as[to] = from
}
/^  [^ ]+ [^ ]+ +\($/ && $1 != "module" { of = $1 }
/^    \./ && is_output[of, pin_of($0)] && (of in is_flop) { flopped[net_of($0)] = 1 }

END {
    of = ""
    for (i = 1; i <= n_lines; i++) {
        if (line[i] ~ /^  [^ ]+ [^ ]+ +\($/) { split(line[i], word, " "); of = word[1] }
        if (line[i] ~ /^    \./ && !is_output[of, pin_of(line[i])]) readers[root(net_of(line[i]))]++
    }
    of = ""
    for (i = 1; i <= n_lines; i++) {
        if (line[i] ~ /^  [^ ]+ [^ ]+ +\($/) { split(line[i], word, " "); of = word[1] }
        if (line[i] ~ /^    \./ && buffer != "" && !is_output[of, pin_of(line[i])]) {
            net = root(net_of(line[i]))
            if ((net in flopped) && readers[net] > most) {
                if (!(net in number)) number[net] = ++n_trees
                leaf = "fanout_" number[net] "_1_" int(seen[net] / most)
                seen[net]++
                sub(/\(.*\)/, "(" leaf ")", line[i])
            }
        }
        if (line[i] == "endmodule") trees()
        print line[i]
    }
}
# Level by level, until one driver reaches all: level l has a buffer for every most^l inputs.
function trees(    net, level, n, k, from) {
    for (net in number)
        for (level = 1; ; level++) {
            n = int((readers[net] + most ^ level - 1) / most ^ level)
            for (k = 0; k < n; k++) {
                from = n <= most ? net " " : "fanout_" number[net] "_" level + 1 "_" int(k / most)
                printf "  wire fanout_%d_%d_%d;\n  %s tree_%d_%d_%d (.%s(%s), .%s(fanout_%d_%d_%d));\n", number[net], level, k,
                    buffer, number[net], level, k, in_pin[buffer], from, out_pin[buffer], number[net], level, k
            }
            if (n <= most) break
        }
}
