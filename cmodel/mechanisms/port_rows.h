/* port_rows.h - a unit's port table as PORT_IN(name) of each input and PORT_OUT(name) of each
 * output and event, one slot or an array; all other rows are nothing.
 *
 * Include before the tables, define the two before each table, units/no_rows.h after. */
#include "units/no_rows.h"
#undef IN
#undef IN_ARRAY
#undef OUT
#undef OUT_ARRAY
#undef EVENT
#define IN(name, ...) PORT_IN(name)
#define IN_ARRAY(name, ...) PORT_IN(name)
#define OUT(name, ...) PORT_OUT(name)
#define OUT_ARRAY(name, ...) PORT_OUT(name)
#define EVENT(name, ...) PORT_OUT(name)
