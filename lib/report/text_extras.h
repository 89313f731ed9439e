/* text_extras: what report_text() says about filters, the baseline, summaries and exemptions. */
#ifndef LOADLINE_REPORT_TEXT_EXTRAS_H
#define LOADLINE_REPORT_TEXT_EXTRAS_H

#include "base/buf.h"
#include "codec/source.h"
#include "report/extras.h"

/* extras: NULL is allowed. False when the sink refused. */
bool report_text_extras(struct buf *out, const struct ledger *ledger,
                        const struct report_extras *extras, struct sink sink);

#endif
