#!/usr/bin/env bash
# `npm test`: lint, types, native unit tests under ASan+UBSan, then everything in vitest. Runs all stages even when one
# fails, and ends with a plain line "N passed, N failed".
#   test/run.sh [--short]   --short: the native tests without the TSan variant
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
passed=0 failed=0
failures=$(mktemp) # What failed, told once more at the end.

stage() { # name, command: counts one check
  local name=$1; shift
  echo "== $name"
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "== $name FAILED" | tee -a "$failures"; fi
}

counted() { # name, command whose last line is "N passed, N failed"
  local name=$1 out; shift
  out=$(mktemp)
  echo "== $name"
  "$@" 2>&1 | tee "$out"
  local status=${PIPESTATUS[0]} line
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$out" | tail -n 1)
  rm -f "$out"
  if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
    passed=$((passed + BASH_REMATCH[1])); failed=$((failed + BASH_REMATCH[2]))
    ((BASH_REMATCH[2] == 0)) || echo "== $name: $line" >>"$failures"
    ((status == 0 || BASH_REMATCH[2] > 0)) || failed=$((failed + 1))
  else
    failed=$((failed + 1)); echo "== $name ended with $status and no count" >&2
  fi
}

# What runs real processes against real clocks gets a second try, alone: its result counts, and it is named.
vitest() {
  local first second status again
  first=$(mktemp) second=$(mktemp)
  npx vitest run --config test/vitest.config.ts --reporter=default --reporter=json --outputFile.json="$first"
  status=$?
  mapfile -t again < <(node test/verdict.mjs "$first")
  if ((${#again[@]})); then
    echo "== A second try: ${again[*]}"
    npx vitest run --config test/vitest.config.ts --maxWorkers=1 --reporter=default --reporter=json \
      --outputFile.json="$second" "${again[@]}"
    status=$?
  fi
  node test/verdict.mjs "$first" "$second" | tee -a "$failures"
  rm -f "$first" "$second"
  return $status
}

stage lint bash test/tidy/lint.sh
stage types npx tsc --noEmit
counted 'native, ASan and UBSan' bash native/test.sh --asan
[[ ${1:-} == --short ]] || counted 'native, TSan' bash native/test.sh --tsan
counted vitest vitest
stage 'simulation of groups' npx tsx test/simulation/run.ts --seeds 10000 --seed 1

if grep -q '^== ' "$failures"; then
  echo '== What failed, or passed only at the second try'
  grep -vE '^[0-9]+ passed' "$failures"
fi
rm -f "$failures"
echo "$passed passed, $failed failed"
((failed == 0))
