# sta.tcl - critical path and leakage of a mapped unit (OpenSTA), under plain constraints:
# inputs arrive at the clock edge from an ideal driver, outputs are due at the next one and
# carry the load given, the clock is ideal.  Then, for each port, the slowest path between it and
# the ports of the other direction without a flip-flop.  Set by the caller: liberty, netlist, top,
# load.
read_liberty $liberty
read_verilog $netlist
link_design $top
set_cmd_units -time ps -capacitance fF -power nW
set period_ps 1000000
set clocked [llength [get_ports -quiet clk]]
if {$clocked} {
    create_clock -name clk -period $period_ps [get_ports clk]
} else {
    create_clock -name clk -period $period_ps
}
set inputs {}
foreach port [all_inputs] {
    if {[get_property $port full_name] != "clk"} {
        lappend inputs $port
    }
}
set_input_delay 0 -clock clk $inputs
set_output_delay 0 -clock clk [all_outputs]
set_load $load [all_outputs]
report_checks -path_delay max -digits 3
report_power -digits 6

foreach {ports side} [list $inputs input [all_outputs] output] {
    array unset bits
    foreach port $ports {
        regsub {\[.*} [get_property $port full_name] {} name
        lappend bits($name) $port
    }
    foreach name [lsort [array names bits]] {
        puts "through $name"
        if {$side eq "input"} {
            report_checks -path_delay max -digits 3 -from $bits($name) -to [all_outputs]
        } else {
            report_checks -path_delay max -digits 3 -from $inputs -to $bits($name)
        }
    }
}
