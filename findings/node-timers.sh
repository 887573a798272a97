#!/usr/bin/env bash
# Behaviour: a timer of 2,147,483,648 ms or more (25 days) fires after one millisecond, with a warning on stderr. So
#   does `AbortSignal.timeout`, which takes up to 4,294,967,295 ms without an error, and refuses more than that.
# Guess before the run: AbortSignal.timeout, which checks its range, holds whatever it takes.
# Why it matters here: ends of secrets, tokens and trials lie further away than 25 days. The ledger looks at due dates and
#   compares instants at such ends, and sets no timer for them.
# Version and source: Node 20.20 (and no package); found while limits of settings were tried.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >run.mjs <<'JS'
import { deepStrictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';

async function observe(ms) {
  let hasFired = false;
  const timer = setTimeout(() => (hasFired = true), ms);
  let signal;
  try {
    signal = AbortSignal.timeout(ms);
  } catch (error) {
    signal = { aborted: error.code };
  }
  await sleep(100);
  clearTimeout(timer);
  return { setTimeout: hasFired, signal: signal.aborted };
}

const seen = {};
for (const ms of [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32]) seen[ms] = await observe(ms);
console.log(`Node ${process.versions.node}: has fired after 100 ms?`);
console.log(seen);
deepStrictEqual(seen, {
  [2 ** 31 - 1]: { setTimeout: false, signal: false },
  [2 ** 31]: { setTimeout: true, signal: true },
  [2 ** 32 - 1]: { setTimeout: true, signal: true },
  [2 ** 32]: { setTimeout: true, signal: 'ERR_OUT_OF_RANGE' },
});
JS
node run.mjs
