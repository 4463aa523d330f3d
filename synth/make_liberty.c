/* make_liberty.c - build tool: a 45 nm-class Liberty file from a table of cells.
 *
 *   make_liberty cells_45nm.csv > warplock45.lib        as synth/README.md describes it
 *
 * The table has one delay line per cell; liberty_model.h derives the other arcs, edges and drive
 * strengths.  All of them are linear in input slew and load, so that tables hold them exactly.  What
 * else a Liberty file needs:
 *   pins   every input has the capacitance of the cell's first input
 *   area   cells are whole sites of 0.266 um2; a pair of transistors takes one, and so does the
 *          border (the table's X1 cells).  Pairs of Xn are n times as many in the stages that drive
 *          outputs, and half of that inside, which at X1 are of half width
 *   flops  both edges have the intercept of the table; Xn has wider output inverters alone, two of
 *          them (a latch: one), whose input the stage before drives
 *   setup  data goes through the master latch, as through DLH_X1 from D to Q without its output
 *          inverter, and the latch closes one inverter's delay after the clock; hold = 0
 * It must not know any unit.
 */
#include <stdio.h>
#include <string.h>

#include "synth/cost_csv.h"
#include "synth/liberty_model.h"

static const double site_um2 = 0.266;
/* Points of the tables each way: two would do, but ABC takes a cell's gain from points between. */
enum { POINTS = 4 };
static const double step_slew_ps = 30.0, step_load_ff = 20.0;

static bool read_figures(const struct cost_csv *csv, const char *path, const char *name,
                         struct figures *f)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%s_X1", name);
    for (size_t i = 0; i < csv->n_rows; i++) {
        char *const *cell = csv->rows[i].cell;
        if (strcmp(cell[0], wanted) != 0) {
            continue;
        }
        if (cost_csv_number(cell[1], &f->area_um2) && cost_csv_number(cell[2], &f->leakage_nw) &&
            cost_csv_number(cell[3], &f->input_cap_ff) &&
            cost_csv_number(cell[4], &f->intercept_ps) &&
            cost_csv_number(cell[5], &f->slope_ps_per_ff)) {
            return true;
        }
        fprintf(stderr, "%s:%u: %s has a figure that is no number; correct it\n", path,
                csv->rows[i].line, wanted);
        return false;
    }
    fprintf(stderr, "%s:1: no row %s; add it\n", path, wanted);
    return false;
}

/* A plane over slew and load. */
static void print_plane(const char *what, double at_zero, double by_slew, double by_load)
{
    printf("        %s (by_slew_and_load) { values (", what);
    for (int s = 0; s < POINTS; s++) {
        for (int l = 0; l < POINTS; l++) {
            printf("%s%.6f",
                   l > 0   ? ", "
                   : s > 0 ? ", \""
                           : "\"",
                   at_zero + s * step_slew_ps * by_slew + l * step_load_ff * by_load);
        }
        putchar('"');
    }
    printf("); }\n");
}

/* A load is driven `drive` times as fast. */
static void print_edge(const struct liberty_arc *arc, unsigned drive)
{
    const double slope = arc->slope_ps_per_ff / drive;
    print_plane(arc->edge == RISE ? "cell_rise" : "cell_fall", arc->intrinsic_ps, arc->slew_share,
                slope);
    print_plane(arc->edge == RISE ? "rise_transition" : "fall_transition",
                liberty_slew_per_delay * arc->own_ps, 0, liberty_slew_per_delay * slope);
}

static void open_timing(const char *from, const char *kind, const char *value)
{
    printf("      timing () {\n        related_pin : \"%s\";\n        %s : %s;\n", from, kind,
           value);
}

/* Both edges of an output from one pin of a gate, in one of the two senses. */
static void print_sense(const struct liberty_arc *arcs, size_t n, const char *input,
                        const char *output, bool positive, unsigned drive)
{
    bool open = false;
    for (size_t i = 0; i < n; i++) {
        if (arcs[i].positive == positive && strcmp(arcs[i].input, input) == 0 &&
            strcmp(arcs[i].output, output) == 0) {
            if (!open) {
                open_timing(input, "timing_sense", positive ? "positive_unate" : "negative_unate");
            }
            open = true;
            print_edge(&arcs[i], drive);
        }
    }
    printf("%s", open ? "      }\n" : "");
}

static void print_gate_arcs(const struct cell *cell, const struct technology *technology,
                            const struct figures *f, const char *output, unsigned drive)
{
    struct liberty_arc arcs[LIBERTY_ARCS];
    const size_t n = liberty_arcs(cell, technology, f, arcs);
    char pins[64], *rest = NULL;
    snprintf(pins, sizeof pins, "%s", cell->inputs);
    for (char *pin = strtok_r(pins, " ", &rest); pin != NULL; pin = strtok_r(NULL, " ", &rest)) {
        print_sense(arcs, n, pin, output, true, drive);
        print_sense(arcs, n, pin, output, false, drive);
    }
}

/* From the clock, or through an open latch. */
static void print_stored_arc(const struct technology *technology, const struct figures *f,
                             const char *from, const char *kind, const char *value, unsigned drive)
{
    const double of_slew = liberty_slew_share * liberty_table_slew_ps;
    open_timing(from, kind, value);
    for (enum edge edge = RISE; edge <= FALL; edge++) {
        const double *unit = technology->slope[edge];
        const double slope = f->slope_ps_per_ff * unit[1] / technology->slope[RISE][1];
        const double before = technology->slope[edge == RISE ? FALL : RISE][1];
        const struct liberty_arc arc = {
            .edge = edge,
            .slew_share = liberty_slew_share,
            .intrinsic_ps = f->intercept_ps - of_slew + (drive - 1) * technology->gate_ff * before,
            .slope_ps_per_ff = slope,
            .own_ps = slope * liberty_drains_ff(),
        };
        print_edge(&arc, drive);
    }
    printf("      }\n");
}

