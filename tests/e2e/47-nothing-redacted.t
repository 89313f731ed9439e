#!/bin/bash
# What is redacted is in no answer and in no file of the database: Secrets, ConfigMaps, environment,
# annotations, in every form of a snapshot.
. "$(dirname "$0")/lib.sh"
. tests/e2e/cluster.sh
own_stack
account Example

# Each value is told apart, so that one that is found says where it stood.
cluster 1 1 '.items += [
    {apiVersion: "v1", kind: "Secret", metadata: {name: "s", namespace: "shop",
        annotations: {"kubectl.kubernetes.io/last-applied-configuration": "{\"data\":{\"a\":\"planted-applied\"}}"}},
        data: {a: "planted-secret-data"}, stringData: {b: "planted-string-data"}},
    {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "c", namespace: "shop",
        managedFields: [{manager: "planted-manager", fieldsV1: {"f:planted-field": {}}}]},
        data: {a: "planted-config", "password.txt": "planted-password=x"}, binaryData: {b: "planted-binary"}},
    {apiVersion: "apps/v1", kind: "ControllerRevision", metadata: {name: "r", namespace: "shop"}, revision: 1,
        data: {spec: {template: {spec: {containers: [{name: "c", image: "i", env: [{name: "X", value: "planted-revision"}]}]}}}}},
    {apiVersion: "example.com/v1", kind: "Widget", metadata: {name: "w"}, spec: {token: "planted-widget"}}]
    | (.items[] | select(.kind == "Pod" or .kind == "Deployment")) |=
        (.metadata.annotations = {"kubectl.kubernetes.io/last-applied-configuration": "planted-workload-applied", "kapp.k14s.io/original": "planted-kapp"}
         | .metadata.managedFields = [{manager: "planted-workload-manager"}])
    | (.items[] | select(.kind == "Pod") | .spec.containers[0]) += {env: [{name: "PASSWORD", value: "planted-pod-env"}]}
    | (.items[] | select(.kind == "Deployment") | .spec.template.spec.containers[0]) += {env: [{name: "PASSWORD", value: "planted-template-env"}]}' >"$scratch/list.json"

# What looks like a secret, in each text that an object has: arguments, commands, probes, headers, messages of
# pods, conditions and events, annotations, labels, parameters of classes and volumes. Only what names an object,
# and times, are left alone. Each text gets three, as they stand in command lines, addresses and by their shape.
jq -c --arg now "$(date -u +%Y-%m-%dT%H:%M:%SZ)" '
    def container: {name: "api", image: "registry.example.com/api:1", imagePullPolicy: "Always", workingDir: "/x",
        command: ["sh", "-c"], args: ["run"], terminationMessagePath: "/y",
        ports: [{name: "http", protocol: "TCP", hostIP: "1.2.3.4", containerPort: 80}],
        volumeMounts: [{name: "data", mountPath: "/data", subPath: "s", subPathExpr: "e"}],
        env: [{name: "X", valueFrom: {fieldRef: {fieldPath: "metadata.name"}, secretKeyRef: {name: "s", key: "k"}}}],
        lifecycle: {postStart: {exec: {command: ["a"]}},
            preStop: {httpGet: {path: "/p", host: "h", port: 1, httpHeaders: [{name: "X-Y", value: "v"}]}}},
        livenessProbe: {exec: {command: ["sh", "-c", "curl"]}},
        readinessProbe: {httpGet: {path: "/p", host: "h", scheme: "HTTP", port: 1, httpHeaders: [{name: "X-Y", value: "v"}]}},
        securityContext: {seLinuxOptions: {level: "a", role: "b"}, procMount: "c"}};
    def spec: {containers: [container], initContainers: [container], nodeSelector: {a: "b"}, hostname: "h", subdomain: "d",
        priorityClassName: "p", schedulerName: "s", tolerations: [{key: "a", operator: "Equal", value: "b", effect: "NoSchedule"}],
        hostAliases: [{ip: "1.2.3.4", hostnames: ["a"]}], dnsConfig: {searches: ["x"], options: [{name: "a", value: "b"}]},
        volumes: [{name: "data", csi: {driver: "d", volumeAttributes: {a: "b"}}}, {name: "h", hostPath: {path: "/x"}},
            {name: "n", nfs: {server: "s", path: "/p"}}, {name: "f", flexVolume: {driver: "d", options: {a: "b"}}}]};
    def meta($name): {name: $name, namespace: "shop", uid: "uid-\($name)", creationTimestamp: $now,
        labels: {app: "sink"}, annotations: {"example.com/a": "b"}, finalizers: ["x/y"]};
    def planted($n): walk(if type == "string" then "\(.) --password=planted-option-\($n) https://u:planted-address-\($n)@h/x ghp_plantedPLANTED\($n)000000000000000000000000 \(.)" else . end);
    [{apiVersion: "v1", kind: "Pod", metadata: meta("sink-0"), spec: spec,
        status: {phase: "Pending", message: "m", reason: "r", conditions: [{type: "Ready", status: "False", reason: "r", message: "m"}],
            containerStatuses: [{name: "api", image: "i", imageID: "j", containerID: "k", restartCount: 9, ready: false,
                state: {waiting: {reason: "CrashLoopBackOff", message: "m"}},
                lastState: {terminated: {exitCode: 1, reason: "Error", message: "m", containerID: "c", finishedAt: $now}}}]}},
     {apiVersion: "apps/v1", kind: "Deployment", metadata: meta("sink"),
        spec: {replicas: 1, selector: {matchLabels: {app: "sink"}}, template: {metadata: {labels: {app: "sink"}, annotations: {a: "b"}}, spec: spec}},
        status: {conditions: [{type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "m"}]}},
     {apiVersion: "v1", kind: "Event", metadata: meta("sink.1"), type: "Warning", reason: "BackOff", message: "m",
        involvedObject: {kind: "Pod", namespace: "shop", name: "sink-0", fieldPath: "f"}, source: {component: "c", host: "h"}, count: 50,
        lastTimestamp: $now},
     {apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: meta("sink"), provisioner: "p", parameters: {a: "b"},
        mountOptions: ["o"], reclaimPolicy: "Delete"},
     {apiVersion: "v1", kind: "PersistentVolume", metadata: meta("sink"),
        spec: {csi: {driver: "d", volumeHandle: "v", volumeAttributes: {a: "b"}}, mountOptions: ["o"], storageClassName: "s"}, status: {phase: "Failed", message: "m"}},
     {apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: meta("sink"),
        spec: {ingressClassName: "i", rules: [{host: "h", http: {paths: [{path: "/p", pathType: "Prefix", backend: {service: {name: "s"}}}]}}], tls: [{hosts: ["a"], secretName: "s"}]}},
     {apiVersion: "v1", kind: "Service", metadata: meta("sink"), spec: {type: "ExternalName", externalName: "e", selector: {a: "b"}, ports: [{name: "p", port: 1}]}}]
    | to_entries | map(.key as $n | .value
        | (.spec, .status, .message, .reason, .source, .parameters, .mountOptions, .provisioner | select(. != null)) |= planted($n)
        | .metadata.annotations |= planted($n) | .metadata.labels |= planted($n))
    | map(select(.kind == "Pod").status.phase = "Pending" | select(.kind == "Pod").status.containerStatuses[0].name = "api")' \
    <<<null >"$scratch/sink.items"
