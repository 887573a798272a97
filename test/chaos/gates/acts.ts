import { addMilliseconds } from '#domain/calendar';
import { testClockAggregate } from '#domain/test-clock';
import { createCommandExecutor } from '#event-store';
import { newUuid, wallClock } from '#platform';
import { eventually } from '../../support/eventually.js';
import type { GatedLedger } from './ledger.js';
import { PaidWithoutLink } from './paid-without-link.js';
import { readFencedScripts } from './scripts.js';

/** An act in whose middle a process is held. */
export interface Act {
  readonly name: string;
  /** The texts in the bytes that it is about to send. */
  readonly texts: readonly string[];
  /** Makes it happen. Resolves when all of it is done, by whichever process. */
  readonly provoke: (ledger: GatedLedger) => Promise<unknown>;
}

const SCRIPTS = readFencedScripts();

const buy = (ledger: GatedLedger) => ledger.purchases.buyOne();
const buyPending = (ledger: GatedLedger) => ledger.purchases.buyOne('pm_pending');

/** The worker's acts. Those that follow from a purchase, and those that take more. */
export const WORKER_ACTS: readonly Act[] = [
  ...['begin-work', 'end-work', 'move-checkpoint', 'renew-lease'].map((name) => script(name, buy)),
  script('look-later', buyPending),
  script('change-parked', parkAndMend, ['\r\npark\r\n']),
  script('change-parked', parkAndMend, ['\r\nremove\r\n']),
  script('answer-clock-part', advance),
  ...['sandbox.charged.v1', 'payment.captured.v1', 'delivery_checkpoint.recorded.v2'].map(append),
  { name: 'send a webhook', texts: ['POST ', 'webhook-id'], provoke: buy },
];

/** Further acts of the worker, which are held where there is time. */
export const FURTHER_ACTS: readonly Act[] = [
  ...['payment.requested.v3', 'checkout_link.paid.v1', 'subscription.created.v2'],
  ...['checkout_link.completed.v1'],
].map(append);

/** The projector's acts. */
export const PROJECTOR_ACTS: readonly Act[] = [
  script('apply-batch', buy),
  script('renew-lease', buy),
  script('place-generations', loseReadModels),
  script('clear-keys', loseReadModels),
];

/** Acts of ours that are held nowhere here, each with its reason. */
export const NOT_HELD: Readonly<Record<string, string>> = {
  'move-cursors':
    'takes a window that is full: redis-state.int.spec calls it with a token of before',
  'change-exhausted': 'adds what stands in the store: redis-state.int.spec calls it, too',
  'release-lease': 'the last act of a process, which does nothing after it',
};

function append(type: string): Act {
  return { name: `append ${type}`, texts: [type], provoke: buy };
}

function script(name: string, provoke: Act['provoke'], alsoSent: readonly string[] = []): Act {
  const hash = SCRIPTS.get(name);
  if (hash === undefined) throw new Error(`there is no script ${name}`);
  const label = [name, ...alsoSent.map((text) => text.trim())].join(' ');
  return { name: label, texts: [hash, ...alsoSent], provoke };
}

async function parkAndMend(ledger: GatedLedger): Promise<void> {
  const paid = new PaidWithoutLink(ledger);
  const isParked = async () =>
    (await ledger.redis.hexists(ledger.workerKeys.parked, paid.streamName)) === 1;
  await paid.pay();
  await eventually(isParked, { what: 'a parked stream', limitMs: 30_000 });
  await paid.mend();
  await eventually(async () => !(await isParked()), { what: 'a mended stream', limitMs: 30_000 });
}

async function advance({ store, purchases: { appId } }: GatedLedger): Promise<void> {
  const commands = createCommandExecutor(store, { cacheSize: 0 });
  const wallNow = wallClock.now();
  const { state } = await commands.load(testClockAggregate, appId);
  const to = addMilliseconds(wallNow, state.offsetMs + 60_000);
  const command = { kind: 'RequestAdvance', appId, to, wallNow } as const;
  const context = { appId, environment: 'test' as const, actor: 'app', correlationId: newUuid() };
  await commands.execute(testClockAggregate, appId, command, { ...context, now: wallNow });
  const hasArrived = async () =>
    (await commands.load(testClockAggregate, appId)).state.advance === null;
  await eventually(hasArrived, { what: 'the test clock', limitMs: 30_000 });
}

/** Redis has lost the checkpoints of all read models: they are built anew, and the old ones are deleted. */
async function loseReadModels(ledger: GatedLedger): Promise<void> {
  const { redis } = ledger;
  const checkpoints = await redis.keys('*:rm*:checkpoint');
  const before = await redis.mget(checkpoints);
  await redis.del(checkpoints);
  const areBuilt = async () => {
    const found = await redis.mget(checkpoints);
    const isNew = found.every((text, n) => text !== null && text !== before[n]);
    return isNew && (await redis.keys('*:leftovers')).length === 0;
  };
  await eventually(areBuilt, { what: 'the read models', limitMs: 30_000 });
}
