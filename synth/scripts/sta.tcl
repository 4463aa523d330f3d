# sta.tcl - critical path and leakage of a mapped unit (OpenSTA), under plain constraints:
# inputs arrive at the clock edge from an ideal driver, outputs are due at the next one and
# carry the load given, the clock is ideal.  With a port named: the slowest path between it and
# the ports of the other direction without a flip-flop, instead.  Set by the caller: liberty,
# netlist, top, load, clock (its port), through (a port, or empty).
read_liberty $liberty
read_verilog $netlist
link_design $top
set_cmd_units -time ps -capacitance fF -power nW
set period_ps 1000000
set clocked [llength [get_ports -quiet $clock]]
if {$clocked} {
    create_clock -name clk -period $period_ps [get_ports $clock]
} else {
    create_clock -name clk -period $period_ps
}
set inputs {}
foreach port [all_inputs] {
    if {[get_property $port full_name] != $clock} {
        lappend inputs $port
    }
}
set_input_delay 0 -clock clk $inputs
set_output_delay 0 -clock clk [all_outputs]
set_load $load [all_outputs]

proc bits_of {port of} {
    set bits {}
    foreach bit $of {
        if {[regsub {\[.*} [get_property $bit full_name] {}] eq $port} {
            lappend bits $bit
        }
    }
    return $bits
}
if {$through eq ""} {
    report_checks -path_delay max -digits 3
    report_power -digits 6
} elseif {[llength [set from [bits_of $through $inputs]]]} {
    report_checks -path_delay max -digits 3 -from $from -to [all_outputs]
} elseif {[llength [set to [bits_of $through [all_outputs]]]]} {
    report_checks -path_delay max -digits 3 -from $inputs -to $to
} else {
    puts "no port $through"
}
