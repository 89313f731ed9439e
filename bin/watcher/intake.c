#include "intake.h"

#include "base/log.h"

static void drop(struct intake *intake, const struct clean_identity *identity)
{
    intake->source->counts.dropped++;
    log_error("an object cannot be redacted and is left out kind=%" STR_FMT " namespace=%s name=%s",
              STR_ARG(kind_name(intake->kind->kind)), log_quote(identity->namespace),
              log_quote(identity->name));
    store_remove(intake->list, identity->namespace, identity->name);
}

static void put(struct intake *intake, struct str object, const struct clean_identity *identity)
{
    struct store_list *list = intake->list;
    if (!identity->name.n ||
        store_keep(list, identity->namespace, identity->name, identity->version))
        return;
    struct str text = clean_object(intake->source->cleaner, store_front(list), object);
    if (text.p)
        store_put(list, identity->namespace, identity->name, identity->version, text);
    else
        drop(intake, identity);
}

static void set_version(struct intake *intake, struct str version)
{
    intake->version.n = 0;
    bytes_put(&intake->version, version);
}

/* An error in the stream: the version that it began with is too old, mostly. */
static void take_error(struct intake *intake, const struct clean_watch *event)
{
    intake->broken = true;
    intake->failed |= event->error_code != 410;
}

static void take_event(struct intake *intake, struct str text)
{
    struct cleaner *cleaner = intake->source->cleaner;
    struct clean_watch event;
    struct clean_identity identity;
    if (!clean_watch(cleaner, text, &event) ||
        (event.event != CLEAN_ERROR && !clean_identify(cleaner, event.object, &identity))) {
        intake->broken = true;
        return;
    }
    if (event.event == CLEAN_ERROR) {
        take_error(intake, &event);
        return;
    }
    set_version(intake, identity.version);
    if (event.event == CLEAN_PUT)
        put(intake, event.object, &identity);
    else if (event.event == CLEAN_DELETED)
        store_remove(intake->list, identity.namespace, identity.name);
}

static void take_item(struct intake *intake, struct str text)
{
    struct clean_identity identity;
    listing_take_object(&intake->listing);
    if (clean_identify(intake->source->cleaner, text, &identity))
        put(intake, text, &identity);
    else if (clean_is_too_deep(intake->source->cleaner)) /* as the server would not take it */
        drop(intake, &identity);
    else
        intake->broken = true;
}

static void take_object(void *context, struct str text)
{
    struct intake *intake = context;
    if (intake->split.form == SPLIT_VALUES)
        take_event(intake, text);
    else
        take_item(intake, text);
}

/* As the server would not take it, either. What it begins with names it. */
static void take_large(void *context, struct str beginning)
{
    struct intake *intake = context;
    struct clean_identity identity;
    listing_take_object(&intake->listing);
    clean_identify(intake->source->cleaner, beginning, &identity);
    drop(intake, &identity);
}

void intake_init(struct intake *intake, struct api_source *source, const struct watched *kind,
                 struct store_list *list)
{
    *intake =
        (struct intake){.source = source,
                        .kind = kind,
                        .list = list,
                        .split = {.object = take_object, .large = take_large, .context = intake}};
}

void intake_free(struct intake *intake)
{
    split_free(&intake->split);
    listing_free(&intake->listing);
    bytes_free(&intake->version);
}

void intake_begin(struct intake *intake, enum split_form form)
{
    split_begin(&intake->split, form);
    intake->broken = intake->failed = false;
}

bool intake_is_sound(const struct intake *intake)
{
    return !intake->broken && intake->split.result == SPLIT_FINE;
}

bool intake_put(struct intake *intake, struct str bytes)
{
    bool lists = intake->split.form == SPLIT_ITEMS;
    split_put(&intake->split, bytes);
    if (lists)
        listing_take_bytes(&intake->listing, bytes.n);
    return intake_is_sound(intake) &&
           !(lists && listing_problem(&intake->listing, clock_monotonic()));
}

bool intake_end_page(struct intake *intake)
{
    struct clean_head head;
    if (!intake_is_sound(intake) || !split_is_whole(&intake->split) ||
        !clean_head(intake->source->cleaner, split_head(&intake->split), &head))
        return false;
    set_version(intake, head.version);
    listing_end_page(&intake->listing, head.next);
    return true;
}
