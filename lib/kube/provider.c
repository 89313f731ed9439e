#include "kube/provider.h"

#include "kube/selector.h"

/* The scheme of providerID, as the cloud provider's controller writes it. */
static const struct {
    struct str scheme, provider;
} schemes[] = {
    {STR("aws"), STR("aws")},
    {STR("gce"), STR("gcp")},
    {STR("azure"), STR("azure")},
    {STR("digitalocean"), STR("digitalocean")},
    {STR("linode"), STR("linode")},
    {STR("hcloud"), STR("hetzner")},
    {STR("ibm"), STR("ibm")},
    {STR("ibmcloud"), STR("ibm")},
    {STR("oci"), STR("oracle")},
    {STR("openstack"), STR("openstack")},
    {STR("vsphere"), STR("vsphere")},
    {STR("vultr"), STR("vultr")},
    {STR("scaleway"), STR("scaleway")},
    {STR("exoscale"), STR("exoscale")},
    {STR("equinixmetal"), STR("equinixmetal")},
    {STR("alicloud"), STR("alibaba")},
    {STR("kind"), STR("kind")},
    {STR("k3s"), STR("k3s")},
};

/* Labels that only nodes of that provider carry. */
static const struct {
    struct str label, provider;
} labels[] = {
    {STR("node.openshift.io/os_id"), STR("openshift")},
    {STR("eks.amazonaws.com/nodegroup"), STR("aws")},
    {STR("cloud.google.com/gke-nodepool"), STR("gcp")},
    {STR("kubernetes.azure.com/cluster"), STR("azure")},
    {STR("doks.digitalocean.com/node-id"), STR("digitalocean")},
    {STR("minikube.k8s.io/name"), STR("minikube")},
    {STR("k3s.io/hostname"), STR("k3s")},
    {STR("microk8s.io/cluster"), STR("microk8s")},
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
