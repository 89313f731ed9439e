#include "kube/provider.h"

#include "kube/selector.h"

/* The scheme of providerID, as the cloud provider's controller writes it. */
static const struct {
    struct str scheme, provider;
} schemes[] = {
    {{"aws", 3}, {"aws", 3}},
    {{"gce", 3}, {"gcp", 3}},
    {{"azure", 5}, {"azure", 5}},
    {{"digitalocean", 12}, {"digitalocean", 12}},
    {{"linode", 6}, {"linode", 6}},
    {{"hcloud", 6}, {"hetzner", 7}},
    {{"ibm", 3}, {"ibm", 3}},
    {{"ibmcloud", 8}, {"ibm", 3}},
    {{"oci", 3}, {"oracle", 6}},
    {{"openstack", 9}, {"openstack", 9}},
    {{"vsphere", 7}, {"vsphere", 7}},
    {{"vultr", 5}, {"vultr", 5}},
    {{"scaleway", 8}, {"scaleway", 8}},
    {{"exoscale", 8}, {"exoscale", 8}},
    {{"equinixmetal", 12}, {"equinixmetal", 12}},
    {{"alicloud", 8}, {"alibaba", 7}},
    {{"kind", 4}, {"kind", 4}},
    {{"k3s", 3}, {"k3s", 3}},
};

/* Labels that only nodes of that provider carry. */
static const struct {
    struct str label, provider;
} labels[] = {
    {{"node.openshift.io/os_id", 23}, {"openshift", 9}},
    {{"eks.amazonaws.com/nodegroup", 27}, {"aws", 3}},
    {{"cloud.google.com/gke-nodepool", 29}, {"gcp", 3}},
    {{"kubernetes.azure.com/cluster", 28}, {"azure", 5}},
    {{"doks.digitalocean.com/node-id", 29}, {"digitalocean", 12}},
    {{"minikube.k8s.io/name", 20}, {"minikube", 8}},
    {{"k3s.io/hostname", 15}, {"k3s", 3}},
    {{"microk8s.io/cluster", 19}, {"microk8s", 8}},
};

static struct str provider_of_labels(const struct node *node)
{
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (pair_has(node->object.meta.labels, labels[i].label))
            return labels[i].provider;
    return (struct str){0};
}

static struct str provider_of_id(const struct node *node)
{
    struct str scheme;
    if (!str_cut(node->provider_id, ':', &scheme, NULL))
        return (struct str){0};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (str_eq(schemes[i].scheme, scheme))
            return schemes[i].provider;
    return (struct str){0};
}

/* Labels first: a distribution on a cloud says more than the cloud. */
struct str provider_of(const struct cluster *cluster)
{
    struct node **node;
    LIST_EACH (node, cluster->nodes) {
        struct str provider = provider_of_labels(*node);
        if (!provider.p)
            provider = provider_of_id(*node);
        if (provider.p)
            return provider;
    }
    return STR("unknown");
}

struct str region_of(const struct cluster *cluster)
{
    static const char *const keys[] = {"topology.kubernetes.io/region",
                                       "failure-domain.beta.kubernetes.io/region"};
    struct node **node;
    LIST_EACH (node, cluster->nodes) {
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            struct str region = pair_value((*node)->object.meta.labels, str_of(keys[i]));
            if (region.n)
                return region;
        }
    }
    return STR("unknown");
}
