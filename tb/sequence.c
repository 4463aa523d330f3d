/* sequence.c - reads the steps of one test of a sequence file (format: sequence.h). */
#include "tb/sequence.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/sequence_text.h"
#include "tb/value.h"

/* Where the parser stands, for messages. */
struct parser {
    const struct sequence_file *file;
    const struct unit_desc *desc;
    struct sequence *sequence;
    unsigned line;
    char *error;
    size_t n_error;
};

#define REFUSE(p, ...) \
    sequence_refuse((p)->error, (p)->n_error, (p)->file->path, (p)->line, __VA_ARGS__)

/* Room for one more element; false when memory is out. */
static bool grow(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    const size_t wanted = needed + needed / 2 + 16;
    void *more = realloc(*(void **)array, wanted * size);
    if (more == NULL) {
        return false;
    }
    *(void **)array = more;
    *capacity = wanted;
    return true;
}

bool sequence_add(struct sequence *sequence, const struct unit_desc *desc, const uint64_t *in,
                  bool rst)
{
    if (!grow(&sequence->steps, &sequence->cap_steps, sequence->n_steps + 1,
              sizeof *sequence->steps) ||
        !grow(&sequence->inputs, &sequence->cap_inputs, sequence->n_inputs + desc->in_slots,
              sizeof *sequence->inputs)) {
        return false;
    }
    uint64_t *slots = sequence->inputs + sequence->n_inputs;
    if (in != NULL) {
        memcpy(slots, in, desc->in_slots * sizeof *slots);
    } else {
        memset(slots, 0, desc->in_slots * sizeof *slots);
    }
    sequence->steps[sequence->n_steps++] = (struct sequence_step){
        .rst = rst, .repeat = 1, .in = sequence->n_inputs, .first_expect = sequence->n_expects};
    sequence->n_inputs += desc->in_slots;
    return true;
}

static bool parse_number(struct parser *p, const char *of, const char *text, unsigned width,
                         uint64_t *value)
{
    for (unsigned i = 0; i < p->desc->n_enums; i++) {
        if (strcmp(p->desc->enums[i].of, of) == 0 && strcmp(p->desc->enums[i].name, text) == 0) {
            *value = p->desc->enums[i].value;
            return true;
        }
    }
    char *end = NULL;
    errno = 0;
    const bool binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
    *value = isdigit((unsigned char)text[0])
                 ? strtoull(binary ? text + 2 : text, &end, binary ? 2 : 0)
                 : 0;
    if (end == NULL || *end != '\0' || errno != 0) {
        return REFUSE(p, "%s=%s: neither a number nor a named value", of, text);
    }
    if ((*value & ~value_mask(width)) != 0) {
        return REFUSE(p, "%s=%s does not fit %u bits", of, text, width);
    }
    return true;
}

enum section { SECTION_IN, SECTION_OUT, SECTION_STATE, SECTION_LOAD };

/* What a name stands for in its section. */
struct target {
    unsigned index, width, elements, slot;
};

static bool find_target(struct parser *p, enum section section, const char *name,
                        struct target *target)
{
    static const char *const kinds[] = {"input", "output", "state field", "state field"};
    const struct unit_desc *desc = p->desc;
    if (section == SECTION_STATE || section == SECTION_LOAD) {
        const struct unit_field *field = value_field_named(desc, name);
        if (field != NULL) {
            *target = (struct target){(unsigned)(field - desc->state), field->width, field->depth,
                                      0};
            return true;
        }
    } else {
        const struct unit_port *ports = section == SECTION_IN ? desc->in : desc->out;
        const struct unit_port *port = value_port(
            ports, section == SECTION_IN ? desc->n_in : desc->n_out, name);
        if (port != NULL) {
            *target = (struct target){(unsigned)(port - ports), port->width, port->lanes,
                                      port->slot};
            return true;
        }
    }
    return REFUSE(p, "%s has no %s '%s'; `warplock ports %s` lists them", desc->name,
                  kinds[section], name, desc->name);
}

static bool take_value(struct parser *p, enum section section, const struct target *target,
                       unsigned element, uint64_t value)
{
    struct sequence *s = p->sequence;
    if (section == SECTION_LOAD) {
        const struct unit_field *field = &p->desc->state[target->index];
        memcpy(s->state + field->offset_bytes + element * field->element_bytes, &value,
               field->element_bytes);
        return true;
    }
    struct sequence_step *step = &s->steps[s->n_steps - 1];
    if (section == SECTION_IN) {
        s->inputs[step->in + target->slot + element] = value;
        return true;
    }
    if (!grow(&s->expects, &s->cap_expects, s->n_expects + 1, sizeof *s->expects)) {
        return REFUSE(p, "out of memory");
    }
    s->expects[s->n_expects++] = (struct sequence_expect){section == SECTION_STATE, target->index,
                                                          element, value};
    step->n_expects++;
    return true;
}

