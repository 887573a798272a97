/**
 * How long a start takes until the program is ready, with few events in the store and with many: events of others,
 * and apps with an endpoint and a test clock each. Everything else runs; then the standalone with all of its parts.
 */
import { connectEventStore } from '#event-store/connect';
import { startStandalone, temporaryDataDir } from '../support/standalone.js';
import { type BenchOptions, type BenchResult, median, progress } from './benchmark.js';
import { Stage } from './stage.js';
import { fillStore } from './tenants.js';

export const description =
  'time to ready of each program with many events and 10,000 apps, against 3 s (--events, 300,000)';

const DEFAULT_EVENTS = 300_000;
const APPS = 10_000;
const ROUNDS = 3;
const READY_WITHIN_MS = 3_000;
const DIFFERENCE_WITHIN_MS = 300;

/** How long each took, in milliseconds, by the names of the programs. */
type Times = Readonly<Record<string, number>>;

export async function run({ events = DEFAULT_EVENTS }: BenchOptions): Promise<BenchResult> {
  const programs = await measurePrograms(events);
  const standalone = await measureStandalone(events);
  const few = { ...programs.few, ...standalone.few };
  const many = { ...programs.many, ...standalone.many };
  const figures = Object.keys(many).map((name) => {
    const [fewMs, manyMs] = [few[name] ?? 0, many[name] ?? 0];
    return [name, { fewMs, manyMs, differenceMs: manyMs - fewMs }] as const;
  });
  return {
    value: Math.max(...Object.values(many)),
    limit: READY_WITHIN_MS,
    unit: 'ms until the slowest is ready',
    extra: {
      ...(Object.fromEntries(figures) as Readonly<Record<string, object>>),
      goals: { readyMs: READY_WITHIN_MS, differenceMs: DIFFERENCE_WITHIN_MS },
      store: { events, apps: APPS },
    },
  };
}

/** Measures before and after the store was filled; store, Redis and a projector run all the while. */
function measurePrograms(events: number) {
  return Stage.with(async (stage) => {
    await stage.start('projector');
    // The first start of all has something to do that no later one has.
    await measureEach(stage);
    const few = await measureEach(stage);
    await fillStore(stage.client, { events, apps: APPS });
    return { few, many: await measureEach(stage) };
  });
}

async function measureEach(stage: Stage): Promise<Times> {
  const times: Record<string, number> = {};
  for (const name of ['api', 'worker', 'storefront']) {
    const start = () => stage.start(name, { STOREFRONT_URL: 'http://127.0.0.1:1' });
    Object.assign(times, await measureStarts(name, start));
  }
  return times;
}

/** Starts and stops it in several rounds. @returns the median until it was ready, by its name. */
async function measureStarts(
  name: string,
  start: () => Promise<{ stop(): Promise<unknown> }>,
): Promise<Times> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const program = await start();
    rounds.push(performance.now() - startedAt);
    await program.stop();
  }
  progress(`${name} ready after ${rounds.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  return { [name]: Math.round(median(rounds)) };
}

async function measureStandalone(events: number): Promise<{ few: Times; many: Times }> {
  const { dataDir, remove } = temporaryDataDir();
  const measure = () => measureStarts('standalone', () => startStandalone(dataDir));
  try {
    const few = await measure();
    const standalone = await startStandalone(dataDir);
    const client = connectEventStore(await standalone.eventStoreUrl());
    await fillStore(client, { events, apps: APPS });
    await client.dispose();
    await standalone.stop();
    return { few, many: await measure() };
  } finally {
    remove();
  }
}
