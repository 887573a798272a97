/**
 * Durable commands over HTTP against raw appends of the same events: `appendToStream` of
 * `@eventstore/db-client`, the same client on the same store, with nothing of ours around it: what
 * the client alone gives. The ledger's own way of appending is measured beside it, since it is
 * faster: against the raw part alone, a cheaper append would make both faster and the ratio no better.
 * API and store run, projector and worker do not, in all of them, which take turns in several rounds.
 */
import { randomBytes } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { connectEventStore } from '#event-store/connect';
import { readConnectionString } from '../support/connection-string.js';
import { startRedis } from '../support/redis.js';
import { Appends, ownAppend, rawAppend } from './appends.js';
import { type BenchResult, median, progress } from './benchmark.js';
import { createCommandsTenant } from './commands-tenant.js';
import { HttpCommands } from './http-commands.js';
import { startProgram } from './program.js';

export const description =
  'durable cancel and reactivate commands over HTTP (HMAC), 64 in flight, against raw appends of the same events';

const ROUNDS = 7;
const ROUND_SECONDS = 3;

export async function run(): Promise<BenchResult> {
  const masterKey = randomBytes(32);
  const redis = await startRedis();
  const store = await startProgram('programs/event-store.js', {}, true);
  const eventStoreUrl = readConnectionString(store.ready);
  const client = connectEventStore(eventStoreUrl);
  const rawClient = EventStoreDBClient.connectionString(eventStoreUrl);
  try {
    const tenant = await createCommandsTenant(client, masterKey);
    const api = await startProgram('programs/api.js', {
      EVENTSTOREDB_URL: eventStoreUrl,
      REDIS_URL: redis.url,
      MASTER_KEY: masterKey.toString('base64'),
      PORT: '0',
      LOG_LEVEL: 'warn',
    });
    try {
      const commands = new HttpCommands(String(api.ready['url']), tenant);
      const own = new Appends('own', ownAppend(client), tenant.appId);
      const raw = new Appends('raw', rawAppend(rawClient), tenant.appId);
      return await compare(commands, raw, own);
    } finally {
      await api.stop();
    }
  } finally {
    await client.dispose();
    await store.stop();
    await redis.stop();
  }
}

async function compare(commands: HttpCommands, raw: Appends, own: Appends): Promise<BenchResult> {
  progress('warming up ...');
  for (const partition of [commands, raw, own]) await partition.run(ROUND_SECONDS);
  const values: number[] = [];
  const limits: number[] = [];
  const owns: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const value = await commands.run(ROUND_SECONDS);
    const limit = await raw.run(ROUND_SECONDS);
    const ownRate = await own.run(ROUND_SECONDS);
    values.push(value);
    limits.push(limit);
    owns.push(ownRate);
    const rates = `${value.toFixed(0)} commands/s, ${limit.toFixed(0)} raw appends/s`;
    progress(`round ${round}: ${rates} (${ownRate.toFixed(0)} by our own way)`);
  }
  const ratios = values.map((value, index) => value / (limits[index] ?? Infinity));
  return {
    value: median(values),
    limit: median(limits),
    unit: 'commands/s',
    extra: {
      medianOfRoundRatios: Number(median(ratios).toFixed(3)),
      ownAppendsPerSecond: Math.round(median(owns)),
      p99Ms: commands.p99Ms,
    },
  };
}
