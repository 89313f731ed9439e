# fleet.jq: the states of the sample's clusters, made of shop.json. scripts/sample tells which had which when.
#
#   jq -c --arg state NAME -f etc/sample/fleet.jq etc/sample/shop.json

def since($time): .lastTransitionTime = $time;
def of($kind; $name): select(.kind == $kind and .metadata.name == $name);
def pod_of($app): select(.kind == "Pod" and .metadata.namespace == "shop" and (.metadata.name | startswith($app + "-")));

# A Deployment of which all runs, with that image.
def deployed($name; $image):
    (.items[] | of("Deployment"; $name)) |= (
        .spec.template.spec.containers[0].image |= sub(":[^:]*$"; ":" + $image)
        | .spec.replicas as $n
        | .status = (.status | del(.unavailableReplicas)
            | .conditions |= map(.status = "True" | since("2025-12-30T09:00:00Z") | .lastUpdateTime = "2025-12-30T09:00:00Z"
                | if .type == "Available" then .reason = "MinimumReplicasAvailable" | .message = "Deployment has minimum availability."
                  else .reason = "NewReplicaSetAvailable" | .message = "ReplicaSet has successfully progressed." end))
            + {availableReplicas: $n, readyReplicas: $n, replicas: $n, updatedReplicas: $n});

def running:
    .status |= (.phase = "Running" | .conditions |= map(.status = "True" | del(.message, .reason) | since("2025-12-30T09:00:00Z"))
        | .containerStatuses |= map(.ready = true | .started = true | .restartCount = 0 | .lastState = {}
            | .state = {running: {startedAt: "2025-12-30T09:00:00Z"}}));

# Everything runs: neither the release of checkout that cannot be pulled nor the leak of recommendations.
def repaired:
    .items |= map(select((.metadata.name | startswith("checkout-lg2xh5nsmq")) or .kind == "Event" | not))
    | deployed("checkout"; "2.7.4") | deployed("recommendations"; "0.7.2")
    | (.items[] | pod_of("recommendations")) |= running
    | (.items[] | of("ReplicaSet"; "recommendations-m4dqsbr8tc")).metadata.creationTimestamp = "2025-12-20T09:00:00Z"
    | (.items[] | select(.kind == "ReplicaSet" and .spec.replicas > 0)) |=
        (.spec.replicas as $n | .status += {availableReplicas: $n, readyReplicas: $n});

# A new release of an app: a ReplicaSet and pods of its own, and the ReplicaSet of before without any.
def replica_set_of($app):
    select(.kind == "ReplicaSet" and .spec.replicas > 0 and (.metadata.name | startswith($app + "-")));
def revision: .metadata.annotations["deployment.kubernetes.io/revision"];
def tagged($image): .image |= sub(":[^:]*$"; ":" + $image);
def hashed($hash): .metadata.labels["pod-template-hash"] = $hash;
def renamed($from; $to): .metadata.name |= ($to + .[$from | length:]);

def released($app; $image):
    first(.items[] | replica_set_of($app)) as $before
    | "6f7b9c5d84" as $hash | "\($app)-\($hash)" as $name | ($before | revision | tonumber + 1 | tostring) as $revision
    | ($before.metadata.uid | sub("^.{8}"; "5a17c0de")) as $uid
    | ($before | .metadata.name = $name | .metadata.uid = $uid | hashed($hash) | revision = $revision
        | .metadata.creationTimestamp = "2026-01-05T11:56:00Z"
        | .spec.selector.matchLabels["pod-template-hash"] = $hash
        | .spec.template |= (hashed($hash) | .spec.containers[0] |= tagged($image))) as $now
    | (.items[] | of("Deployment"; $app)) |= (revision = $revision | .spec.template.spec.containers[0] |= tagged($image))
    | (.items[] | pod_of($app)) |= (renamed($before.metadata.name; $name) | hashed($hash) | .metadata.generateName = $name + "-"
        | .metadata.creationTimestamp = "2026-01-05T11:56:01Z" | .metadata.ownerReferences[0] |= (.name = $name | .uid = $uid)
        | .spec.containers[0] |= tagged($image) | .status.containerStatuses |= map(tagged($image)))
    | (.items[] | replica_set_of($app)) |= (.spec.replicas = 0 | .status = {observedGeneration: 2, replicas: 0})
    | .items += [$now];

