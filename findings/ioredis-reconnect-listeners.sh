#!/usr/bin/env bash
# Behaviour: where `reconnectOnError` answers 2, ioredis ends the connection once for each call that is refused and not
#   once for the connection: each time it sets a timer and adds a `close` listener, so that eleven writes under way on
#   a server that was demoted make Node print a MaxListenersExceededWarning. All calls are sent again and answered.
# Guess before the run: one end for the connection; the other calls wait for the next one.
# Why it matters here: in a planned failover each program would print this warning once for each connection, though nothing
#   leaks: timers and listeners are gone when the connection is closed. So our sockets to Redis have no limit of listeners.
# Version and source: ioredis 6.0.0 with Redis 7.0; found while a server was demoted under load.
set -euo pipefail
command -v redis-server >/dev/null || { echo "Install redis-server first." >&2; exit 1; }
folder=$(mktemp -d)
trap 'kill "${redis:-}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit --save-exact ioredis@6.0.0
redis-server --port 0 --unixsocket "$folder/redis.sock" --save '' --appendonly no >/dev/null &
redis=$!
cat >run.cjs <<'JS'
const { deepStrictEqual } = require('node:assert');
const { Redis } = require('ioredis');
const { version } = require('ioredis/package.json');

/** How many writes under way are refused, and what Node warns of meanwhile. */
async function refuse(calls) {
  const place = `${process.cwd()}/redis.sock`;
  const other = new Redis(place);
  const redis = new Redis(place, { reconnectOnError: () => 2, retryStrategy: () => 50 });
  await redis.set('ready', 1);
  // An address where no master is.
  await other.replicaof('127.0.0.1', 1);
  const warnings = [];
  const note = ({ name }) => warnings.push(name);
  process.on('warning', note);
  let closed = 0;
  redis.once('close', async () => {
    closed += 1;
    await other.replicaof('NO', 'ONE');
  });
  const writes = Array.from({ length: calls }, (_, n) => redis.set(`key ${n}`, n));
  const answers = await Promise.all(writes);
  process.off('warning', note);
  redis.disconnect();
  other.disconnect();
  return { answered: answers.filter((answer) => answer === 'OK').length, closed, warnings };
}

async function main() {
  const few = await refuse(9);
  const many = await refuse(20);
  console.log(`ioredis ${version}, ${process.version}`);
  console.log({ 9: few, 20: many });
  deepStrictEqual(few, { answered: 9, closed: 1, warnings: [] });
  deepStrictEqual(many, { answered: 20, closed: 1, warnings: ['MaxListenersExceededWarning'] });
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
JS
node run.cjs
