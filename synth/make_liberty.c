/* make_liberty.c - build tool: a small 45 nm-class Liberty file from a table of cells.
 *
 *   make_liberty cells_45nm.csv > warplock45.lib        as synth/README.md describes it
 *
 * The table has one linear delay per cell, so the model is:
 *   delay = intercept + slope * load, the same for every arc and edge and for
 *           every input slew; the tables below hold two points of that line,
 *           and interpolation between or beyond them is exact
 *   slew  = 20 ps everywhere, the slew at which the line was read off
 *   pins  = every input has the capacitance of the cell's first input
 *   setup = the table gives none: data must be through the master latch at the
 *           clock edge, so the latch's (DLH_X1) intercept stands for it; hold = 0
 * Cells without a function here (clock gate, three-state, constants) are left
 * out: no mapping would use them.  It must not know any unit.
 */
#include <stdio.h>
#include <string.h>

#include "synth/cost_csv.h"

enum cell_kind { GATE, ADDER, LATCH, FLOP };

struct cell {
    const char *name;
    enum cell_kind kind;
    const char *inputs;       /* one letter and digit per pin, separated by spaces */
    const char *output;       /* pin = function; two for adders and flops */
    const char *asynchronous; /* flops: Liberty's clear and preset attributes */
};

static const struct cell cells[] = {
    {"AND2_X1", GATE, "A1 A2", "ZN=A1&A2", ""},
    {"AND3_X1", GATE, "A1 A2 A3", "ZN=A1&A2&A3", ""},
    {"AND4_X1", GATE, "A1 A2 A3 A4", "ZN=A1&A2&A3&A4", ""},
    {"AOI21_X1", GATE, "A B1 B2", "ZN=!(A|(B1&B2))", ""},
    {"AOI22_X1", GATE, "A1 A2 B1 B2", "ZN=!((A1&A2)|(B1&B2))", ""},
    {"AOI211_X1", GATE, "A B C1 C2", "ZN=!((C1&C2)|B|A)", ""},
    {"AOI221_X1", GATE, "A B1 B2 C1 C2", "ZN=!((C1&C2)|A|(B1&B2))", ""},
    {"AOI222_X1", GATE, "A1 A2 B1 B2 C1 C2", "ZN=!((A1&A2)|(B1&B2)|(C1&C2))", ""},
    {"BUF_X1", GATE, "A", "Z=A", ""},
    {"INV_X1", GATE, "A", "ZN=!A", ""},
    {"MUX2_X1", GATE, "A B S", "Z=(S&B)|(A&!S)", ""},
    {"NAND2_X1", GATE, "A1 A2", "ZN=!(A1&A2)", ""},
    {"NAND3_X1", GATE, "A1 A2 A3", "ZN=!(A1&A2&A3)", ""},
    {"NAND4_X1", GATE, "A1 A2 A3 A4", "ZN=!(A1&A2&A3&A4)", ""},
    {"NOR2_X1", GATE, "A1 A2", "ZN=!(A1|A2)", ""},
    {"NOR3_X1", GATE, "A1 A2 A3", "ZN=!(A1|A2|A3)", ""},
    {"NOR4_X1", GATE, "A1 A2 A3 A4", "ZN=!(A1|A2|A3|A4)", ""},
    {"OAI21_X1", GATE, "A B1 B2", "ZN=!(A&(B1|B2))", ""},
    {"OAI22_X1", GATE, "A1 A2 B1 B2", "ZN=!((A1|A2)&(B1|B2))", ""},
    {"OAI211_X1", GATE, "A B C1 C2", "ZN=!((C1|C2)&A&B)", ""},
    {"OAI221_X1", GATE, "A B1 B2 C1 C2", "ZN=!((C1|C2)&A&(B1|B2))", ""},
    {"OAI222_X1", GATE, "A1 A2 B1 B2 C1 C2", "ZN=!((A1|A2)&(B1|B2)&(C1|C2))", ""},
    {"OR2_X1", GATE, "A1 A2", "ZN=A1|A2", ""},
    {"OR3_X1", GATE, "A1 A2 A3", "ZN=A1|A2|A3", ""},
    {"OR4_X1", GATE, "A1 A2 A3 A4", "ZN=A1|A2|A3|A4", ""},
    {"XNOR2_X1", GATE, "A B", "ZN=!(A^B)", ""},
    {"XOR2_X1", GATE, "A B", "Z=A^B", ""},
    {"HA_X1", ADDER, "A B", "CO=A&B S=A^B", ""},
    {"FA_X1", ADDER, "A B CI", "CO=(A&B)|(CI&(A|B)) S=A^B^CI", ""},
    {"DLH_X1", LATCH, "D", "Q=IQ", ""},
    {"DFF_X1", FLOP, "D", "Q=IQ QN=IQN", ""},
    {"DFFR_X1", FLOP, "D RN", "Q=IQ QN=IQN", "clear : \"!RN\"; "},
    {"DFFS_X1", FLOP, "D SN", "Q=IQ QN=IQN", "preset : \"!SN\"; "},
    {"DFFRS_X1", FLOP, "D RN SN", "Q=IQ QN=IQN",
     "clear : \"!RN\"; preset : \"!SN\"; clear_preset_var1 : L; clear_preset_var2 : L; "},
};
enum { N_CELLS = sizeof cells / sizeof *cells };

