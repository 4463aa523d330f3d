# clock.sed - the rows CLOCK and RESET of a unit's table (cmodel/units/table.h) as NAME=VALUE words, and
# wrong=ROW for one that says something else.
/^CLOCK *(/b clock
/^RESET *(/b reset
d
:clock
s/^CLOCK *( *\([A-Za-z_][A-Za-z0-9_]*\), *RISING *).*/CLOCK=\1 CLOCK_FALLING=0/
s/^CLOCK *( *\([A-Za-z_][A-Za-z0-9_]*\), *FALLING *).*/CLOCK=\1 CLOCK_FALLING=1/
b end
:reset
s/^RESET *( *\([A-Za-z_][A-Za-z0-9_]*\), *HIGH, *\([A-Z]*\) *).*/RESET=\1 RESET_LOW=0 \2/
s/^RESET *( *\([A-Za-z_][A-Za-z0-9_]*\), *LOW, *\([A-Z]*\) *).*/RESET=\1 RESET_LOW=1 \2/
s/ SYNCHRONOUS$/ RESET_ASYNCHRONOUS=0/
s/ ASYNCHRONOUS$/ RESET_ASYNCHRONOUS=1/
:end
/^CLOCK=.*_FALLING=[01]$/p
/^RESET=.*_ASYNCHRONOUS=[01]$/p
/^[CR][A-Z]* *(\|^RESET=[^ ]* RESET_LOW=. [A-Z]*$/s/.*/wrong/p
