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

# A new release of an app that stops as soon as it starts.
def broken($name; $image):
    (.items[] | of("Deployment"; $name)) |= (
        .spec.template.spec.containers[0].image |= sub(":[^:]*$"; ":" + $image)
        | .spec.replicas as $n
        | .status |= (del(.availableReplicas, .readyReplicas) + {unavailableReplicas: $n, replicas: $n, updatedReplicas: $n}
            | .conditions |= map(if .type == "Available" then .status = "False" | .reason = "MinimumReplicasUnavailable"
                | .message = "Deployment does not have minimum availability." else . end | since("2026-01-05T11:56:00Z"))))
    | (.items[] | pod_of($name)) |= (
        .spec.containers[0].image |= sub(":[^:]*$"; ":" + $image)
        | .status.conditions |= map(if .type == "Ready" or .type == "ContainersReady"
            then .status = "False" | .reason = "ContainersNotReady" | since("2026-01-05T11:57:00Z") else . end)
        | .status.containerStatuses |= map(.ready = false | .started = false | .restartCount = 6
            | .image |= sub(":[^:]*$"; ":" + $image)
            | .lastState = {terminated: {exitCode: 1, reason: "Error", startedAt: "2026-01-05T11:58:58Z", finishedAt: "2026-01-05T11:59:00Z"}}
            | .state = {waiting: {reason: "CrashLoopBackOff", message: "back-off 40s restarting failed container"}}));

# What kubectl rollout undo leaves: the ReplicaSet of before has the newest revision.
def rolled_back($name):
    (.items[] | of("Deployment"; $name)) |= (.metadata.annotations["deployment.kubernetes.io/revision"] |= (tonumber + 2 | tostring)
        | (.status.conditions[] | select(.type == "Progressing")).lastUpdateTime = "2026-01-05T11:59:00Z")
    | (.items[] | select(.kind == "ReplicaSet" and .spec.replicas > 0 and (.metadata.name | startswith($name + "-")))) |=
        (.metadata.annotations["deployment.kubernetes.io/revision"] as $was
         | .metadata.annotations["deployment.kubernetes.io/revision-history"] = $was
         | .metadata.annotations["deployment.kubernetes.io/revision"] = ($was | tonumber + 2 | tostring));

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
elif $state == "undone" then repaired | stopped("frontend") | stopped("checkout") | stopped("cart") | rolled_back("frontend") | rolled_back("checkout")
elif $state == "tired" then repaired | hardened | node_down(0)
else error("no such state: \($state)") end
