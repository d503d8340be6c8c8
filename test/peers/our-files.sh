#!/usr/bin/env bash
# Apache Kafka's DumpLogSegments over folders that our broker wrote, after a clean stop and after kill -9 and restart:
# it must find nothing wrong, and our own dump-log must print the same. PEER_KAFKA gives the path of Kafka's script.
source "$(dirname "${BASH_SOURCE[0]}")/broker.sh"

produce_some() { # small segments, every codec, idempotent batches, rolls
  seq 1 40000 >"$work/numbers"
  for codec in none gzip snappy lz4 zstd; do
    kcat -P -b "$server" -t "files-$codec" -p 0 -z "$codec" -X enable.idempotence=true -X batch.num.messages=200 \
      -l "$work/numbers" || return 1
  done
}
# Kafka's tool says of every segment that does not start at 0 that "-1 is followed by" its first offset, its own too.
complains() { sed -e '/^Non-consecutive offsets in/{N;/-1 is followed by/d}' "$1" | flagged; }
flagged() { grep -Ei 'mismatch|non-consecutive|not found|exception|error|misaligned|corrupt|isvalid: false'; }
sound() { # options: DumpLogSegments finds nothing wrong
  kafka dump-log "$@" >"$work/kafka-dump" 2>&1 && [[ -s $work/kafka-dump ]] && ! complains "$work/kafka-dump"
}
same() { # options: our dump-log prints what Kafka's prints
  kafka dump-log "$@" 2>/dev/null >"$work/kafka-dump"
  node dist/cli/main.js dump-log "$@" >"$work/our-dump" && diff "$work/kafka-dump" "$work/our-dump" >"$work/diff" ||
    { head -n 10 "$work/diff"; return 1; }
}
check_files() { # when
  local logs indexes times snapshots
  logs=$(ls "$work"/logs/files-*/*.log | paste -sd,)
  indexes=$(find "$work"/logs/files-* -name '*.index' -size +0 | sort | paste -sd,)
  times=$(find "$work"/logs/files-* -name '*.timeindex' -size +0 | sort | paste -sd,)
  snapshots=$(find "$work"/logs/files-* -name '*.snapshot' | sort | paste -sd,)
  check "$1: .log --deep-iteration" sound --files "$logs" --deep-iteration
  check "$1: .log --print-data-log is the same" same --files "$logs" --print-data-log
  check "$1: .index" sound --files "$indexes"
  check "$1: .index --index-sanity-check" sound --files "$indexes" --index-sanity-check
  check "$1: .index --verify-index-only" sound --files "$indexes" --verify-index-only
  check "$1: .timeindex" sound --files "$times"
  check "$1: .timeindex --index-sanity-check" sound --files "$times" --index-sanity-check
  check "$1: .snapshot" sound --files "$snapshots"
  check "$1: indexes and snapshots are printed the same" same --files "$indexes,$times,$snapshots"
}

start_broker log.segment.bytes=1048576 log.roll.ms=3600000
check 'kcat produces' produce_some
stop_broker
check_files 'clean stop'
start_broker log.segment.bytes=1048576
check 'kcat produces again' produce_some
kill -9 "$broker"; wait "$broker" 2>/dev/null
start_broker log.segment.bytes=1048576
check 'kcat produces after recovery' produce_some
stop_broker
check_files 'kill -9, recovery, clean stop'
finish
