#!/usr/bin/env bash
# Behaviour: `transaction` whose callback throws rejects, and keeps the entries that the callback had put;
#   `transactionSync` and `childTransaction` take them back. Of `put` and a `transactionSync` after it in the same turn, the
#   earlier `put` wins. Removing a missing key is true by `remove` and false by `removeSync`.
# Guess before the run: a transaction that throws leaves nothing, the later write wins, both removals say false.
# Why it matters here: the embedded event store appends several entries as one act. It relies on no transaction that
#   could throw: it decides first, and then all puts of the act are made in one turn, which lmdb commits together
#   (libs/embedded-event-store/src/storage/log-store.ts).
# Version and source: lmdb 3.5.6; found while the embedded event store was built.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts --save-exact lmdb@3.5.6
cat >run.cjs <<'JS'
const { deepStrictEqual } = require('node:assert');
const { readFileSync } = require('node:fs');
const { open } = require('lmdb');
const { version } = JSON.parse(readFileSync('node_modules/lmdb/package.json', 'utf8'));

async function main() {
  const db = open({ path: './store' });
  const kept = {};
  for (const kind of ['transaction', 'transactionSync', 'childTransaction']) {
    try {
      await db[kind](() => {
        db.put(kind, 1);
        throw new Error('refused');
      });
    } catch (error) {
      kept[kind] = error.message === 'refused' && db.get(kind) === 1;
    }
  }
  const put = db.put('key', 'first');
  db.transactionSync(() => db.put('key', 'second'));
  await put;
  const seen = {
    kept,
    winner: db.get('key'),
    removed: { remove: await db.remove('missing'), removeSync: db.removeSync('missing') },
  };
  await db.close();
  console.log(`lmdb ${version}`);
  console.log(seen);
  deepStrictEqual(seen, {
    kept: { transaction: true, transactionSync: false, childTransaction: false },
    winner: 'first',
    removed: { remove: true, removeSync: false },
  });
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
JS
node run.cjs
