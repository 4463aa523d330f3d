/* public.vlt.h - preprocessed into the Verilator configuration that makes the
 * registers named in a unit's table readable, so that the RTL needs no pragma. */
#include "units/no_rows.h"
#undef STATE
#undef STATE_ARRAY
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define AT_1(reg) reg
#define AT_2(unit, reg) reg
#define AT_CHOOSE(a, b, chosen, ...) chosen
#define AT(...) AT_CHOOSE(__VA_ARGS__, AT_2, AT_1, )(__VA_ARGS__)
#define STATE(name, width, at, role, doc) public_flat_rd -module "*" -var TEXT(at)
#define STATE_ARRAY(name, width, depth, at, role, guard, doc) public_flat_rd -module "*" -var TEXT(at)
#include UNIT_TABLE
