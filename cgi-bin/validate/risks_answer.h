/* risks_answer: the risks that an answer of the gate has. */
#ifndef LOADLINE_VALIDATE_RISKS_ANSWER_H
#define LOADLINE_VALIDATE_RISKS_ANSWER_H

#include "codec/jw.h"

/* What was found, an array of that many, then the lines of the cluster's summary
 * (store/gate_summary.h): GATE_SUMMARY_RISKS_MAX in all. Where there is no room for all, the
 * cheapest before those that are exempt are left out. */
void risks_write(struct jw *w, struct str findings, uint32_t found, struct str lines);

#endif