jq -c --slurpfile sink "$scratch/sink.items" '.items += $sink[0]' "$scratch/list.json" >"$scratch/with-sink.json"
mv "$scratch/with-sink.json" "$scratch/list.json"
planted=$(grep -oE 'planted(-[a-z]+)+(-[0-9]+)?|plantedPLANTED[0-9]' "$scratch/list.json" | sort -u)
ok "values are planted" [ "$(wc -l <<<"$planted")" -ge 35 ]

jq -c '.items[]' "$scratch/list.json" >"$scratch/values.json"
jq . "$scratch/list.json" >"$scratch/pretty.json"
# Raw items, that say nothing of their kind.
jq -c '.items | group_by(.kind) | map({key: (.[0].kind | ascii_downcase + "s"), value: map(del(.kind, .apiVersion))}) | from_entries' \
    "$scratch/list.json" >"$scratch/collections.json"
sql "UPDATE tenants SET plan = 'enterprise' WHERE tenant_id = '$tenant'"
for form in list values pretty collections; do
    push "$form" "$scratch/$form.json"
    is "$form: pushed" "$status" 200
    validate "$form"
    cat "$scratch/body" >>"$scratch/answers"
    for path in "cluster?id=$form" "export?clusterId=$form" "export?clusterId=$form&format=csv" "export?clusterId=$form&format=ocsf" \
        "export?clusterId=$form&format=sarif" "score-history?clusterId=$form"; do
        get "/api/$path"
        [ "$status" = 200 ] || diag "$path: $status"
        cat "$scratch/body" >>"$scratch/answers"
    done
    get "/api/cluster?id=$form"
    is "$form: names and keys are there" "$(json -c '[.secrets[0].metadata.name, .configmaps[0].metadata.name, (.pods[0].spec.containers[0].env[0].name)]')" \
        '["s","c","PASSWORD"]'
done
ok "all was answered" [ "$(grep -cE '"kind": ?"Secret"' "$scratch/answers")" -ge 4 ]
empty "no planted value is in an answer" "$(grep -oF "$planted" "$scratch/answers" | sort | uniq -c)"
like "what stood around the secrets is there" "$(cat "$scratch/answers")" '--password=\[redacted\] https://u:\[redacted\]@h/x \[redacted\] m'

# ---- and in lines of logs
jq -nc '{namespace: "shop", pod: "api-0", container: "api", lines: [{message: "PASSWORD=planted-line level=info", level: "error"},
    {message: "-----BEGIN PRIVATE KEY-----"}, {message: "planted-key"}, {message: "-----END PRIVATE KEY-----"}]}' >"$scratch/lines.json"
planted+=$'\nplanted-line\nplanted-key'
request POST /ingest/logs -H "X-API-Key: $api_key" -H "X-Cluster-Id: list" --data-binary "@$scratch/lines.json"
is "lines are taken" "$status $(json .accepted)" "200 4"
get "/api/logs?cluster=list"
is "and kept without their secrets" "$(json -c '[.[].message] | sort')" \
    '["PASSWORD=[redacted] level=info","[redacted]","[redacted]","[redacted]"]'
stored_text TRUE >"$scratch/bodies"
is "no planted value is in a stored snapshot (one has no kinds)" "$(grep -cE '"kind": ?"Secret"' "$scratch/bodies") $(grep -oF "$planted" "$scratch/bodies" | sort | uniq -c)" "3 "
empty "nor in any column" "$(mariadb-dump --defaults-file="$stack_dir/admin.cnf" loadline 2>/dev/null | grep -oF "$planted" | sort | uniq -c)"
scripts/down --dir "$stack_dir"
empty "nor in a file of the database, a log or what is left elsewhere" "$(grep -razoF "$planted" "$stack_dir" | tr "\0" "\n" | sort | uniq -c)"
ok "where the names are" grep -razqF registry.example.com "$stack_dir/data"
done_testing
