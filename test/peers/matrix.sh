#!/usr/bin/env bash
# The client matrix (13 real client libraries) against our broker, for the capabilities that the broker has so far.
# MATRIX gives the path of the matrix' run script; further arguments go to it (--only CLIENT,...).
set -uo pipefail
if [[ -z ${MATRIX:-} ]]; then
  echo 'skipped: MATRIX (the path of the client matrix) is not set'
  echo '0 passed, 0 failed, 1 skipped'
  exit 0
fi
export PEER_KAFKA=${PEER_KAFKA:-unused}
source "$(dirname "${BASH_SOURCE[0]}")/broker.sh"
capabilities=metadata,describe-cluster,create-topic,describe-configs,delete-topic,list-offsets,list-offsets-max
capabilities+=,acks-0,acks-1,acks-all,idempotent,codec-none,codec-gzip,codec-snappy,codec-lz4,codec-zstd,headers,nulls
capabilities+=,large-record,too-large,create-time,log-append-time,partitioner,consume-offset,consume-end,out-of-range
capabilities+=,long-poll,volume,auto-create,unknown-topic,topic-deleted,alter-configs,create-partitions
start_broker
"$MATRIX" "$server" --cap "$capabilities" "$@"
status=$?
kill -TERM "$broker"; wait "$broker"
rm -rf "$work"
exit $status
