/* cost_html.h - drawings of the HTML report. */
#ifndef WARPLOCK_SYNTH_COST_HTML_H
#define WARPLOCK_SYNTH_COST_HTML_H

#include "base/html.h"
#include "synth/cost_report.h"

/* Claimed against recomputed, port table and measured, one bar each, and what they are made of. */
void cost_html_figures(struct html *page, const struct cost_outcome *outcome);
/* Area or delay of every unit of a family, one bar per library, scaled by library. */
void cost_html_family(struct html *page, const struct cost_report *report, const char *family);
/* The unit as yosys show and dot draw it; nothing for a unit of more than some dozen cells. */
void cost_html_schematic(struct html *page, const struct cost_report *report,
                         const struct cost_unit_report *unit);

#endif
