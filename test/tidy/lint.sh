#!/usr/bin/env bash
# Lint and format of both languages. With --fix: format in place. clang-format is used where it is installed and
# said to be missing where it is not; .ci/run installs it.
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
npx eslint --config test/tidy/eslint.config.js --max-warnings 0 src test bench
echo 'lint: clean'