struct figures {
    double area_um2, leakage_nw, input_cap_ff, intercept_ps, slope_ps_per_ff;
};

/* Loads of the two table points, fF. */
static const double light_ff = 0.0, heavy_ff = 100.0;

static bool read_figures(const struct cost_csv_row *row, struct figures *f)
{
    return cost_csv_number(row->cell[1], &f->area_um2) &&
           cost_csv_number(row->cell[2], &f->leakage_nw) &&
           cost_csv_number(row->cell[3], &f->input_cap_ff) &&
           cost_csv_number(row->cell[4], &f->intercept_ps) &&
           cost_csv_number(row->cell[5], &f->slope_ps_per_ff);
}

static const struct cost_csv_row *find_row(const struct cost_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->n_rows; i++) {
        if (strcmp(csv->rows[i].cell[0], name) == 0) {
            return &csv->rows[i];
        }
    }
    return NULL;
}

static void print_arc(const char *from, const char *type, const char *sense,
                      const struct figures *f)
{
    static const char *const edge[] = {"rise", "fall"};
    printf("      timing () {\n        related_pin : \"%s\";\n%s%s", from, type, sense);
    for (int e = 0; e < 2; e++) {
        const double light = f->intercept_ps + f->slope_ps_per_ff * light_ff;
        const double heavy = f->intercept_ps + f->slope_ps_per_ff * heavy_ff;
        printf("        cell_%s (by_slew_and_load) { values (\"%.6f, %.6f\", \"%.6f, %.6f\"); }\n",
               edge[e], light, heavy, light, heavy);
        printf("        %s_transition (by_slew_and_load) { values (\"20, 20\", \"20, 20\"); }\n",
               edge[e]);
    }
    printf("      }\n");
}

static void print_check(const char *type, double limit_ps)
{
    printf("      timing () {\n        related_pin : \"CK\";\n        timing_type : %s;\n"
           "        rise_constraint (by_slew) { values (\"%.6f, %.6f\"); }\n"
           "        fall_constraint (by_slew) { values (\"%.6f, %.6f\"); }\n      }\n",
           type, limit_ps, limit_ps, limit_ps, limit_ps);
}

static void print_inputs(const struct cell *cell, const struct figures *f, double setup_ps)
{
    char pins[64];
    snprintf(pins, sizeof pins, "%s%s", cell->inputs,
             cell->kind == FLOP    ? " CK"
             : cell->kind == LATCH ? " G"
                                   : "");
    char *rest = NULL;
    for (char *pin = strtok_r(pins, " ", &rest); pin != NULL; pin = strtok_r(NULL, " ", &rest)) {
        printf("    pin (%s) {\n      direction : input;\n      capacitance : %.6f;\n", pin,
               f->input_cap_ff);
        if (strcmp(pin, "CK") == 0 || strcmp(pin, "G") == 0) {
            printf("      clock : true;\n");
        }
        if (cell->kind == FLOP && strcmp(pin, "D") == 0) {
            print_check("setup_rising", setup_ps);
            print_check("hold_rising", 0.0);
        }
        printf("    }\n");
    }
}

static void print_output_arcs(const struct cell *cell, const char *function,
                              const struct figures *f)
{
    if (cell->kind == FLOP) {
        print_arc("CK", "        timing_type : rising_edge;\n", "", f);
        return;
    }
    if (cell->kind == LATCH) {
        print_arc("G", "        timing_type : rising_edge;\n", "", f);
        print_arc("D", "", "        timing_sense : positive_unate;\n", f);
        return;
    }
    const bool either = strpbrk(function, "^") != NULL || cell->kind == ADDER ||
                        strstr(cell->name, "MUX") != NULL;
    char sense[64], pins[64];
    snprintf(sense, sizeof sense, "        timing_sense : %s;\n",
             either               ? "non_unate"
             : function[0] == '!' ? "negative_unate"
                                  : "positive_unate");
    snprintf(pins, sizeof pins, "%s", cell->inputs);
    char *rest = NULL;
    for (char *pin = strtok_r(pins, " ", &rest); pin != NULL; pin = strtok_r(NULL, " ", &rest)) {
        print_arc(pin, "", sense, f);
    }
}

