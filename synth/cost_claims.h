/* cost_claims.h - the claims of the source documents: synth/claims/<family>.csv.
 *
 * A row is what a document claims, never rebased; columns, in this order:
 *   id          document.number, as numbered in section 4 of the specification
 *   document section quote
 *               the place, and the source's own words ("" when it prints none)
 *   value relation unit
 *               the claimed figure ("" for a statement without one); eq le lt ge gt
 *   node_nm tool of the source; "" when not stated
 *   machine     names for the formulae: "S=5; N=32"
 *   formula     the source's own arithmetic over the machine
 *   about       the units that realise it ("a b[K=V]"), `pending:name` for one
 *               without RTL yet, or `text` for a statement about no unit
 *   table       the figure from the units' port tables
 *   measured    the figure from Yosys, static timing or the SRAM estimate
 *   tolerance_percent tolerance_reason
 *               how far a figure may be off; why so far, beyond 10 %
 *   must        a condition without which the claim cannot hold
 *   left_out    "what: bits; what [unit]: figure" that the source's sum does not count
 *   unchecked   why it cannot be checked
 *   remark
 * formula, table, measured, must and the bits of left_out are expressions of
 * cost_expr.h.  Everything is checked on load.  It must not know how a unit is measured.
 */
#ifndef WARPLOCK_SYNTH_COST_CLAIMS_H
#define WARPLOCK_SYNTH_COST_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "synth/cost_csv.h"

enum cost_column {
    CLAIM_ID,
    CLAIM_DOCUMENT,
    CLAIM_SECTION,
    CLAIM_QUOTE,
    CLAIM_VALUE,
    CLAIM_RELATION,
    CLAIM_UNIT,
    CLAIM_NODE,
    CLAIM_TOOL,
    CLAIM_MACHINE,
    CLAIM_FORMULA,
    CLAIM_ABOUT,
    CLAIM_TABLE,
    CLAIM_MEASURED,
    CLAIM_TOLERANCE,
    CLAIM_TOLERANCE_REASON,
    CLAIM_MUST,
    CLAIM_LEFT_OUT,
    CLAIM_UNCHECKED,
    CLAIM_REMARK,
    CLAIM_COLUMNS
};

enum { CLAIM_MAX_NAMES = 24, CLAIM_MAX_LEFT_OUT = 12 };

struct cost_name {
    char name[32];
    double value;
};

struct cost_left_out {
    char what[96], unit[16]; /* "bits" when none is given */
    char bits[128];          /* expression */
};

struct cost_claim {
    char *const *text; /* by enum cost_column; the file's */
    const char *path;
    unsigned line;
    char family[32];
    bool has_value, pending;                  /* pending: a unit of it has no RTL yet */
    double value, tolerance_percent, node_nm; /* node 0: not stated */
    struct cost_name names[CLAIM_MAX_NAMES];
    size_t n_names;
    struct cost_left_out left_out[CLAIM_MAX_LEFT_OUT];
    size_t n_left_out;
};

/* What is a unit: the loader asks for every unit a row names. */
struct cost_known_units {
    void *user;
    bool (*known)(void *user, const char *unit);
};

struct cost_claims {
    struct cost_csv *files;
    size_t n_files;
    struct cost_claim *claims;
    size_t n_claims;
};

extern const char *const cost_claim_columns[CLAIM_COLUMNS];

/* Adds one file's rows; the family is the file's name.  False with
 * `file:line: what; remedy`; what was loaded before stays. */
bool cost_claims_load(struct cost_claims *claims, const char *path,
                      const struct cost_known_units *units, char *error, size_t n_error);
/* Every *.csv of a folder, in the order of their names. */
bool cost_claims_load_folder(struct cost_claims *claims, const char *folder,
                             const struct cost_known_units *units, char *error, size_t n_error);
void cost_claims_free(struct cost_claims *claims);
/* How the claim bounds its figure: "<", "<=", ">=", ">", "" when it states it. */
const char *cost_claim_bound(const struct cost_claim *claim);
/* Does the claim's `about` name this unit ("unit" without family)? */
bool cost_claim_is_about(const struct cost_claim *claim, const char *unit);

#endif
