/* risks_answer: the risks that an answer of the gate has, when it is given and when it is read
 * back. */
#ifndef LOADLINE_WEB_RISKS_ANSWER_H
#define LOADLINE_WEB_RISKS_ANSWER_H

#include "codec/jw.h"

/* The member `risks`: findings, a JSON array of objects, then the lines of the cluster's summary
 * (store/gate_summary.h), the last one with or without its newline: GATE_SUMMARY_RISKS_MAX in all.
 * Where there is no room for all, the cheapest before those that are exempt are left out. */
void risks_answer_write(struct jw *w, struct str findings, struct str lines);

#endif
