#!/usr/bin/env bash
# Behaviour: BullMQ refuses a job id of two or four parts between colons ("a:b"), takes one of three ("a:b:c",
#   also with an empty part in the middle), refuses "12" and takes "0x1". `add` under an id that is there, or under a
#   deduplication id that is, answers with the data of this call, while Redis keeps the data of the first.
# Guess before the run: every colon is refused; the answer shows the job that is stored.
# Why it matters here: ids of retries are made of other ids, so that they hold no colon and begin with letters. A
#   program that reads `job.data` of such an answer works on a job that no worker will see.
# Version and source: bullmq 6.7.0 with ioredis 6.0.0 and Redis 7.0; found while retries were built.
set -euo pipefail
command -v redis-server >/dev/null || { echo "Install redis-server first." >&2; exit 1; }
folder=$(mktemp -d)
trap 'kill "${redis:-}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit --save-exact bullmq@6.7.0 ioredis@6.0.0
redis-server --port 0 --unixsocket "$folder/redis.sock" --save '' --appendonly no >/dev/null &
redis=$!
cat >run.cjs <<'JS'
const { deepStrictEqual } = require('node:assert');
const { Queue } = require('bullmq');
const { Redis } = require('ioredis');
const { version } = require('bullmq/package.json');

async function main() {
  const connection = new Redis(`${process.cwd()}/redis.sock`, { maxRetriesPerRequest: null });
  const queue = new Queue('q', { connection });
  const outcome = {};
  for (const jobId of ['a:b', 'a:b:c', 'a::c', 'a:b:c:d', '12', '0x1']) {
    outcome[jobId] = await queue.add('x', {}, { jobId }).then(
      () => 'taken',
      (error) => error.message,
    );
  }
  const told = {};
  for (const options of [{ jobId: 'same' }, { deduplication: { id: 'same' } }]) {
    await queue.add('x', { call: 1 }, options);
    const job = await queue.add('x', { call: 2 }, options);
    const stored = await queue.getJob(job.id);
    told[Object.keys(options)[0]] = { answered: job.data.call, stored: stored.data.call };
  }
  console.log(`bullmq ${version}`);
  console.log(outcome, told);
  await queue.close();
  connection.disconnect();
  const colon = 'Custom Id cannot contain :';
  deepStrictEqual(outcome, {
    ...{ 'a:b': colon, 'a:b:c': 'taken', 'a::c': 'taken', 'a:b:c:d': colon },
    ...{ 12: 'Custom Id cannot be integers', '0x1': 'taken' },
  });
  const differs = { answered: 2, stored: 1 };
  deepStrictEqual(told, { jobId: differs, deduplication: differs });
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
JS
node run.cjs
