# params.sed - the parameters of a unit's table and their standard values, NAME=VALUE.
s/^PARAM\(_POW2\)\{0,1\}(\([A-Za-z0-9_]*\), *\(-\{0,1\}[0-9]*\),.*/\2=\3/p
