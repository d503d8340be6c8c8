#!/usr/bin/env bash
# Lint and format of both languages. With --fix: format in place. clang-format and clang-tidy are used where they
# are installed and said to be missing where they are not; .ci/run installs them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mapfile -t native < <(git ls-files --cached --others --exclude-standard -- 'native/*.cc' 'native/*.h' 'bench/*.cc' 'bench/*.h')
scripts=('src/**/*.ts' 'test/**/*.ts' 'bench/**/*.ts' 'test/tidy/*.js' 'native/*.mjs')

if [[ ${1:-} == --fix ]]; then
  npx prettier --log-level warn --write "${scripts[@]}"
  clang-format --style=file:native/.clang-format -i "${native[@]}"
  npx eslint --config test/tidy/eslint.config.js --fix src test bench
  exit 0
fi

npx prettier --log-level warn --check "${scripts[@]}"
if command -v clang-format >/dev/null; then
  clang-format --style=file:native/.clang-format --dry-run --Werror "${native[@]}"
else
  echo 'lint: clang-format is not installed (apt-get install clang-format): C++ was not checked' >&2
fi
if command -v clang-tidy >/dev/null && command -v ninja >/dev/null; then
  cmake -G Ninja -S native -B build/native-lint >/dev/null
  grep -v '^native/binding/' native/sources.txt |
    xargs -P "$(nproc)" -n 6 clang-tidy --quiet --config-file=native/.clang-tidy -p build/native-lint 2>/dev/null
else
  echo 'lint: clang-tidy is not installed (apt-get install clang-tidy): C++ was only formatted' >&2
fi
npx eslint --config test/tidy/eslint.config.js --max-warnings 0 src test bench
echo 'lint: clean'
