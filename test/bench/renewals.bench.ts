/**
 * How fast subscriptions that are all due at one instant are settled, end to end: charged by the sandbox gateway, their
 * events durable, read models up to date and webhooks delivered; and the same with no endpoint. The limit is raw
 * appends of the same events in the same run, those of the sandbox gateway as well: the events of one renewal are
 * appended again and again, 64 at once. `growth` is the time per renewal at the whole number against that at a tenth of
 * it, which is measured before.
 */
import { createReadModels, type ReadModels } from '#projection-engine';
import { projections } from '#projections';
import type { RunningProgram } from '../support/program.js';
import { WrittenLedger } from '../support/written-ledger.js';
import { type BenchOptions, type BenchResult, progress, readLoad } from './benchmark.js';
import { writeDueSubscriptions } from './due-subscriptions.js';
import { MEMORY_FLAGS, type ProgramMemory, readMemory } from './program-memory.js';
import { replayRaw } from './raw-replay.js';
import { type Receiver, startReceiver } from './receiver.js';
import { RenewalWatch } from './renewal-watch.js';
import { countSpent } from './spent.js';
import { Stage } from './stage.js';

export const description =
  'subscriptions that are due at once, settled end to end, against raw appends of the same events (--events, 20,000)';

const DEFAULT_COUNT = 20_000;
/** Until the compilers of all programs have seen enough, as in `purchases`. */
const WARM_UP = 2_000;
const MESSAGES_A_RENEWAL = 2;
const SHOWN_LIMIT_MS = 600_000;

interface Scene {
  readonly ledger: WrittenLedger;
  readonly eventStoreUrl: string;
  readonly worker: RunningProgram;
  readonly pids: Readonly<Record<string, number>>;
  readonly watch: RenewalWatch;
  readonly readModels: ReadModels;
  readonly receiver: Receiver;
}

interface Settled {
  readonly perSecond: number;
  /** Processor time a renewal, by program, in milliseconds. */
  readonly msARenewal: Readonly<Record<string, number>>;
  readonly workerMemory: ProgramMemory;
}

export function run({ events: count = DEFAULT_COUNT }: BenchOptions): Promise<BenchResult> {
  return Stage.with(async (stage) => {
    const { client, eventStoreUrl, identity } = stage;
    const receiver = await startReceiver();
    stage.atEnd(() => receiver.close());
    const projector = await stage.start('projector');
    const worker = await stage.start('worker', {}, { nodeFlags: MEMORY_FLAGS });
    const readModels = createReadModels({ redis: stage.redis.url, identity, projections });
    stage.atEnd(() => readModels.close());
    const watch = new RenewalWatch(client);
    stage.atEnd(() => watch.close());
    const pids = { worker: worker.pid, projector: projector.pid, eventStore: stage.store.pid };
    const ledger = new WrittenLedger(client, stage.masterKey);
    return measure({ ledger, eventStoreUrl, worker, pids, watch, readModels, receiver }, count);
  });
}

async function measure(scene: Scene, count: number): Promise<BenchResult> {
  const { ledger, receiver } = scene;
  const open = async (hasEndpoint: boolean) => {
    const { appId } = await ledger.createApp();
    if (hasEndpoint) await ledger.addEndpoint(appId, `${receiver.url}/`);
    return appId;
  };
  const tenth = Math.ceil(count / 10);
  const warm = await settle(scene, await open(true), WARM_UP, true);
  const small = await settle(scene, await open(true), tenth, true);
  const whole = await settle(scene, await open(true), count, true);
  const silent = await settle(scene, await open(false), count, false);
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
      load: readLoad(),
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
  const { ledger, watch, readModels, receiver } = scene;
  const received = receiver.received();
  const dueAtMs = await writeDueSubscriptions(ledger, { appId, count });
  await new Promise((resolve) => setTimeout(resolve, dueAtMs - Date.now()));
  const spent = countSpent(scene.pids);
  const position = await watch.until(appId, count);
  await readModels.waitFor(position, { timeoutMs: SHOWN_LIMIT_MS });
  if (hasEndpoint) await receiver.until(received + MESSAGES_A_RENEWAL * count);
  const perSecond = (count * 1000) / (Date.now() - dueAtMs);
  const msARenewal = spent(count);
  const workerMemory = await readMemory(scene.worker);
  const described = `${count} ${hasEndpoint ? 'with webhooks' : 'with no endpoint'}`;
  const { residentMb, liveMb } = workerMemory;
  const cost = `${JSON.stringify(msARenewal)} ms each, worker ${residentMb} MB, ${liveMb} alive`;
  progress(`${described}: ${perSecond.toFixed(0)}/s, ${cost}`);
  return { perSecond, msARenewal, workerMemory };
}
