# Sourced by the peer suites: starts our broker in a folder of its own, counts checks, cleans up.
# Needs PEER_KAFKA, the path of a script that runs Apache Kafka's tools: "$PEER_KAFKA TOOL arguments".
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ -z ${PEER_KAFKA:-} ]]; then
  echo "skipped: PEER_KAFKA (the path of Apache Kafka's start script) is not set"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
passed=0 failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/millrace-peers-XXXXXX")
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
server=127.0.0.1:$port
broker=

start_broker() { # k=v settings
  local overrides=()
  for setting in "$@"; do overrides+=(--override "$setting"); done
  node dist/cli/main.js start --override "listeners=PLAINTEXT://$server" --override "log.dirs=$work/logs" "${overrides[@]}" >>"$work/broker.out" 2>&1 &
  broker=$!
  for _ in $(seq 1 200); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return 0
    kill -0 "$broker" 2>/dev/null || break
    sleep 0.1
  done
  cat "$work/broker.out" >&2
  echo 'the broker did not start' >&2
  exit 1
}

stop_broker() { kill -TERM "$broker" 2>/dev/null; wait "$broker"; }

check() { # name, command: passes when it ends with 0
  local name=$1; shift
  if "$@" >"$work/out" 2>&1; then
    passed=$((passed + 1)); echo "ok    $name"
  else
    failed=$((failed + 1)); echo "FAIL  $name"; tail -n 20 "$work/out" | sed 's/^/      /'
  fi
}

finish() {
  kill -9 "$broker" 2>/dev/null
  ((failed)) && echo "files are kept in $work" || rm -rf "$work"
  echo "$passed passed, $failed failed"
  ((failed == 0))
}

kafka() { "$PEER_KAFKA" "$@"; }
