#!/usr/bin/env bash
# Apache Kafka's own tools against our broker: topics, get-offsets, console-producer, console-consumer (assigned),
# producer-perf-test. PEER_KAFKA gives the path of Kafka's start script. LINES sets the size (default 1,000,000).
source "$(dirname "${BASH_SOURCE[0]}")/broker.sh"
lines=${LINES_COUNT:-1000000}

start_broker
seq -f 'line %.0f, some words to make it as long as a line of a log file is' 1 "$lines" >"$work/lines"
sum=$(sha256sum <"$work/lines")

create() { kafka topics --bootstrap-server "$server" --create --topic "$@"; }
described() { # topic, pattern
  kafka topics --bootstrap-server "$server" --describe --topic "$1" | grep -q "$2"
}
listed() { kafka topics --bootstrap-server "$server" --list | grep -qx "$1"; }
unlisted() { ! listed "$1"; }
end_offset() { # topic, offset
  kafka get-offsets --bootstrap-server "$server" --topic "$1" --time "${3:--1}" | grep -qx "$1:0:$2"
}
produce() { # topic, codec
  kafka console-producer --bootstrap-server "$server" --topic "$1" --compression-codec "$2" \
    --command-property linger.ms=5 --command-property batch.size=100000 <"$work/lines"
}
same_by_console_consumer() {
  kafka console-consumer --bootstrap-server "$server" --topic "$1" --partition 0 --offset earliest \
    --max-messages "$lines" --timeout-ms 60000 2>/dev/null | sha256sum | grep -q "${sum%% *}"
}
same_by_kcat() {
  kcat -C -b "$server" -t "$1" -p 0 -o beginning -e -q | sha256sum | grep -q "${sum%% *}"
}

check 'topics --create' create made --partitions 3 --config retention.ms=1000000
check 'topics --list' listed made
check 'topics --describe' described made 'PartitionCount: 3.*ReplicationFactor: 1.*retention.ms=1000000'
check 'topics --delete' kafka topics --bootstrap-server "$server" --delete --topic made
check 'a deleted topic is not listed' unlisted made
for codec in none gzip snappy lz4 zstd; do
  check "topics --create $codec" create "lines-$codec"
  check "console-producer $codec" produce "lines-$codec" "$codec"
  check "get-offsets $codec" end_offset "lines-$codec" "$lines"
  check "kcat reads $codec" same_by_kcat "lines-$codec"
done
check 'console-consumer reads an assigned partition' same_by_console_consumer lines-lz4
check 'get-offsets --time -2' end_offset lines-none 0 -2
check 'producer-perf-test' kafka producer-perf-test --topic perf --num-records 500000 --record-size 100 \
  --throughput -1 --command-property bootstrap.servers="$server"
check 'producer-perf-test stored all' end_offset perf 500000

stop_broker
start_broker
for codec in none gzip snappy lz4 zstd; do
  check "after a restart kcat reads $codec" same_by_kcat "lines-$codec"
done
check 'after a restart console-consumer reads zstd' same_by_console_consumer lines-zstd
finish