/* name=V, name[i]=V or name=V,V,V */
static bool parse_assignment(struct parser *p, enum section section, char *word)
{
    char *equals = strchr(word, '=');
    if (equals == NULL || equals == word) {
        return REFUSE(p, "'%s': write name=value", word);
    }
    *equals = '\0';
    unsigned element = 0;
    char *bracket = strchr(word, '[');
    if (bracket != NULL) {
        char *end = NULL;
        const unsigned long i = strtoul(bracket + 1, &end, 10);
        if (end == bracket + 1 || strcmp(end, "]") != 0 || i > UINT32_MAX) {
            return REFUSE(p, "'%s': the element must be a number in brackets", word);
        }
        element = (unsigned)i;
        *bracket = '\0';
    }
    struct target target = {0, 0, 0, 0};
    if (!find_target(p, section, word, &target)) {
        return false;
    }
    char *save = NULL;
    for (char *v = strtok_r(equals + 1, ",", &save); v != NULL;
         v = strtok_r(NULL, ",", &save), element++) {
        uint64_t value;
        if (element >= target.elements) {
            return REFUSE(p, "%s has %u elements; %u is past the end", word, target.elements,
                          element);
        }
        if (!parse_number(p, word, v, target.width, &value) ||
            !take_value(p, section, &target, element, value)) {
            return false;
        }
    }
    return true;
}

static bool parse_step(struct parser *p, char *words, uint64_t repeat, bool rst)
{
    if (!sequence_add(p->sequence, p->desc, NULL, rst)) {
        return REFUSE(p, "out of memory");
    }
    struct sequence_step *step = &p->sequence->steps[p->sequence->n_steps - 1];
    step->repeat = repeat;
    step->line = p->line;
    enum section section = SECTION_IN;
    char *save = NULL;
    for (char *word = strtok_r(words, " \t", &save); word != NULL;
         word = strtok_r(NULL, " \t", &save)) {
        if (strcmp(word, "->") == 0) {
            section = SECTION_OUT;
        } else if (strcmp(word, "=>") == 0) {
            section = SECTION_STATE;
        } else if (!parse_assignment(p, section, word)) {
            return false;
        }
    }
    return true;
}

static bool parse_load(struct parser *p, char *words)
{
    struct sequence *s = p->sequence;
    if (s->n_steps > 0) {
        return REFUSE(p, "`load` after a step; it says where the first step starts");
    }
    if (s->state == NULL && (s->state = calloc(1, p->desc->state_bytes + 1)) == NULL) {
        return REFUSE(p, "out of memory");
    }
    char *save = NULL;
    for (char *word = strtok_r(words, " \t", &save); word != NULL;
         word = strtok_r(NULL, " \t", &save)) {
        if (!parse_assignment(p, SECTION_LOAD, word)) {
            return false;
        }
    }
    return true;
}

static bool parse_count(struct parser *p, const char *text, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    *value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 0) : 0;
    if (end == NULL || (*end != '\0' && !isspace((unsigned char)*end)) || errno != 0) {
        return REFUSE(p, "'%s' is not a number", text);
    }
    return true;
}

static bool parse_line(struct parser *p, char *line)
{
    char word[16] = "";
    int end = 0;
    if (sscanf(line, "%15s %n", word, &end) != 1) {
        return true;
    }
    char *rest = line + end;
    if (strcmp(word, "step") == 0) {
        return parse_step(p, rest, 1, false);
    }
    if (strcmp(word, "repeat") == 0) {
        uint64_t repeat;
        char *step = strstr(rest, "step");
        if (step == NULL) {
            return REFUSE(p, "`repeat N` must be followed by a step");
        }
        return parse_count(p, rest, &repeat) && parse_step(p, step + 4, repeat, false);
    }
    if (strcmp(word, "rst") == 0) {
        return parse_step(p, rest, 1, true);
    }
    if (strcmp(word, "load") == 0) {
        return parse_load(p, rest);
    }
    if (strcmp(word, "seed") == 0) {
        return parse_count(p, rest, &p->sequence->seed);
    }
    if (strcmp(word, "backend") == 0) {
        return sscanf(rest, "%31s", p->sequence->backend) == 1 ||
               REFUSE(p, "`backend` needs a name");
    }
    return REFUSE(p, "'%s' is none of test, seed, backend, load, rst, step, repeat", word);
}

bool sequence_parse(struct sequence *sequence, const struct sequence_file *file, size_t i,
                    const struct unit_desc *desc, char *error, size_t n_error)
{
    struct parser p = {file, desc, sequence, file->tests[i].line, error, n_error};
    memset(sequence, 0, sizeof *sequence);
    snprintf(sequence->test, sizeof sequence->test, "%s", file->tests[i].test);
    const unsigned last = i + 1 < file->n_tests ? file->tests[i + 1].line : UINT32_MAX;
    char *line = malloc(file->longest_line + 1);
    bool good = line != NULL || REFUSE(&p, "out of memory");
    const char *at = file->text + file->tests[i].body;
    for (p.line++; good && at != NULL && p.line < last; p.line++) {
        at = sequence_next_line(at, line);
        good = parse_line(&p, line);
    }
    free(line);
    if (!good) {
        sequence_free(sequence);
    }
    return good;
}

void sequence_free(struct sequence *sequence)
{
    free(sequence->state);
    free(sequence->inputs);
    free(sequence->steps);
    free(sequence->expects);
    memset(sequence, 0, sizeof *sequence);
}
