#include "score/verdict_basis.h"

#include "base/hash.h"
#include "kube/status.h"

enum { WORDS_AT_LEAST = 16, WORDS_A_POD = 3 };

static void put_text(basis_list *basis, struct str text)
{
    for (size_t at = 0; at < text.n; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, text.p + at, text.n - at < sizeof word ? text.n - at : sizeof word);
        LIST_PUT(*basis, word);
    }
}

static bool put_content(basis_list *basis, const struct object *object)
{
    LIST_PUT(*basis, object->content);
    return object->content != 0;
}

/* There are many pods to a node. */
static uint64_t state_of(struct basis_nodes *nodes, const struct node *node)
{
    struct basis_node *known = &nodes->of[hash_pointer(node) % BASIS_NODES];
    if (known->node != node) {
        bool tells = condition_find(node->conditions, STR("Ready")) != NULL;
        *known =
            (struct basis_node){node, 1 | (uint64_t)tells << 1 | (uint64_t)node_ready(node) << 2};
    }
    return known->state;
}

static void put_node(struct basis_nodes *nodes, basis_list *basis, const struct node *node)
{
    LIST_PUT(*basis, node ? state_of(nodes, node) : 0);
    LIST_PUT(*basis, node ? (uint64_t)node->restarted : 0);
}

/* Words of its own for what has no limit of one byte. */
static bool put_around(basis_list *basis, const struct around *around)
{
    uint64_t flags =
        (uint64_t)around->has_account << 0 | (uint64_t)around->has_default_account << 1 |
        (uint64_t)around->has_service << 2 | (uint64_t)around->has_labels << 3 |
        (uint64_t)around->has_summary_policies << 4 | (uint64_t)around->has_budget << 5 |
        (uint64_t)around->has_summary_budgets << 6 | (uint64_t)(around->namespace != NULL) << 7;
    flags |= (uint64_t)around->automount << 8 | (uint64_t)around->may_rest << 15 |
             (uint64_t)around->directions << 16 | (uint64_t)around->component << 24 |
             (uint64_t)around->policies << 32;
    LIST_PUT(*basis, flags);
    LIST_PUT(*basis, (uint64_t)around->minimum);
    LIST_PUT(*basis, around->service.n);
    put_text(basis, around->service);
    return !around->namespace || put_content(basis, &around->namespace->object);
}

static uint32_t words_of(const struct workload *workload, const struct around *around)
{
    return WORDS_AT_LEAST + (uint32_t)(around->service.n / sizeof(uint64_t)) +
           workload->children.n + workload->revisions.n + workload->pods.n * WORDS_A_POD;
}

/* Lists but the last begin with how long they are. */
bool basis_put(struct arena *arena, struct basis_nodes *nodes, basis_list *basis,
               const struct workload *workload, const struct around *around, bool left_out)
{
    LIST_RESERVE(arena, *basis, words_of(workload, around));
    bool known = put_content(basis, &workload->object) && put_around(basis, around);
    LIST_PUT(*basis, left_out);
    LIST_PUT(*basis, workload->children.n);
    for (uint32_t i = 0; known && i < workload->children.n; i++)
        known = put_content(basis, &workload->children.items[i]->object);
    LIST_PUT(*basis, workload->revisions.n);
    for (uint32_t i = 0; known && i < workload->revisions.n; i++)
        known = put_content(basis, &workload->revisions.items[i]->object);
    for (uint32_t i = 0; known && i < workload->pods.n; i++) {
        known = put_content(basis, &workload->pods.items[i]->object);
        put_node(nodes, basis, workload->pods.items[i]->node);
    }
    return known;
}
