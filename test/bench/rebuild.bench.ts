/**
 * How fast read models are built from an empty Redis. The limit is a raw reading of the same events by the
 * official client; both take turns on one store.
 */
import process from 'node:process';
import { EventStoreDBClient } from '@eventstore/db-client';
import { Redis } from 'ioredis';
import { createReadModels } from '#projection-engine';
import { projections } from '#projections';
import type { RunningProgram } from '../support/program.js';
import { type BenchOptions, type BenchResult, median, progress } from './benchmark.js';
import { EVENTS_A_SUBSCRIPTION, writeHistories } from './histories.js';
import { readResidentMb } from './program-memory.js';
import { readSpentMs } from './spent.js';
import { Stage } from './stage.js';

export const description =
  'building read models from an empty Redis, against a raw reading of the events (--events, 300,000)';

const DEFAULT_EVENTS = 300_000;
const ROUNDS = 3;
/** As a cluster has. */
const PARTITIONS = 16;
const POLL_MS = 20;

export function run(options: BenchOptions): Promise<BenchResult> {
  return Stage.with(
    async (stage) => {
      const raw = EventStoreDBClient.connectionString(stage.eventStoreUrl);
      stage.atEnd(() => raw.dispose());
      const subscriptions = Math.ceil((options.events ?? DEFAULT_EVENTS) / EVENTS_A_SUBSCRIPTION);
      progress(`writing the histories of ${subscriptions} subscriptions`);
      await writeHistories(stage.client, subscriptions);
      const projector = await stage.start('projector');
      return compare(subscriptions * EVENTS_A_SUBSCRIPTION, raw, projector, stage);
    },
    { partitions: PARTITIONS },
  );
}

async function compare(
  events: number,
  raw: EventStoreDBClient,
  projector: RunningProgram,
  stage: Stage,
): Promise<BenchResult> {
  const [values, limits, residentMb]: [number[], number[], number[]] = [[], [], []];
  const [building, reading]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const spent = (pid: number) => (readSpentMs(pid) * 1_000) / events;
    const before = { reader: spent(process.pid), projector: spent(projector.pid) };
    limits.push(events / (await measureReading(raw)));
    reading.push(Math.round(spent(process.pid) - before.reader));
    values.push(events / (await measureBuild(stage)));
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
async function measureBuild({ redis: { url }, identity }: Stage): Promise<number> {
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
