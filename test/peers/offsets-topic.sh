#!/usr/bin/env bash
# Apache Kafka reads our __consumer_offsets: console-consumer with the formatters of offsets and groups, dump-log with
# --offsets-decoder over our files. PEER_KAFKA gives the path of Kafka's start script.
source "$(dirname "${BASH_SOURCE[0]}")/broker.sh"

start_broker group.initial.rebalance.delay.ms=0
seq 1 100 >"$work/numbers"
kcat -P -b "$server" -t numbers -l "$work/numbers"
kcat -b "$server" -G readers -X auto.offset.reset=earliest -c 100 numbers >"$work/read" 2>/dev/null

formatted() { # formatter, pattern
  kafka console-consumer --bootstrap-server "$server" --topic __consumer_offsets --from-beginning --timeout-ms 15000 \
    --formatter "org.apache.kafka.tools.consumer.$1" 2>/dev/null | grep -qE "$2"
}
decoded() { # pattern
  local logs
  logs=$(find "$work"/logs/__consumer_offsets-* -name '*.log' -size +0 | paste -sd,)
  kafka dump-log --offsets-decoder --files "$logs" 2>/dev/null | grep -qE "$1"
}

check 'kcat read in a group' diff <(sort -n "$work/read") "$work/numbers"
check 'OffsetsMessageFormatter' formatted OffsetsMessageFormatter '"group":"readers","topic":"numbers","partition":0.*"offset":100'
check 'GroupMetadataMessageFormatter' formatted GroupMetadataMessageFormatter '"group":"readers".*"protocolType":"consumer".*"protocol":"range"'
stop_broker
check 'dump-log --offsets-decoder: offsets' decoded '"group":"readers","topic":"numbers","partition":0.*"offset":100'
check 'dump-log --offsets-decoder: groups' decoded '"group":"readers".*"protocolType":"consumer"'
finish
