/* spref_part.h - the rows of a part's table as members of a struct: its inputs, or its outputs.
 *
 * Include it with UNIT_PART set to the table's path, and PART_IN or PART_OUT defined, between the
 * braces of a struct.  spref_top hands such structs to the functions that its parts' models share. */
#include "units/no_rows.h"
#ifdef PART_IN
#undef IN
#undef IN_ARRAY
#define IN(name, width, draw, doc) uint64_t name;
#define IN_ARRAY(name, width, lanes, draw, doc) uint64_t name[lanes];
#else
#undef OUT
#undef OUT_ARRAY
#undef EVENT
#define OUT(name, width, when, guard, doc) uint64_t name;
#define OUT_ARRAY(name, width, lanes, when, guard, doc) uint64_t name[lanes];
#define EVENT(name, when, doc) uint64_t name;
#endif
#include UNIT_PART
#include "units/no_rows.h"
#undef UNIT_PART
#undef PART_IN
#undef PART_OUT
