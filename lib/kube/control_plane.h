/* control_plane: the programs of the control plane, and the flags of theirs that are read
 * (control_plane.def). */
#ifndef LOADLINE_KUBE_CONTROL_PLANE_H
#define LOADLINE_KUBE_CONTROL_PLANE_H

#include "base/str.h"

/* "kube-apiserver" of "/usr/local/bin/kube-apiserver"; absent: it is none of these programs. */
struct str control_plane_program(struct str word);

/* Is "--name" or "--name=value" one of the flags that the table is about, of any program? */
bool control_plane_flag_is_read(struct str word);

/* Does the word begin with a dash? One that does not is the value of the flag before it. */
bool control_plane_is_flag(struct str word);
/* The name without dashes, and its value; an absent one when the word has none. False: it is no
 * flag. etcd takes one dash as well as two. */
bool control_plane_flag(struct str word, struct str *name, struct str *value);
/* Is that the flag "tls-cert-file"? Programs take "tls_cert_file", too
 * (k8s.io/component-base/cli/flag: WordSepNormalizeFunc). */
bool control_plane_flag_is(struct str name, struct str wanted);

#endif
