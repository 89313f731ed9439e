#include "store/risk_content.h"

#include "base/hash.h"
#include "score/exemption.h"

enum { AGES_MS = 5 * 60 * 1000 };

/* As clock_format_age() writes them. */
static bool is_age_unit(struct str rest)
{
    size_t n = str_has_prefix(rest, STR(" s")) ? 2 : str_has_prefix(rest, STR(" min")) ? 4 : 0;
    char next = n && rest.n > n ? rest.p[n] : '.';
    return n && (next < 'a' || next > 'z');
}

/* A message without what moves on by itself: the number of an age below an hour ("45 s", "12 min").
 */
static uint64_t hash_words(uint64_t hash, struct str message, bool *has_age)
{
    size_t from = 0;
    *has_age = false;
    for (size_t i = 0; i < message.n; i++) {
        size_t digits = str_digits(str_sub(message, i, message.n));
        if (digits && is_age_unit(str_sub(message, i + digits, message.n))) {
            hash = hash_bytes(hash, str_sub(message, from, i - from));
            from = i + digits;
            *has_age = true;
        }
        i += digits;
    }
    return hash_bytes(hash, str_sub(message, from, message.n));
}

static uint64_t hash_exemption(uint64_t hash, const struct risk *risk)
{
    hash = hash_bytes(hash, (struct str){(const char *)&risk->would_cost, sizeof risk->would_cost});
    return risk->exemption ? hash_bytes(hash, risk->exemption->id) : hash;
}

int64_t risk_content(const struct risk *risk, int64_t time)
{
    bool has_age;
    uint64_t numbers[] = {risk->severity, risk->check->category, risk->count, risk->exempt};
    uint64_t hash = hash_bytes(0, (struct str){(const char *)numbers, sizeof numbers});
    hash = hash_words(hash, risk->message, &has_age);
    hash = hash_bytes(hash, risk->exempt_reason);
    if (risk->exempt || risk->exemption)
        hash = hash_exemption(hash, risk);
    hash = hash_bytes(hash, str_of(risk->absorbed_by ? risk->absorbed_by->id : ""));
    if (!has_age)
        return (int64_t)hash;
    uint64_t offset = hash_bytes(0, str_of(risk->id)) % AGES_MS;
    return (int64_t)(hash ^ ((uint64_t)time + offset) / AGES_MS);
}

/* ---- of all ---- */

static unsigned digit_of(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
}

unsigned risk_bucket(const struct risk *risk)
{
    return (digit_of(risk->id[0]) << 4 | digit_of(risk->id[1])) % RISK_BUCKETS;
}

/* In whatever order. */
void risk_hashes_of(const struct ledger *ledger, const int64_t *contents,
                    struct risk_hashes *hashes)
{
    *hashes = (struct risk_hashes){0};
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        hashes->buckets[risk_bucket(risk)] +=
            hash_bytes((uint64_t)contents[i], (struct str){risk->id, RISK_ID_LEN});
    }
}