# One that stops as soon as it starts.
def broken($name; $image):
    released($name; $image)
    | (.items[] | of("Deployment"; $name)) |= (.spec.replicas as $n
        | .status |= (del(.availableReplicas, .readyReplicas) + {unavailableReplicas: $n, replicas: $n, updatedReplicas: $n}
            | .conditions |= map(if .type == "Available" then .status = "False" | .reason = "MinimumReplicasUnavailable"
                | .message = "Deployment does not have minimum availability." else . end | since("2026-01-05T11:56:00Z"))))
    | (.items[] | replica_set_of($name)).status |= del(.availableReplicas, .readyReplicas)
    | (.items[] | pod_of($name)).status |= (
        .conditions |= map(if .type == "Ready" or .type == "ContainersReady"
            then .status = "False" | .reason = "ContainersNotReady" | since("2026-01-05T11:57:00Z") else . end)
        | .containerStatuses |= map(.ready = false | .started = false | .restartCount = 6
            | .lastState = {terminated: {exitCode: 1, reason: "Error", startedAt: "2026-01-05T11:58:58Z", finishedAt: "2026-01-05T11:59:00Z"}}
            | .state = {waiting: {reason: "CrashLoopBackOff", message: "back-off 40s restarting failed container"}}));

# What kubectl rollout undo leaves behind a release: the ReplicaSet of before has the newest revision.
def rolled_back($name; $image):
    . as $whole | first(.items[] | replica_set_of($name)) as $first
    | released($name; $image)
    | first(.items[] | select(.metadata.name == "\($name)-6f7b9c5d84")) as $left
    | $whole | .items += [$left | .spec.replicas = 0 | .status = {observedGeneration: 2, replicas: 0}]
    | ($left | revision | tonumber + 1 | tostring) as $revision
    | (.items[] | of("Deployment"; $name)) |= (revision = $revision
        | (.status.conditions[] | select(.type == "Progressing")).lastUpdateTime = "2026-01-05T11:59:00Z")
    | (.items[] | replica_set_of($name)) |= (revision = $revision
        | .metadata.annotations["deployment.kubernetes.io/revision-history"] = ($first | revision));

# What the kubelet has said of an app whose container stops as soon as it starts.
def stopped($app):
    first(.items[] | pod_of($app)).metadata.name as $pod
    | .items += [{apiVersion: "v1", kind: "Event", type: "Warning", reason: "BackOff", count: 6,
        message: "Back-off restarting failed container \($app) in pod \($pod)_shop",
        firstTimestamp: "2026-01-05T11:57:30Z", lastTimestamp: "2026-01-05T11:59:00Z",
        metadata: {name: "\($pod).185f6d2b7c9a1e40", namespace: "shop", creationTimestamp: "2026-01-05T11:57:30Z"},
        involvedObject: {apiVersion: "v1", kind: "Pod", name: $pod, namespace: "shop"}, source: {component: "kubelet"}}];

def node_down($n):
    ([.items[] | select(.kind == "Node") | .metadata.name] | sort | .[$n]) as $name
    | (.items[] | of("Node"; $name)).status.conditions |= map(if .type == "Ready"
        then .status = "Unknown" | .reason = "NodeStatusUnknown" | since("2026-01-05T11:50:00Z") else . end);

# Somebody looks after this one: what shop has left undone is done.
def hardened:
    .items |= map(select(.metadata.name | test("^(admin|search|wishlist|log-collector)") | not))
    | .items |= map(select(.kind != "Secret"));

if $state == "healthy" then repaired | hardened
elif $state == "busy" then repaired | hardened | broken("cart"; "1.9.3")
elif $state == "good" then repaired
elif $state == "leak" then .items |= map(select(.metadata.name | startswith("checkout-lg2xh5nsmq") | not)) | deployed("checkout"; "2.7.4")
elif $state == "bad" then repaired | broken("frontend"; "2.15.0") | broken("checkout"; "2.8.0") | broken("cart"; "1.9.3")
    | stopped("frontend") | stopped("checkout") | stopped("cart")
elif $state == "undone" then repaired | stopped("frontend") | stopped("checkout") | stopped("cart") | rolled_back("frontend"; "2.15.0")
    | rolled_back("checkout"; "2.8.0")
elif $state == "tired" then repaired | hardened | node_down(0)
else error("no such state: \($state)") end
