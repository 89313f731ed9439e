#!/bin/bash
# etc/loadline.nft: how many connections an address may have. In a network of its own, so it wants root and nft.
. "$(dirname "$0")/../e2e/lib.sh"
if [ "$(id -u)" -ne 0 ] || ! command -v nft >/dev/null || ! unshare -n true 2>/dev/null; then
    skip_all "this wants root and the package nftables"
fi
cat >"$scratch/connect.py" <<'END'
import socket

held = []


def connect(family, to, source, count):
    made = 0
    for _ in range(count):
        client = socket.socket(family)
        try:
            client.bind((source, 0))
            client.connect((to, 443))
            made += 1
        except ConnectionRefusedError:
            pass
        held.append(client)
    return made


for family, to in (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"):
    listener = socket.socket(family)
    listener.bind((to, 443))
    listener.listen(4096)
    held.append(listener)
print(connect(socket.AF_INET, "127.0.0.1", "127.0.0.2", 250), connect(socket.AF_INET, "127.0.0.1", "127.0.0.3", 10),
      connect(socket.AF_INET6, "::1", "::1", 250), connect(socket.AF_INET, "127.0.0.1", "127.0.0.9", 250))
END
# shellcheck disable=SC2016 # for the shell inside
said=$(unshare -n sh -c 'ip link set lo up 2>/dev/null || ifconfig lo up
    nft -f "$1" && nft -f "$1" && nft add element inet loadline proxies4 "{ 127.0.0.9 }" && python3 "$2"' \
    sh etc/loadline.nft "$scratch/connect.py" 2>&1)
is "200 an address, others as before, IPv6 too, and no limit for a proxy" "$said" "200 10 200 250"
done_testing
