#!/usr/bin/env bash
# Compares our dump-log with Apache Kafka's DumpLogSegments over files of a real broker, in every option
# combination that matters: standard output and exit code must be the same, and so must standard error unless
# Kafka ended in an exception (whose stack trace nobody wants from us).
#
# PEER_KAFKA names the script that runs Kafka; PEER_PORT (default 19392) and the port above it must be free.
set -uo pipefail
if [[ -z ${PEER_KAFKA:-} ]]; then echo 'skipped: PEER_KAFKA is not set'; exit 0; fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
name=dump-log-$$
port=${PEER_PORT:-19392}
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
export LC_ALL=C.UTF-8
passed=0 failed=0

finish() { "$PEER_KAFKA" wipe -n "$name" >/dev/null 2>&1; rm -rf "$work"; }
trap finish EXIT

fail() { echo "dump-log: $*" >&2; exit 1; }

compare() { # title, arguments
  local title=$1 peer_code our_code; shift
  "$PEER_KAFKA" dump-log "$@" >"$work/peer.out" 2>"$work/peer.err"; peer_code=$?
  (cd "$root" && node_modules/.bin/tsx "$here/ours.ts" "$@") >"$work/our.out" 2>"$work/our.err"; our_code=$?
  local same=yes
  [[ $peer_code == "$our_code" ]] || { echo "exit code $our_code, Kafka's $peer_code"; same=no; }
  diff "$work/peer.out" "$work/our.out" | head -10
  [[ ${PIPESTATUS[0]} == 0 ]] || same=no
  if [[ $peer_code == 0 ]]; then
    diff "$work/peer.err" "$work/our.err" | head -10
    [[ ${PIPESTATUS[0]} == 0 ]] || same=no
  fi
  if [[ $same == yes ]]; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  echo "DIFFERS: $title: $*"
  head -3 "$work/peer.err" "$work/our.err"
}

listed() { # folder, patterns: their files as one argument, comma between them
  local folder=$1; shift
  local tests=() pattern
  for pattern; do tests+=(-o -name "$pattern"); done
  find "$folder" -type f \( "${tests[@]:1}" \) | sort | paste -sd,
}

compare_logs() { # title, files
  local options
  for options in '' --deep-iteration --print-data-log '--print-data-log --skip-record-metadata' \
    '--deep-iteration --skip-record-metadata' '--max-bytes 700 --deep-iteration' '--key-decoder-class'; do
    # shellcheck disable=SC2086 # The options are words.
    compare "$1" --files "$2" $options
  done
}

each() { # title, folder, options, patterns: one run a file, for files that may end the run
  local title=$1 folder=$2 options=$3 file; shift 3
  for file in $(listed "$folder" "$@" | tr ',' ' '); do
    # shellcheck disable=SC2086
    compare "$title" --files "$file" $options
  done
}

"$PEER_KAFKA" start -n "$name" -p "$port" -m 512m log.cleaner.backoff.ms=500 >"$work/start.log" 2>&1 \
  || { cat "$work/start.log"; fail "Kafka did not start"; }
"$python" "$here/produce.py" "127.0.0.1:$port" || fail 'the topics could not be filled'
data=$(sed -n 's/.*files in //p' "$work/start.log")/data
for _ in $(seq 1 40); do # until the cleaner has been at work
  [[ -z $(find "$data/compacted-0" -name '*.deleted') ]] || break
  sleep 0.5
done
cp -r "$data" "$work/live"   # the files as a crash would leave them
"$PEER_KAFKA" stop -n "$name"
cp -r "$data" "$work/clean"
rm -rf "$work"/{live,clean}/__consumer_offsets-*
"$PEER_KAFKA" java "$here/LegacySegments.java" "$work/legacy" || fail 'legacy segments could not be written'
(cd "$root" && node_modules/.bin/tsx "$here/make-variants.ts" "$work/clean/codec-none-0" "$work/clean/txn-0" "$work/variants") \
  || fail 'the variants could not be written'

compare_logs 'clean logs' "$(listed "$work/clean" '*.log' '*.checkpoint')"
compare_logs 'live logs' "$(listed "$work/live" '*.log' '*.checkpoint')"
compare_logs 'old formats' "$(listed "$work/legacy" '*.log')"
for state in clean live; do
  rest=$(listed "$work/$state" '*.txnindex' '*.snapshot' 'leader-epoch-checkpoint' 'partition.metadata')
  compare "$state state files" --files "$rest"
  # Internal topics without data have preallocated indexes over an empty log, which Kafka's tool cannot dump.
  rm -rf "$work/$state/__transaction_state"-*
done
for options in '' --verify-index-only; do
  # shellcheck disable=SC2086
  compare 'clean indexes' --files "$(listed "$work/clean" '*.index' '*.timeindex')" $options
  # shellcheck disable=SC2086
  compare 'live indexes' --files "$(listed "$work/live" '*.index' '*.timeindex')" $options
done
compare 'clean sanity' --files "$(listed "$work/clean" '*.index' '*.timeindex')" --index-sanity-check
each 'live sanity' "$work/live/txn-0" --index-sanity-check '*.index' '*.timeindex'
each 'small batches only' "$work/clean/txn-0" '--max-message-size 100' '*.index'
each 'variant logs' "$work/variants" --print-data-log "00000000000000000000.log"
# Kafka's tool reads each log to its end for every time entry and fails at a tail of zeros; ours stops at the batch.
rm "$work/variants/zero-tail-0/00000000000000000000.timeindex"
each 'variant indexes' "$work/variants" '' "00000000000000000000.index" "00000000000000000000.timeindex"
each 'variant sanity' "$work/variants" --index-sanity-check '00000000000000000000.index' '00000000000000000000.timeindex'
compare 'variant state' --files "$(listed "$work/variants/snapshots-0" '*.snapshot' '*.txnindex')"
compare 'missing file' --files "$work/none/00000000000000000000.log"
compare 'unknown option' --no-such-option
compare 'no files' --print-data-log

echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
