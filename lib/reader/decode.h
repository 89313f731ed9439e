/* decode: JSON objects into structures, by schemas.
 *
 * The tables (schema_*.c) are the knowledge; this is the one small machine that obeys them:
 *
 *     null, a value of another type than the field's, and a missing member leave the field absent
 *     (model.h), whatever stood there before;
 *     of two members with the same key the last one counts, wholly;
 *     unknown members are skipped.
 *
 * Lists and structures marked as shared are kept once per content (intern.h).
 */
#ifndef LOADLINE_READER_DECODE_H
#define LOADLINE_READER_DECODE_H

#include "reader/decoder.h"
#include "reader/list_builder.h"
#include "reader/schema.h"

void decode_init(struct decoder *decoder, struct arena *arena, struct jr *jr,
                 enum redaction redaction);

/* The structure as it is when nothing is said: valid until the decoder ends. */
const void *decode_absent(struct decoder *decoder, const struct schema *schema);
/* Reads the current value, an object, into a structure that is as decode_absent() says. Does not
 * call the schema's finish(). */
void decode_members(struct decoder *decoder, const struct schema *schema, void *structure);
/* The same for the one member that decode_next() just returned. `seen` (0 before the first member)
 * is what was met already of this object. */
enum member { MEMBER_READ, MEMBER_REFUSED /* not of this type */, MEMBER_UNKNOWN };
enum member decode_member(struct decoder *decoder, const struct schema *schema, void *structure,
                          enum jr_type type, uint64_t *seen);

typedef bool decode_wanted(struct decoder *decoder, enum jr_type type, void *structure);

/* For functions of fields. The current value has the type that the name says. */
struct str decode_string(struct decoder *decoder);
struct str decode_key(struct decoder *decoder); /* of the member that it is the value of */
/* A whole number, or a string that is one, saturated at INT64_MAX / -INT64_MAX; 3.0 and 3e2 are
 * ones too. NUMBER_ABSENT: it is none. */
int64_t decode_number(struct decoder *decoder);
/* An object's string members, by key. `wanted`, when not NULL, says of each member (jr_key) whether
 * it is taken; it may read the value itself and say no. */
pair_list decode_pairs(struct decoder *decoder, decode_wanted *wanted, void *structure);
/* The same of quantities, which may be numbers too; all of them, as text. */
pair_list decode_amounts(struct decoder *decoder);
/* The same of words, which may be booleans too: "true", "false". */
pair_list decode_words(struct decoder *decoder);
/* An array of objects, put into the LIST() at `member`. */
void decode_list(struct decoder *decoder, const struct schema *schema, bool shared, void *member);

#endif
