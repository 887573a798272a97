/**
 * How long a start takes until the program is ready, with few events in the store and with many: events of others,
 * and apps with an endpoint and a test clock each. Everything else runs; then the standalone with all of its parts.
 */
import { connectEventStore } from '#event-store/connect';
import { readConnectionString } from '../support/connection-string.js';
import { startRedis } from '../support/redis.js';
import { startStandalone, temporaryDataDir } from '../support/standalone.js';
import { type BenchOptions, type BenchResult, median, progress } from './benchmark.js';
import { startProgram } from './program.js';
import { fillStore } from './tenants.js';

export const description =
  'time to ready of each program with many events and 10,000 apps, against 3 s (--events, 300,000)';

const DEFAULT_EVENTS = 300_000;
const APPS = 10_000;
const ROUNDS = 3;
const PARTITIONS = 1;
const READY_WITHIN_MS = 3_000;
const DIFFERENCE_WITHIN_MS = 300;

/** How long each took, in milliseconds, by the names of the programs. */
type Times = Readonly<Record<string, number>>;

export async function run({ events = DEFAULT_EVENTS }: BenchOptions): Promise<BenchResult> {
  const programs = await measureAround(events, measurePrograms);
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

interface Around {
  readonly env: Readonly<Record<string, string>>;
}

/** Measures before and after the store was filled; store, Redis and a projector run all the while. */
async function measureAround(events: number, measure: (around: Around) => Promise<Times>) {
  const redis = await startRedis();
  const store = await startProgram('programs/event-store.js', {}, true);
  const url = readConnectionString(store.ready);
  const client = connectEventStore(url);
  const env = {
    ...{ EVENTSTOREDB_URL: url, REDIS_URL: redis.url, LOG_LEVEL: 'error', PORT: '0' },
    ...{ STOREFRONT_PORT: '0', MASTER_KEY: Buffer.alloc(32).toString('base64') },
    STOREFRONT_URL: 'http://127.0.0.1:1',
  };
  try {
    await client.namespaces.open(PARTITIONS);
    const projector = await startProgram('programs/projector.js', env);
    try {
      // The first start of all has something to do that no later one has.
      await measure({ env });
      const few = await measure({ env });
      await fillStore(client, { events, apps: APPS });
      return { few, many: await measure({ env }) };
    } finally {
      await projector.stop();
    }
  } finally {
    await client.dispose();
    await store.stop();
    await redis.stop();
  }
}

async function measurePrograms({ env }: Around): Promise<Times> {
  const times: Record<string, number> = {};
  for (const name of ['api', 'worker', 'storefront']) {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      const program = await startProgram(`programs/${name}.js`, env);
      rounds.push(performance.now() - startedAt);
      await program.stop();
    }
    times[name] = Math.round(median(rounds));
    progress(`${name} ready after ${rounds.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  }
  return times;
}

async function measureStandalone(events: number): Promise<{ few: Times; many: Times }> {
  const { dataDir, remove } = temporaryDataDir();
  const measure = async (): Promise<Times> => {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      const standalone = await startStandalone(dataDir);
      rounds.push(performance.now() - startedAt);
      await standalone.stop();
    }
    progress(`the standalone ready after ${rounds.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    return { standalone: Math.round(median(rounds)) };
  };
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
