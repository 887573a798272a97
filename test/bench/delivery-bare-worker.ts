/** The limit of delivery: a worker of BullMQ that posts the bodies of its jobs, and nothing else. */
import process from 'node:process';
import { Worker } from 'bullmq';
import { request } from 'undici';
import { BARE_QUEUE, type BareJob } from './delivery-bare.js';

const url = process.env['BARE_URL'] ?? '';
const connection = { url: process.env['REDIS_URL'] ?? '', maxRetriesPerRequest: null };
const worker = new Worker<BareJob>(
  BARE_QUEUE,
  async ({ data: { headers, body } }) => {
    const answer = await request(url, { method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`);
  },
  { connection, concurrency: Number(process.env['BARE_CONCURRENCY']) },
);
process.once('SIGTERM', () => void worker.close().then(() => process.exit(0)));
await worker.waitUntilReady();
console.log(JSON.stringify({ program: 'bare', ready: true }));
