#!/usr/bin/env bash
# Behaviour: nodejs-polars says that it runs on Node.js 20, and its native part asks for 22. That part is an optional
#   dependency: npm on Node.js 20 leaves it out without a word and ends with 0, and a program that imports polars fails
#   by a module that cannot be found.
# Guess before the run: a release whose "engines" take Node.js 20 runs there, or is refused by npm.
# Why it matters here: docs/books.md has lines for polars, which finance runs beside the ledger, whose machines may have
#   Node.js 20. A test runs them with the last release that runs on all versions that the ledger takes.
# Version and source: nodejs-polars 0.26.1 and its package for Linux (0.25.2 and 0.26.0 alike, 0.24.1 loads), Node 20.20;
#   found when the lines were run.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
engines() { npm view "$1" engines.node | tail -n 1; }
changed() {
  echo 'The behaviour has changed.' >&2
  exit 1
}
whole=$(engines nodejs-polars@0.26.1)
part=$(engines nodejs-polars-linux-x64-gnu@0.26.1)
echo "node $(node --version); nodejs-polars 0.26.1 asks for \"$whole\", its native part for \"$part\""
[ "$whole" = '>= 20' ] && [ "$part" = '>= 22' ] || changed
install() { npm install --silent --no-fund --no-audit --save-exact "$1"; }
if node --version | grep -q '^v20'; then
  install nodejs-polars@0.26.1
  missing=$(node -e "require('nodejs-polars')" 2>&1 | grep -o "^Error: Cannot find module 'nodejs-polars-.*" || true)
  echo "0.26.1 is installed; loaded: $missing"
  [ -n "$missing" ] || changed
fi
install nodejs-polars@0.24.1
echo "0.24.1 is installed; loaded, 1 and 2 make $(node -p "require('nodejs-polars').Series('a', [1, 2]).sum()")"
