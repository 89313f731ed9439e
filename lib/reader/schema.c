#include "reader/schema.h"

/* Numbers and times have a value of their own for "absent", everything else is zero. */
void schema_set_absent(const struct schema *schema, void *structure)
{
    const int64_t none = NUMBER_ABSENT;
    _Static_assert(NUMBER_ABSENT == TIME_NONE, "one value says absent");
    for (unsigned i = 0; i < schema->fields_n; i++) {
        const struct field *field = &schema->fields[i];
        char *member = (char *)structure + field->offset;
        if (field->type == FIELD_INLINE)
            schema_set_absent(field->schema, member);
        else if (field->type == FIELD_NUMBER || field->type == FIELD_QUANTITY ||
                 field->type == FIELD_TIME)
            memcpy(member, &none, sizeof none);
    }
    if (schema->absent)
        schema->absent(structure);
}
