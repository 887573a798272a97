/**
 * How fast subscriptions that are all due at one instant are settled, end to end: charged by the sandbox gateway, their
 * events durable, read models up to date and webhooks delivered; and the same with no endpoint. The limit is raw
 * appends of the same events in the same run, those of the sandbox gateway as well: the events of one renewal are
 * appended again and again, 64 at once. `growth` is the time per renewal at the whole number against that at a tenth of
 * it, which is measured before.
 */
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import type { LedgerStore, NamespaceIdentity } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createReadModels, type ReadModels } from '#projection-engine';
import { projections } from '#projections';
import { readConnectionString } from '../support/connection-string.js';
import { startRedis } from '../support/redis.js';
import { type BenchOptions, type BenchResult, progress } from './benchmark.js';
import { writeDueSubscriptions } from './due-subscriptions.js';
import { MEMORY_FLAGS, type ProgramMemory, readMemory } from './program-memory.js';
import { readSpentMs, type RunningProgram, startProgram } from './program.js';
import { Purchases } from './purchases.js';
import { replayRaw } from './raw-replay.js';
import { RenewalWatch, startCountingReceiver } from './renewal-watch.js';

export const description =
  'subscriptions that are due at once, settled end to end, against raw appends of the same events (--events, 20,000)';

const DEFAULT_COUNT = 20_000;
/** Until the compilers of all programs have seen enough, as in `purchases`. */
const WARM_UP = 2_000;
const MESSAGES_A_RENEWAL = 2;
const SHOWN_LIMIT_MS = 600_000;

interface Scene {
  readonly store: LedgerStore;
  readonly eventStoreUrl: string;
  readonly masterKey: Buffer;
  readonly programs: Readonly<Record<string, RunningProgram>>;
  readonly watch: RenewalWatch;
  readonly readModels: ReadModels;
  readonly receiver: Awaited<ReturnType<typeof startCountingReceiver>>;
}

interface Settled {
  readonly perSecond: number;
  /** Processor time a renewal, by program, in milliseconds. */
  readonly msARenewal: Readonly<Record<string, number>>;
  readonly workerMemory: ProgramMemory;
}

export async function run({ events: count = DEFAULT_COUNT }: BenchOptions): Promise<BenchResult> {
  const masterKey = randomBytes(32);
  const receiver = await startCountingReceiver();
  const redis = await startRedis();
  const eventStore = await startProgram('programs/event-store.js', {}, true);
  const eventStoreUrl = readConnectionString(eventStore.ready);
  const store = connectEventStore(eventStoreUrl);
  const identity: NamespaceIdentity = await store.namespaces.open(1);
  const env = {
    ...{ EVENTSTOREDB_URL: eventStoreUrl, REDIS_URL: redis.url, LOG_LEVEL: 'error' },
    ...{ MASTER_KEY: masterKey.toString('base64'), ALLOW_INSECURE_TARGETS: 'test-apps' },
  };
  const projector = await startProgram('programs/projector.js', env);
  const worker = await startProgram('programs/worker.js', env, false, [], MEMORY_FLAGS);
  const watch = new RenewalWatch(store);
  const readModels = createReadModels({ redis: redis.url, identity, projections });
  const programs = { worker, projector, eventStore };
  try {
    const parts = { store, eventStoreUrl, masterKey, programs, watch, readModels, receiver };
    return await measure(parts, count);
  } finally {
    watch.close();
    await readModels.close();
    await worker.stop();
    await projector.stop();
    await store.dispose();
    await eventStore.stop();
    await redis.stop();
    receiver.close();
  }
}

async function measure(scene: Scene, count: number): Promise<BenchResult> {
  const open = async (url: string | null) => {
    const purchases = await Purchases.open(scene.store, scene.masterKey, url);
    purchases.close();
    return purchases.appId;
  };
  const tenth = Math.ceil(count / 10);
  const warm = await settle(scene, await open(scene.receiver.url), WARM_UP, true);
  const small = await settle(scene, await open(scene.receiver.url), tenth, true);
  const whole = await settle(scene, await open(scene.receiver.url), count, true);
  const silent = await settle(scene, await open(null), count, false);
  const events = await scene.watch.oneRenewal();
  // Once for the compiler.
  await replayRaw(scene.eventStoreUrl, events, tenth);
  const raw = await replayRaw(scene.eventStoreUrl, events, count);
  return {
    value: whole.perSecond,
    limit: raw,
    unit: 'renewals/s',
    extra: {
      due: count,
      eventsARenewal: events.length,
      withoutEndpointPerSecond: Math.round(silent.perSecond),
      withoutEndpointRatio: Number((silent.perSecond / raw).toFixed(3)),
      growth: Number((small.perSecond / whole.perSecond).toFixed(2)),
      msARenewal: whole.msARenewal,
      msARenewalWithoutEndpoint: silent.msARenewal,
      // One behind the other: live memory has to stay the same once the caches are full.
      workerMemory: [warm, small, whole, silent].map(({ workerMemory }) => workerMemory),
      load: loadavg().map((load) => Number(load.toFixed(1))),
    },
  };
}

/** From the instant at which they are due until the last of them is seen everywhere. */
async function settle(
  scene: Scene,
  appId: string,
  count: number,
  hasEndpoint: boolean,
): Promise<Settled> {
  const { store, masterKey, watch, readModels, receiver, programs } = scene;
  const received = receiver.received();
  const dueAtMs = await writeDueSubscriptions(store, masterKey, { appId, count });
  await new Promise((resolve) => setTimeout(resolve, dueAtMs - Date.now()));
  const before = spentMs(programs);
  const position = await watch.until(appId, count);
  await readModels.waitFor(position, { timeoutMs: SHOWN_LIMIT_MS });
  if (hasEndpoint) await receiver.until(received + MESSAGES_A_RENEWAL * count);
  const perSecond = (count * 1000) / (Date.now() - dueAtMs);
  const after = spentMs(programs);
  const msARenewal = Object.fromEntries(
    Object.keys(programs).map((name) => [
      name,
      Number((((after[name] ?? 0) - (before[name] ?? 0)) / count).toFixed(2)),
    ]),
  );
  const { worker } = programs;
  if (worker === undefined) throw new Error('the worker runs');
  const workerMemory = await readMemory(worker);
  const described = `${count} ${hasEndpoint ? 'with webhooks' : 'with no endpoint'}`;
  const { residentMb, liveMb } = workerMemory;
  const spent = `${JSON.stringify(msARenewal)} ms each, worker ${residentMb} MB, ${liveMb} alive`;
  progress(`${described}: ${perSecond.toFixed(0)}/s, ${spent}`);
  return { perSecond, msARenewal, workerMemory };
}

function spentMs(programs: Scene['programs']): Record<string, number> {
  return Object.fromEntries(
    Object.entries(programs).map(([name, { pid }]) => [name, readSpentMs(pid)]),
  );
}
