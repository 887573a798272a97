/**
 * How fast read models are built: from an empty Redis until all of them answer. The limit is a raw reading of the same
 * events by the official client; both take turns on one store. The check that follows a build (rules/read-models 4) is
 * told beside it, and over before anything else is measured.
 */
import process from 'node:process';
import { EventStoreDBClient } from '@eventstore/db-client';
import { Redis } from 'ioredis';
import { createReadModels, decodeCheckpoint, findReadModel } from '#projection-engine';
import { projections } from '#projections';
import { eventually } from '../support/eventually.js';
import type { RunningProgram } from '../support/program.js';
import { type BenchOptions, type BenchResult, countRounds, median, progress } from './benchmark.js';
import { EVENTS_A_SUBSCRIPTION, writeHistories } from './histories.js';
import { readResidentMb } from './program-memory.js';
import { readSpentMs } from './spent.js';
import { Stage } from './stage.js';

export const description =
  'building read models from an empty Redis, against a raw reading of the events (--events, 300,000)';

const DEFAULT_EVENTS = 300_000;
/** As a cluster has. */
const PARTITIONS = 16;
const POLL_MS = 20;
/** Five million events on a busy machine take some minutes. */
const LIMIT_MS = 3_600_000;

export function run(options: BenchOptions): Promise<BenchResult> {
  return Stage.with(
    async (stage) => {
      const raw = EventStoreDBClient.connectionString(stage.eventStoreUrl);
      stage.atEnd(() => raw.dispose());
      const subscriptions = Math.ceil((options.events ?? DEFAULT_EVENTS) / EVENTS_A_SUBSCRIPTION);
      progress(`writing the histories of ${subscriptions} subscriptions`);
      await writeHistories(stage.client, subscriptions);
      const projector = await stage.start('projector', {}, { readyWithinMs: LIMIT_MS });
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
  const figures: Round[] = [];
  const spent = (pid: number) => (readSpentMs(pid) * 1_000) / events;
  await untilChecked(stage);
  for (let round = 1; round <= countRounds(events); round += 1) {
    const before = { reader: spent(process.pid), projector: spent(projector.pid) };
    const limit = events / (await measureReading(raw));
    const reading = Math.round(spent(process.pid) - before.reader);
    const value = events / (await measureBuild(stage));
    const built = spent(projector.pid);
    const residentMb = readResidentMb(projector.pid);
    const checkSeconds = await untilChecked(stage);
    const building = Math.round(built - before.projector);
    const checking = Math.round(spent(projector.pid) - built);
    figures.push({ value, limit, residentMb, building, reading, checking, checkSeconds });
    progress(`round ${round}: ${value.toFixed(0)} built, ${limit.toFixed(0)} read`);
  }
  return describe(events, figures);
}

/** Rates in events a second; of the processors in microseconds an event. */
interface Round {
  readonly value: number;
  readonly limit: number;
  readonly residentMb: number;
  readonly building: number;
  readonly reading: number;
  readonly checking: number;
  readonly checkSeconds: number;
}

function describe(events: number, rounds: readonly Round[]): BenchResult {
  const each = (name: keyof Round) => rounds.map((round) => round[name]);
  // Other work on the machine changes seconds, and hardly the time of a processor.
  const [building, reading, checking] = [each('building'), each('reading'), each('checking')];
  const microsAnEvent = { building, reading, checking };
  const memory = { residentMb: each('residentMb'), checkSeconds: each('checkSeconds') };
  return {
    ...{ value: median(each('value')), limit: median(each('limit')), unit: 'events/s' },
    ratios: rounds.map(({ value, limit }) => value / limit),
    extra: { events, ...memory, microsAnEvent },
  };
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
    return await measureUntil(() =>
      readModels.requireBuilt().then(
        () => true,
        () => false,
      ),
    );
  } finally {
    redis.disconnect();
    await readModels.close();
  }
}

/** Waits until all generations that answer were checked. @returns seconds. */
async function untilChecked({ redis: { url }, identity }: Stage): Promise<number> {
  const redis = new Redis(url);
  try {
    const seconds = await measureUntil(async () => {
      const places = projections.map((each) => findReadModel(each, identity).partitions[0]);
      const texts = await redis.mget(places.map((place) => place?.checkpoint ?? ''));
      const found = texts.map((text) => decodeCheckpoint(text));
      if (found.some((each) => each?.check === 'differs')) throw new Error('a check has failed');
      return found.every((each) => each !== undefined && each.check === undefined);
    });
    return Number(seconds.toFixed(1));
  } finally {
    redis.disconnect();
  }
}

/** @returns the seconds until something is so. */
async function measureUntil(isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  await eventually(isSo, { limitMs: LIMIT_MS, longestPollMs: POLL_MS });
  return (performance.now() - startedAt) / 1_000;
}
