/* api_use_text: the API versions in use as they are stored for the gate, a line each. */
#ifndef LOADLINE_STORE_API_USE_TEXT_H
#define LOADLINE_STORE_API_USE_TEXT_H

#include "gate/gate.h"
#include "score/api_use.h"

/* Empty when there are none. */
struct str api_use_text(struct arena *arena, const api_use_list *uses);
/* What it says. Slices point into the text. */
gate_api_list api_use_read(struct arena *arena, struct str text);

#endif
