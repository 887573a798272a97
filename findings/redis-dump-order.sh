#!/usr/bin/env bash
# Behaviour: Redis's DUMP is no fingerprint of a value. The bytes for a hash follow the order of its table, and a table that
#   grows or shrinks is moved to its new size a little with each command that touches it, reads included: two dumps of a
#   hash without a change in between differ, checksum and all. The replies of HGETALL are the same but for their order.
# Guess before the run: equal values have equal dumps, as long as nothing writes.
# Why it matters here: a chaos test compares the whole of Redis before and after a former holder of a lease goes on. It
#   compared dumps, and said now and then that the former holder had written. A program that compares two Redis, or a copy with its
#   source, meets the same; our test reads values by their type and sorts them.
# Version and source: Redis 7.0.15 (the file says which one ran), ioredis 6.0.0 as the client; found in a run of our chaos tests.
set -euo pipefail
command -v redis-server >/dev/null || { echo "Install redis-server first." >&2; exit 1; }
folder=$(mktemp -d)
trap 'kill "${redis:-}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit --save-exact ioredis@6.0.0
redis-server --port 0 --unixsocket "$folder/redis.sock" --save '' --appendonly no >/dev/null &
redis=$!
redis-server --version
cat >run.cjs <<'JS'
const { strictEqual, ok } = require('node:assert');
const { Redis } = require('ioredis');

async function main() {
  const redis = new Redis(`${process.cwd()}/redis.sock`);
  const value = 'v'.repeat(100);
  const rounds = 2000;
  let dumps = 0;
  let values = 0;
  for (let round = 0; round < rounds; round += 1) {
    await redis.hset('documents', `id-${round}`, value);
    await redis.hdel('documents', `id-${round - 20}`);
    const look = async () => [
      (await redis.dumpBuffer('documents')).toString('hex'),
      JSON.stringify(Object.entries(await redis.hgetall('documents')).sort()),
    ];
    const [dumpBefore, valueBefore] = await look();
    await redis.hmget('documents', `id-${round}`, `id-${round - 1}`);
    const [dumpAfter, valueAfter] = await look();
    if (dumpBefore !== dumpAfter) dumps += 1;
    if (valueBefore !== valueAfter) values += 1;
  }
  console.log(`${rounds} pairs of looks at an unchanged hash: ${dumps} with other bytes of DUMP, ${values} with other fields`);
  strictEqual(values, 0);
  ok(dumps > 0, 'the bytes of DUMP were always the same: the behaviour has changed');
  redis.disconnect();
}
void main();
JS
node run.cjs