static void print_outputs(const struct cell *cell, const struct figures *f)
{
    char pins[128];
    snprintf(pins, sizeof pins, "%s", cell->output);
    char *rest = NULL;
    for (char *pin = strtok_r(pins, " ", &rest); pin != NULL; pin = strtok_r(NULL, " ", &rest)) {
        char *function = strchr(pin, '=');
        *function++ = '\0';
        printf("    pin (%s) {\n      direction : output;\n      function : \"%s\";\n", pin,
               function);
        print_output_arcs(cell, function, f);
        printf("    }\n");
    }
}

static void print_cell(const struct cell *cell, const struct figures *f, double setup_ps)
{
    printf("  cell (%s) {\n    area : %.6f;\n    cell_leakage_power : %.6f;\n", cell->name,
           f->area_um2, f->leakage_nw);
    if (cell->kind == FLOP) {
        printf("    ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"CK\"; %s}\n",
               cell->asynchronous);
    } else if (cell->kind == LATCH) {
        printf("    latch (IQ, IQN) { data_in : \"D\"; enable : \"G\"; }\n");
    }
    print_inputs(cell, f, setup_ps);
    print_outputs(cell, f);
    printf("  }\n");
}

static void print_head(void)
{
    printf("/* 45 nm class, made by make_liberty: linear delays, one slew, X1 cells. */\n"
           "library (warplock45) {\n"
           "  delay_model : table_lookup;\n  time_unit : \"1ps\";\n  voltage_unit : \"1V\";\n"
           "  current_unit : \"1uA\";\n  pulling_resistance_unit : \"1kohm\";\n"
           "  leakage_power_unit : \"1nW\";\n  capacitive_load_unit (1, ff);\n"
           "  nom_process : 1;\n  nom_voltage : 1.1;\n  nom_temperature : 25;\n"
           "  default_max_transition : 1000;\n"
           "  slew_lower_threshold_pct_rise : 30;\n  slew_upper_threshold_pct_rise : 70;\n"
           "  slew_lower_threshold_pct_fall : 30;\n  slew_upper_threshold_pct_fall : 70;\n"
           "  input_threshold_pct_rise : 50;\n  input_threshold_pct_fall : 50;\n"
           "  output_threshold_pct_rise : 50;\n  output_threshold_pct_fall : 50;\n"
           "  lu_table_template (by_slew_and_load) {\n"
           "    variable_1 : input_net_transition;\n"
           "    variable_2 : total_output_net_capacitance;\n"
           "    index_1 (\"0, 1000\");\n    index_2 (\"%.1f, %.1f\");\n  }\n"
           "  lu_table_template (by_slew) {\n    variable_1 : related_pin_transition;\n"
           "    index_1 (\"0, 1000\");\n  }\n",
           light_ff, heavy_ff);
}

static bool print_library(const struct cost_csv *csv, const char *path)
{
    struct figures latch;
    const struct cost_csv_row *row = find_row(csv, "DLH_X1");
    if (row == NULL || !read_figures(row, &latch)) {
        fprintf(stderr, "%s:1: no figures for DLH_X1, which gives the setup time; add the row\n",
                path);
        return false;
    }
    print_head();
    for (size_t i = 0; i < N_CELLS; i++) {
        struct figures figures;
        row = find_row(csv, cells[i].name);
        if (row == NULL) {
            continue;
        }
        if (!read_figures(row, &figures)) {
            fprintf(stderr, "%s:%u: %s has a figure that is no number; correct it\n", path,
                    row->line, cells[i].name);
            return false;
        }
        print_cell(&cells[i], &figures, latch.intercept_ps);
    }
    printf("}\n");
    return true;
}

int main(int argc, char **argv)
{
    static const char *const columns[] = {"cell",         "area_um2",        "leakage_nW",
                                          "input_cap_fF", "worst_delay0_ps", "slope_ps_per_fF"};
    if (argc != 2) {
        fputs("usage: make_liberty cells.csv > library.lib\n", stderr);
        return 2;
    }
    char error[512];
    struct cost_csv csv;
    if (!cost_csv_load(&csv, argv[1], columns, 6, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    const bool good = print_library(&csv, argv[1]);
    cost_csv_free(&csv);
    return good ? 0 : 2;
}
