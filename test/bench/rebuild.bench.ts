/**
 * How fast read models are built from an empty Redis. The limit is a raw reading of the same events by the
 * official client; both take turns on one store.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { EventStoreDBClient } from '@eventstore/db-client';
import { Redis } from 'ioredis';
import { connectEventStore } from '#event-store/connect';
import { createReadModels, type LedgerIdentity } from '#projection-engine';
import { projections } from '#projections';
import { readConnectionString } from '../support/connection-string.js';
import { startRedis } from '../support/redis.js';
import { type BenchOptions, type BenchResult, median, progress } from './benchmark.js';
import { EVENTS_A_SUBSCRIPTION, writeHistories } from './histories.js';
import { readSpentMs, type RunningProgram, startProgram } from './program.js';

export const description =
  'building read models from an empty Redis, against a raw reading of the events (--events, 300,000)';

const DEFAULT_EVENTS = 300_000;
const ROUNDS = 3;
/** As a cluster has. */
const PARTITIONS = 16;
const POLL_MS = 20;

export async function run(options: BenchOptions): Promise<BenchResult> {
  const redis = await startRedis();
  const store = await startProgram('programs/event-store.js', {}, true);
  const url = readConnectionString(store.ready);
  const client = connectEventStore(url);
  const raw = EventStoreDBClient.connectionString(url);
  try {
    const identity = await client.namespaces.open(PARTITIONS);
    const subscriptions = Math.ceil((options.events ?? DEFAULT_EVENTS) / EVENTS_A_SUBSCRIPTION);
    progress(`writing the histories of ${subscriptions} subscriptions`);
    await writeHistories(client, subscriptions);
    const events = subscriptions * EVENTS_A_SUBSCRIPTION;
    const env = { EVENTSTOREDB_URL: url, REDIS_URL: redis.url, LOG_LEVEL: 'error' };
    const projector = await startProgram('programs/projector.js', env);
    try {
      return await compare(events, raw, projector, { url: redis.url, identity });
    } finally {
      await projector.stop();
    }
  } finally {
    await raw.dispose();
    await client.dispose();
    await store.stop();
    await redis.stop();
  }
}

interface Place {
  /** The address of Redis. */
  readonly url: string;
  readonly identity: LedgerIdentity;
}

async function compare(
  events: number,
  raw: EventStoreDBClient,
  projector: RunningProgram,
  place: Place,
): Promise<BenchResult> {
  const [values, limits, residentMb]: [number[], number[], number[]] = [[], [], []];
  const [building, reading]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const spent = (pid: number) => (readSpentMs(pid) * 1_000) / events;
    const before = { reader: spent(process.pid), projector: spent(projector.pid) };
    limits.push(events / (await measureReading(raw)));
    reading.push(Math.round(spent(process.pid) - before.reader));
    values.push(events / (await measureBuild(place)));
    building.push(Math.round(spent(projector.pid) - before.projector));
    residentMb.push(readResidentMb(projector.pid));
    const [value = 0, limit = 0] = [values.at(-1), limits.at(-1)];
    progress(`round ${round + 1}: ${value.toFixed(0)} built, ${limit.toFixed(0)} read`);
  }
  // Other work on the machine changes seconds, and hardly the time of a processor.
  const microsAnEvent = { building, reading };
  const extra = { events, residentMb, microsAnEvent };
  const ratios = values.map((value, round) => value / (limits[round] ?? 0));
  return { value: median(values), limit: median(limits), unit: 'events/s', ratios, extra };
}

/** @returns seconds. */
async function measureReading(raw: EventStoreDBClient): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  for await (const { event } of raw.readAll()) if (event) count += 1;
  if (count === 0) throw new Error('there is nothing to read');
  return (performance.now() - startedAt) / 1_000;
}

/** Empties Redis and waits until all read models answer. @returns seconds. */
async function measureBuild({ url, identity }: Place): Promise<number> {
  const redis = new Redis(url);
  const readModels = createReadModels({ redis: url, identity, projections });
  try {
    await redis.flushall();
    const startedAt = performance.now();
    const isBuilt = () =>
      readModels.requireBuilt().then(
        () => true,
        () => false,
      );
    while (!(await isBuilt())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    return (performance.now() - startedAt) / 1_000;
  } finally {
    redis.disconnect();
    await readModels.close();
  }
}

function readResidentMb(pid: number): number {
  const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1_024);
}
