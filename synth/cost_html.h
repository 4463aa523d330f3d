/* cost_html.h - drawings and tables of the HTML report. */
#ifndef WARPLOCK_SYNTH_COST_HTML_H
#define WARPLOCK_SYNTH_COST_HTML_H

#include "base/html.h"
#include "synth/cost_report.h"

/* Claimed against recomputed, port table and measured, one bar each, and what they are made of. */
void cost_html_figures(struct html *page, const struct cost_outcome *outcome);
/* Area or delay of every unit of a family, one bar per library, scaled by library. */
void cost_html_family(struct html *page, const struct cost_report *report, const char *family);
/* Memories, restructured units, bands. */
void cost_html_tables(struct html *page, const struct cost_report *report);
/* Opens a table with a row of titles, ended by NULL. */
void cost_html_open_table(struct html *page, const char *class, const char *const *titles);
/* Slack of a mapping of the unit, empty without a path. */
void cost_html_slack(struct html *page, const struct cost_unit_report *u,
                     const struct cost_mapping *m);
/* The unit as yosys show and dot draw it; nothing for a unit of more than some dozen cells. */
void cost_html_schematic(struct html *page, const struct cost_report *report,
                         const struct cost_unit_report *unit);

#endif
