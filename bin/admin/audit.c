#include "audit.h"

#include <stdio.h>

#include "base/hex.h"
#include "base/log.h"
#include "store/audit.h"
#include "store/audit_chain.h"
#include "store/tenant_admin.h"

enum { SHOWN = 1000 };

struct verification {
    bool whole;
};

static void tell(void *context, const struct audit_report *report)
{
    struct verification *v = context;
    const struct audit_finding *finding = &report->finding;
    char head[2 * CRYPT_DIGEST + 1], noted[CLOCK_TEXT_SIZE];
    hex_encode(report->head.mac, CRYPT_DIGEST, head);
    if (report->head.position || report->waiting)
        printf("%" STR_FMT "  %s  checked=%lld waiting=%lld position=%lld head=%s\n",
               STR_ARG(report->head.tenant), finding->problem ? "BROKEN" : "whole",
               (long long)report->checked, (long long)report->waiting,
               (long long)report->head.position, head);
    if (!finding->problem)
        return;
    clock_format(finding->noted, noted);
    fflush(stdout);
    fprintf(stderr, "loadline-admin: tenant %" STR_FMT ", entry %" STR_FMT " of %s",
            STR_ARG(report->head.tenant), STR_ARG(finding->id), noted);
    if (finding->position)
        fprintf(stderr, ", position %lld", (long long)finding->position);
    fprintf(stderr, ": %s\n", finding->problem);
    v->whole = false;
}

enum error admin_audit_verify(struct program *program, int64_t now, bool *whole)
{
    struct verification v = {true};
    struct seal_keys keys;
    char error[SEAL_ERROR_SIZE] = "loadline.conf names no audit_keys: nothing is chained";
    enum error e = ERR_OK;
    if (!seal_keys_load(program->conf.audit_keys.s, &keys, error) || !keys.n) {
        fprintf(stderr, "loadline-admin: %s\n", error);
        v.whole = false;
    } else {
        e = audit_chain_verify(program->db, program->arena, &keys, now, program->conf.audit_days,
                               tell, &v);
    }
    crypt_wipe(&keys, sizeof keys);
    *whole = v.whole;
    return e;
}

enum error admin_audit_refusals(struct program *program, int64_t now)
{
    struct audit_rows rows;
    struct audit_filter filter = {
        .from = 0, .to = now, .page = {SHOWN, now + 1, str_of(AUDIT_SERVICE)}};
    tenant_admin_enter_service(program->db);
    enum error e = audit_list(program->db, program->arena, &filter, &rows);
    for (size_t i = 0; !e && i < rows.n; i++) {
        const struct audit_row *row = &rows.items[i];
        char at[CLOCK_TEXT_SIZE];
        clock_format(row->time, at);
        printf("%s  %-16" STR_FMT "  %-40" STR_FMT "  %s\n", at, STR_ARG(row->action),
               STR_ARG(row->address), log_quote(row->subject));
    }
    return e;
}
