#!/usr/bin/env bash
# Behaviour: ioredis subscribes again by itself when a connection comes back, and nothing handles the answer: where Redis
#   refuses the subscription, or the program closes the connection before the answer, the error is an unhandled rejection,
#   which ends a process of Node.js. The `catch` of the first `subscribe` does not see it, and no `error` event comes.
# Guess before the run: the connection emits `error`, and the process goes on.
# Why it matters here: a projector that ends while Redis comes back would end with code 1 and a stack in place of 0. So our
#   listening connection has `autoResubscribe: false`, and subscribes itself each time that it is ready.
# Version and source: ioredis 6.0.0 with Redis 7.0; found by a test that stopped a projector just after Redis was back.
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
const { strictEqual, deepStrictEqual } = require('node:assert');
const { once } = require('node:events');
const { Redis } = require('ioredis');
const { version } = require('ioredis/package.json');
const { setTimeout: sleep } = require('node:timers/promises');

const place = `${process.cwd()}/redis.sock`;

/** A subscriber whose connection comes back and may not subscribe. @returns the errors, by where they were met. */
async function comeBack() {
  const met = { handled: [], emitted: [], unhandled: [] };
  const note = (error) => met.unhandled.push(error.message);
  process.on('unhandledRejection', note);
  const other = new Redis(place);
  const redis = new Redis(place, { retryStrategy: () => 20 });
  redis.on('error', (error) => met.emitted.push(error.message));
  await redis.subscribe('news').catch((error) => met.handled.push(error.message));
  await other.call('ACL', 'SETUSER', 'default', '-subscribe');
  await other.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await once(redis, 'ready');
  await sleep(200);
  await other.call('ACL', 'SETUSER', 'default', '+@all');
  redis.disconnect();
  other.disconnect();
  process.off('unhandledRejection', note);
  return met;
}

async function main() {
  const { handled, emitted, unhandled } = await comeBack();
  console.log(`ioredis ${version}, ${process.version}`);
  console.log({ handled, emitted, unhandled });
  deepStrictEqual({ handled, emitted }, { handled: [], emitted: [] });
  strictEqual(unhandled.length, 1);
  strictEqual(/^NOPERM/.test(unhandled[0]), true);
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
JS
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  [ -S "$folder/redis.sock" ] && break
  sleep 0.2
done
node run.cjs
