/* What the answer of POST /api/validate tells of a manifest. */
#ifndef LOADLINE_VALIDATE_FORECAST_ANSWER_H
#define LOADLINE_VALIDATE_FORECAST_ANSWER_H

#include "codec/jw.h"
#include "web/forecast.h"

/* Members of the object that is open. score: the predicted one, 0 to 100. Of each list as many
 * entries as have room, the rest as a count with its points. */
void forecast_write(struct jw *w, const struct forecast *forecast, int score);

#endif
