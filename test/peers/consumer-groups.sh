#!/usr/bin/env bash
# Apache Kafka's group tools against our broker: console-consumer and verifiable-consumer in groups, consumer-groups
# (list, describe, reset, delete), and the answers of both brokers to the same requests. PEER_KAFKA gives the path of
# Kafka's start script; PEER_BROKER (host:port of a fresh Kafka with group.initial.rebalance.delay.ms=0) adds the last.
source "$(dirname "${BASH_SOURCE[0]}")/broker.sh"

start_broker group.initial.rebalance.delay.ms=0 num.partitions=2
seq 1 1000 >"$work/numbers"

consume() { # group, count
  kafka console-consumer --bootstrap-server "$server" --topic numbers --group "$1" --from-beginning \
    --max-messages "$2" --timeout-ms 60000 2>/dev/null | sort -n | diff - "$work/numbers"
}
groups() { kafka consumer-groups --bootstrap-server "$server" "$@"; }
listed() { groups --list | grep -qx "$1"; }
unlisted() { ! listed "$1"; }
described() { # group, committed offsets of both partitions
  groups --describe --group "$1" | awk -v g="$1" '$1 == g && $2 == "numbers" { sum += $4; lag += $6 } END { print sum, lag }' |
    grep -qx "$2"
}
state() { groups --describe --group "$1" --state | grep -qE "$2"; }
reset() { groups --reset-offsets --group "$1" --topic numbers "${@:2}"; }
verified() {
  timeout 60 "$PEER_KAFKA" verifiable-consumer --bootstrap-server "$server" --topic numbers --group-id verified \
    --reset-policy earliest --max-messages 1000 | grep -c '"name":"offsets_committed".*"success":true' | grep -qv '^0$'
}

check 'produce' kcat -P -b "$server" -t numbers -l "$work/numbers"
check 'console-consumer --group reads everything' consume first 1000
check 'consumer-groups --list' listed first
check 'consumer-groups --describe: offsets and lag' described first '1000 0'
check 'consumer-groups --describe --state: Empty' state first 'Empty *0'
check 'reset-offsets --dry-run' reset first --to-earliest --dry-run
check 'the dry run changed nothing' described first '1000 0'
check 'reset-offsets --to-offset' reset first --to-offset 10 --execute
check 'the offsets are reset' described first '20 980'
check 'reset-offsets --to-earliest' reset first --to-earliest --execute
check 'the group reads everything again' consume first 1000
check 'consumer-groups --delete-offsets' groups --delete-offsets --group first --topic numbers:0
check 'verifiable-consumer commits' verified
check 'consumer-groups --delete' groups --delete --group first
check 'the group is gone' unlisted first
stop_broker
start_broker
check 'after a restart groups are there' listed verified
if [[ -n ${PEER_BROKER:-} ]]; then
  check 'both brokers answer the same' npx tsx test/peers/groups-diff.ts "$PEER_BROKER" "$server"
fi
finish
