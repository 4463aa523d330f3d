/* parameters.h - what an experiment sweeps: parameters with lists or ranges of values.
 *
 * An axis is one parameter, or several that go together (zipped).  Axes are crossed: a setting is
 * one value of each, numbered with the last axis fastest.  A derived parameter is an expression
 * over others.  `{name}` in a text of the experiment stands for the parameter's value. */
#ifndef WARPLOCK_EXPERIMENTS_PARAMETERS_H
#define WARPLOCK_EXPERIMENTS_PARAMETERS_H

#include "experiments/expression.h"
#include "experiments/reader.h"

struct parameter {
    const char *name, *title;
    const char **values; /* [n of its axis]; NULL of a derived one */
    size_t axis;
    struct expression *of; /* of a derived one */
    const char *where;     /* pointer to it in the file */
    bool used;
};

struct parameters {
    struct parameter *at;
    size_t n;
    size_t *axis; /* [n_axes] how many values */
    size_t n_axes;
    size_t n_settings; /* 1 where nothing is swept */
};

enum { PARAMETER_MAX = 64, PARAMETER_MAX_SETTINGS = 1000000, PARAMETER_TEXT = 256 };

/* Reads `list`, the experiment's member "parameters" (NULL: none); what is wrong goes to `r`. */
void parameters_read(struct reader *r, struct parameters *parameters, const json_t *list);
/* An axis of its own, as the list of machines is. */
void parameters_add(struct reader *r, struct parameters *parameters, const char *name,
                    const char **values, size_t n);

/* Derived parameters once all are known: each names known ones, and never itself. */
void parameters_check_derived(struct reader *r, struct parameters *parameters);
/* Marks what `text` at `pointer` names as used; refuses what is no parameter. */
void parameters_check_text(struct reader *r, struct parameters *parameters, const char *pointer,
                           const char *text);

/* The position of a parameter of that name; n when there is none. */
size_t parameters_find(const struct parameters *parameters, const char *name, size_t length);
/* Its value's position among those of its axis; of no derived one. */
size_t parameters_index(const struct parameters *parameters, size_t setting, size_t parameter);
void parameters_value(const struct parameters *parameters, size_t setting, size_t parameter,
                      char out[PARAMETER_TEXT]);
/* `text` with every {name} replaced; false when it does not fit. */
bool parameters_fill(const struct parameters *parameters, size_t setting, const char *text,
                     char *out, size_t n_out);
/* "name=value name=value", of all. */
void parameters_describe(const struct parameters *parameters, size_t setting, char *out,
                         size_t n_out);
/* {name: value}; numbers where they read as such.  A new reference. */
json_t *parameters_json(const struct parameters *parameters, size_t setting);

#endif
