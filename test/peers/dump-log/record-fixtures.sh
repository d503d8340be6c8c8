#!/usr/bin/env bash
# Records test/fixtures/kafka-4.4/dump-log: a few files of a real broker, and what Kafka's tool prints for them.
# Arguments: the clean data folder, the legacy folder and the variants folder, as run.sh makes them.
set -euo pipefail
: "${PEER_KAFKA:?names the script that runs Kafka}"
clean=$1 legacy=$2 variants=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$here/../../fixtures/kafka-4.4/dump-log
export LC_ALL=C.UTF-8

rm -rf "$target"
mkdir -p "$target/expected"
cd "$target"
for topic in txn codec-gzip codec-snappy codec-lz4 codec-zstd append-none compacted binary; do
  mkdir "$topic"
  find "$clean/$topic-0" -type f -size -7k ! -name '*.deleted' ! -name '*checkpoint' ! -name partition.metadata \
    -exec cp {} "$topic" \;
done
for old in legacy-0-lz4 legacy-0-none legacy-1-gzip legacy-1-snappy-append control; do
  mkdir "$old"; cp "$legacy/$old-0"/* "$old"
done
for odd in time-swapped index-offset cut snapshots surrogates; do
  mkdir "$odd"; cp "$variants/$odd-0"/0000000000000000000* "$odd"
done

while read -r name arguments; do
  # shellcheck disable=SC2086 # The arguments are words.
  "$PEER_KAFKA" dump-log $arguments >"expected/$name.stdout" 2>"expected/$name.stderr"
  # Absolute names of this folder would differ elsewhere.
  sed -i "s,$PWD,<fixtures>,g" "expected/$name.stderr"
done < <(sed '/^#/d' "$here/../../unit/cli/dump-log-cases.txt")
find . -name '*.stderr' -empty -delete
