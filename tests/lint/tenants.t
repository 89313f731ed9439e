#!/bin/bash
# No statement reaches another tenant's rows: whatever touches a table that has tenant_id is a TENANT
# row and says tenant_id once for each such table, or it is one of those named here.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. tests/lint/unchanged.sh
reads sql lib cgi-bin bin

tables=$(awk -F'`' '/^CREATE TABLE/ { name = $2 } /^ *`tenant_id` / { print name }' sql/schema.sql | sort -u)
ok "tables of tenants were found" [ "$(wc -l <<<"$tables")" -gt 10 ]
without=$(sed -n 's/^CREATE TABLE `\(.*\)` ($/\1/p' sql/schema.sql | grep -vxF "$tables")
is "two tables belong to no tenant" "$(xargs <<<"$without")" "oidc_logins rate_limit"

of_clusters=$(awk -F'`' '/^CREATE TABLE/ { name = $2 } /^ *`cluster` / { print name }' sql/schema.sql)
is "those without rows of clusters are emptied when a tenant is purged" \
    "$(sed -n 's/^TENANT_TABLE(\(.*\))$/\1/p' lib/store/tenant_tables.def | sort)" \
    "$(grep -vxF -e sessions -e tenants -e "$of_clusters" <<<"$tables")"

# statements: "name scope SQL", a line each, macros expanded
statements=$(printf '#define ROW(...)\n#define STMT(name, scope, parameters, row, sql) @@name scope sql\n#include "store/statements.def"\n' |
    gcc -E -P -x c -Ilib - | tr '\n' ' ' | sed 's/@@/\n/g' | sed 's/" *"//g; s/  */ /g; s/[;"]//g')
ok "statements were found" [ "$(grep -c ' TENANT ' <<<"$statements")" -gt 100 ]

# touched SQL: its tables of tenants, a line each
touched() {
    grep -oE '\b(FROM|JOIN|INTO|UPDATE) [a-z_]+' <<<"${1//KEY UPDATE/}" | cut -d' ' -f2 | grep -xF "$tables"
}

# Which find the tenant, belong to the operator of the service or to its housekeeping, and why.
global=$(sed -n 's/^\([a-z_]*\) .*/\1/p' <<'END_OF_LIST' | sort
user_by_email finds a user at login
session_by_token finds a session, and by it the tenant
apikey_by_hash finds a key, and by it the tenant
keyed_cluster_by_name finds a key, and by it the tenant
keyed_cluster_by_names likewise
keyed_push_find likewise
apikey_owner finds a key that is refused, and by it whose trail tells of it
tenant_list loadline-admin
session_purge what is old, whoever it was
audit_purge what is old
chain_next_tenant maintenance goes from tenant to tenant
known_address_has at a login, as long for a user that there is not
user_by_subject finds a user at a sign-in by an issuer
link_by_token finds a link, and by it the tenant
link_due the notifier mails for all
link_purge what is old
link_old how much of it there is
tenant_any whether there is an account yet
known_address_purge what is old
known_address_old how much of it there is
session_old how much of it there is
audit_old how much of it there is
removal_list the rest of what was deleted
cluster_disbelieve_all maintenance: what a wrong clock has stored
cluster_orphans what was deleted by hand
tenant_page maintenance goes from tenant to tenant
pack_page maintenance goes from cluster to cluster
delivery_count_due the notifier serves all
delivery_due the notifier serves all
delivery_due_of_many the notifier serves all
delivery_lock the notifier serves all
overview_clusters metrics
overview_deliveries metrics
END_OF_LIST
)
found=$(while read -r name scope sql; do
    [ "$scope" != GLOBAL ] || [ -z "$(touched "$sql")" ] || echo "$name"
done <<<"$statements" | sort)
is "statements without a tenant that touch a tenant's table are these" "$found" "$global"

few=$(while read -r name scope sql; do
    [ "$scope" = TENANT ] || continue
    of_tenants=$(touched "$sql" | wc -l) said=$(grep -oE '\btenant_id\b' <<<"$sql" | wc -l)
    [ "$of_tenants" -gt 0 ] || echo "$name touches no table of a tenant: $sql"
    [ "$said" -ge "$of_tenants" ] || echo "$name says tenant_id $said times of $of_tenants: $sql"
done <<<"$statements")
empty "the others say tenant_id for each" "$few"

# Only these may choose a tenant: where a credential is checked or a tenant is made, the notifier, the
# operator of the service, housekeeping. Handlers have it from the credential.
setters=$(grep -rlE '\bdb_set_tenant\(' cgi-bin bin lib --include='*.c' | sort | tr '\n' ' ')
is "the tenant is chosen in few places" "$setters" \
    "cgi-bin/auth.c cgi-bin/auth/oidc.c cgi-bin/people.c lib/db/db.c lib/store/audit_chain.c lib/store/delivery.c lib/store/history_pack.c lib/store/link.c lib/store/removal.c lib/store/retention.c lib/store/tenant.c lib/store/tenant_admin.c lib/web/admission.c lib/web/together.c "
done_testing
