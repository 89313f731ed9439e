/* control_plane: the programs of the control plane, and the flags of theirs that are read
 * (control_plane.def). */
#ifndef LOADLINE_KUBE_CONTROL_PLANE_H
#define LOADLINE_KUBE_CONTROL_PLANE_H

#include "base/str.h"

/* "kube-apiserver" of "/usr/local/bin/kube-apiserver"; absent: it is none of these programs. */
struct str control_plane_program(struct str word);

/* Is "--name" or "--name=value" one of the flags that the table is about, of any program? */
bool control_plane_flag_is_read(struct str word);

/* The name without dashes, and its value; "true" when it has none. False: it is no flag. */
bool control_plane_flag(struct str word, struct str *name, struct str *value);

#endif