static void print_check(const char *type, double limit_ps)
{
    open_timing("CK", "timing_type", type);
    for (int e = 0; e < 2; e++) {
        printf("        %s_constraint (by_slew) { values (\"%.6f, %.6f\"); }\n",
               e == 0 ? "rise" : "fall", limit_ps, limit_ps);
    }
    printf("      }\n");
}

static void print_inputs(const struct cell *cell, const struct figures *f, double setup_ps,
                         unsigned drive)
{
    char pins[64], *rest = NULL;
    const double capacitance = f->input_cap_ff * (cell->kind == GATE ? drive : 1);
    snprintf(pins, sizeof pins, "%s%s", cell->inputs,
             cell->kind == FLOP    ? " CK"
             : cell->kind == LATCH ? " G"
                                   : "");
    for (char *pin = strtok_r(pins, " ", &rest); pin != NULL; pin = strtok_r(NULL, " ", &rest)) {
        printf("    pin (%s) {\n      direction : input;\n      capacitance : %.6f;\n", pin,
               capacitance);
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

static void print_outputs(const struct cell *cell, const struct technology *technology,
                          const struct figures *f, unsigned drive)
{
    char pins[128], *rest = NULL;
    snprintf(pins, sizeof pins, "%s", cell->output);
    for (char *pin = strtok_r(pins, " ", &rest); pin != NULL; pin = strtok_r(NULL, " ", &rest)) {
        char *function = strchr(pin, '=');
        *function++ = '\0';
        printf("    pin (%s) {\n      direction : output;\n      function : \"%s\";\n", pin,
               function);
        if (cell->kind == GATE) {
            print_gate_arcs(cell, technology, f, pin, drive);
        } else {
            print_stored_arc(technology, f, cell->kind == FLOP ? "CK" : "G", "timing_type",
                             "rising_edge", drive);
        }
        if (cell->kind == LATCH) {
            print_stored_arc(technology, f, "D", "timing_sense", "positive_unate", drive);
        }
        printf("    }\n");
    }
}

static double area_um2(const struct cell *cell, const struct figures *f, unsigned drive)
{
    unsigned inside = 0, driving = cell->kind == FLOP ? 2 : 1;
    if (cell->kind == GATE) {
        liberty_pairs(cell, &inside, &driving);
    }
    const unsigned more_inside = drive > 2 ? inside * (drive / 2 - 1) : 0;
    return f->area_um2 + site_um2 * (more_inside + driving * (drive - 1));
}

static void print_cell(const struct cell *cell, const struct technology *technology,
                       const struct figures *f, double setup_ps, unsigned drive)
{
    printf("  cell (%s_X%u) {\n    area : %.6f;\n    cell_leakage_power : %.6f;\n", cell->name,
           drive, area_um2(cell, f, drive), f->leakage_nw * drive);
    if (cell->kind == FLOP) {
        printf("    ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"CK\"; %s}\n",
               cell->asynchronous);
    } else if (cell->kind == LATCH) {
        printf("    latch (IQ, IQN) { data_in : \"D\"; enable : \"G\"; }\n");
    }
    print_inputs(cell, f, setup_ps, drive);
    print_outputs(cell, technology, f, drive);
    printf("  }\n");
}

static void print_head(void)
{
    printf("/* 45 nm class, made by make_liberty: planes over slew and load. */\n"
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
           "    index_1 (\"0, %.1f, %.1f, %.1f\");\n    index_2 (\"0, %.1f, %.1f, %.1f\");\n  }\n"
           "  lu_table_template (by_slew) {\n    variable_1 : related_pin_transition;\n"
           "    index_1 (\"0, 1000\");\n  }\n",
           step_slew_ps, 2 * step_slew_ps, 3 * step_slew_ps, step_load_ff, 2 * step_load_ff,
           3 * step_load_ff);
}

static bool print_library(const struct cost_csv *csv, const char *path)
{
    struct figures latch, inverter, nor[3], nand[2];
    if (!read_figures(csv, path, "DLH", &latch) || !read_figures(csv, path, "INV", &inverter) ||
        !read_figures(csv, path, "NOR2", &nor[0]) || !read_figures(csv, path, "NOR3", &nor[1]) ||
        !read_figures(csv, path, "NOR4", &nor[2]) || !read_figures(csv, path, "NAND3", &nand[0]) ||
        !read_figures(csv, path, "NAND4", &nand[1])) {
        return false;
    }
    struct technology technology;
    liberty_technology(&technology, &inverter, nor, nand);
    const double setup_ps = latch.intercept_ps - 2 * inverter.intercept_ps;
    print_head();
    for (size_t i = 0; i < liberty_n_cells; i++) {
        struct figures figures;
        if (!read_figures(csv, path, liberty_cells[i].name, &figures)) {
            return false;
        }
        for (unsigned drive = 1; drive <= liberty_cells[i].greatest_drive; drive *= 2) {
            print_cell(&liberty_cells[i], &technology, &figures, setup_ps, drive);
        }
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
