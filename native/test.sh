#!/usr/bin/env bash
# Builds and runs the native unit tests: native/test.sh [--asan | --tsan]. The last line sums the test cases.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

variant=plain sanitize=
case ${1:-} in
  --asan) variant=asan sanitize=address ;;
  --tsan) variant=tsan sanitize=thread ;;
  '') ;;
  *) echo "usage: native/test.sh [--asan | --tsan]" >&2; exit 2 ;;
esac

build=$root/build/native-$variant
mkdir -p "$root/build"
cmake -G Ninja -S "$root/native" -B "$build" -DSANITIZE=$sanitize >"$build.log" || {
  cat "$build.log" >&2
  exit 1
}
ninja -C "$build" --quiet

export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
status=0
output=$(ctest --test-dir "$build" --verbose 2>&1) || status=$?
echo "$output" | grep -vE '^(test [0-9]+|UpdateCTest|Constructing|Done constr|Internal ctest|Connected)' || true
# doctest prints "[doctest] test cases: 12 | 12 passed | 0 failed | 0 skipped" for each program.
echo "$output" | awk -v status="$status" '
  /\[doctest\] test cases:/ {
    for (i = 2; i <= NF; i++) {
      if ($i == "passed") passed += $(i - 1)
      if ($i == "failed") failed += $(i - 1)
    }
  }
  END {
    if (status != 0 && failed == 0) failed = 1  # A program that crashed printed no summary.
    printf "%d passed, %d failed\n", passed, failed
  }'
exit "$status"
