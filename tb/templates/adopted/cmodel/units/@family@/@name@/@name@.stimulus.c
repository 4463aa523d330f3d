/* Stimulus of @name@: what the table draws, and no more.  Say here what of its states random steps visit
 * and what they do not, and count by bins what must happen. */
#define UNIT_TABLE "units/@family@/@name@/@name@.ports.h"
#include "tb/stimulus.h"

STIMULUS(1000, NULL, NULL)
