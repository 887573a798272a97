/**
 * How fast purchases are made over HTTP, end to end: a checkout link by the studio's backend, its completion by
 * the player, 64 at once, against raw appends of the same events in the same run; with an endpoint, whose webhooks
 * are waited for, and with none. `alone` is one after the other, as is `rawAlone`. All programs of the standalone run, and the load
 * generator shares the processors with them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '#domain/event';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { operatorClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { createPlan, requireOk } from '../support/scenario.js';
import {
  type Part,
  type RunningStandalone,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';
import {
  type BenchOptions,
  type BenchResult,
  measureRate,
  median,
  progress,
  readLoad,
} from './benchmark.js';
import { IN_FLIGHT } from './commands-tenant.js';
import { JsonClient } from './json-client.js';
import { inOrder, readStreams, replayRaw } from './raw-replay.js';
import { startReceiver } from './receiver.js';
import { countSpent, readSpentMs } from './spent.js';

export const description =
  'checkout links made and completed over HTTP, 64 at once, against raw appends of the same events (--events, 3,000)';

const DEFAULT_COUNT = 3_000;
/**
 * Until the compilers of all programs have seen enough: after 400 purchases API and storefront still took twice the
 * processor time for one that they take after some thousands.
 */
const WARM_UP = 3_000;
const RAW_WARM_UP = 400;
const ALONE = 100;
/** Pairs of purchases with and without the bookkeeper. */
const SEALING_TURNS = 3;
const IDLE_MS = 500;
const IDLE_LIMIT_MS = 30_000;
const MESSAGES_A_PURCHASE = 2;
const PARTS: readonly Part[] = [
  ...(['api', 'storefront', 'worker', 'projector', 'bookkeeper'] as const),
  ...(['event-store', 'redis'] as const),
];

export interface Bought {
  readonly linkId: string;
  readonly subscriptionId: string;
  readonly tookMs: number;
}

export interface Shop {
  readonly backend: JsonClient;
  /** A caller without credentials, at the address that links name. */
  readonly player: JsonClient;
  readonly pids: Readonly<Record<string, number>>;
}

export async function run({ events: count = DEFAULT_COUNT }: BenchOptions): Promise<BenchResult> {
  const folder = temporaryDataDir();
  const receiver = await startReceiver();
  const standalone = await startStandalone(folder.dataDir, { LOG_LEVEL: 'error' });
  const { demo } = standalone;
  const operator = operatorClient(demo);
  const shop = await openShop(standalone);
  const eventStoreUrl = await standalone.eventStoreUrl();
  const store = connectEventStore(eventStoreUrl);
  try {
    await createPlan(operator, demo.appId, { code: 'gold' });
    await buyAtOnce(shop, WARM_UP);
    const alone = await buyAtOnce(shop, ALONE, 1);
    const silent = await buyAtOnce(shop, count);
    const sealing = await compareSealing(standalone, shop, count);
    const endpoint = { url: `${receiver.url}/`, eventTypes: ['*'] };
    requireOk(await operator.post(`/manage/apps/${demo.appId}/webhook-endpoints`, endpoint));
    const told = await buyAtOnce(shop, count, IN_FLIGHT, () =>
      receiver.until(MESSAGES_A_PURCHASE * count),
    );
    const [one] = silent.bought;
    const events = one === undefined ? [] : await findEvents(store, one);
    await replayRaw(eventStoreUrl, events, RAW_WARM_UP);
    const raw = await replayRaw(eventStoreUrl, events, count);
    const rawAlone = await replayRaw(eventStoreUrl, events, ALONE, 1);
    return {
      value: told.perSecond,
      limit: raw,
      unit: 'purchases/s',
      extra: {
        eventsAPurchase: events.length,
        withoutEndpointPerSecond: Math.round(silent.perSecond),
        withoutEndpointRatio: Number((silent.perSecond / raw).toFixed(3)),
        aloneMs: { p50: percentile(alone.bought, 0.5), p99: percentile(alone.bought, 0.99) },
        rawAloneMs: Number((1000 / rawAlone).toFixed(1)),
        atOnceMs: { p50: percentile(told.bought, 0.5), p99: percentile(told.bought, 0.99) },
        msAPurchase: told.msEach,
        msAPurchaseWithoutEndpoint: silent.msEach,
        ...sealing,
        load: readLoad(),
      },
    };
  } finally {
    await shop.backend.close();
    await shop.player.close();
    await store.dispose();
    await standalone.stop();
    receiver.close();
    folder.remove();
  }
}

export async function openShop(standalone: RunningStandalone): Promise<Shop> {
  const { demo } = standalone;
  const pids: Record<string, number> = {};
  for (const part of PARTS) pids[part] = await standalone.findPid(part);
  const player = new JsonClient(demo.storefrontUrl);
  return { backend: JsonClient.forBackend(demo), player, pids };
}

/**
 * @param after awaited beside the answers.
 * @returns with the processor time of each part a purchase, in milliseconds.
 */
async function buyAtOnce(
  shop: Shop,
  count: number,
  atOnce = IN_FLIGHT,
  after: () => Promise<void> = async () => undefined,
): Promise<{
  readonly perSecond: number;
  readonly bought: readonly Bought[];
  readonly msEach: Readonly<Record<string, number>>;
}> {
  const spent = countSpent(shop.pids);
  const bought: Bought[] = [];
  const buy = async () => void bought.push(await buyOne(shop));
  const perSecond = await measureRate(count, atOnce, buy, after);
  progress(`${count} purchases, ${atOnce} at once: ${perSecond.toFixed(0)}/s`);
  return { perSecond, bought, msEach: spent(count) };
}

export async function buyOne({ backend, player: page }: Shop): Promise<Bought> {
  const player = `player-${Math.random()}`;
  const startedAtMs = performance.now();
  const link = { plan: { code: 'gold' }, currency: 'USD', user: { id: player } };
  const { id } = await backend.post('/sdk/subscriptions/checkout-links', link);
  const linkId = String(id);
  const paid = await page.post(`/checkout/${linkId}/complete`, { paymentMethod: 'pm_ok' });
  const tookMs = performance.now() - startedAtMs;
  return { linkId, subscriptionId: String(paid['subscriptionId']), tookMs };
}

/** The events of one purchase, at the sandbox gateway as well, in the order of the store. */
async function findEvents(
  store: LedgerStore,
  { linkId, subscriptionId }: Bought,
): Promise<RecordedEvent[]> {
  const events = await readStreams(store, [
    `checkout_link-${linkId}`,
    ...['subscription', 'sandbox_account'].map((category) => `${category}-${subscriptionId}`),
  ]);
  const created = events.find(({ type }) => type === 'subscription.created.v2');
  const { initialPayment, player } = created?.data as {
    readonly initialPayment: { readonly paymentId: string };
    readonly player: string;
  };
  const more = [`payment-${initialPayment.paymentId}`, `player-${player}`];
  return inOrder([...events, ...(await readStreams(store, more))]);
}

/** The processor time of a purchase over all programs, in turns while the bookkeeper runs and while it stands still. */
async function compareSealing(standalone: RunningStandalone, shop: Shop, count: number) {
  const [sealedMs, unsealedMs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < SEALING_TURNS; turn += 1) {
    const sealed = await buyAtOnce(shop, count);
    sealedMs.push(sum(sealed.msEach));
    const goOn = await standalone.pausePart('bookkeeper');
    const unsealed = await buyAtOnce(shop, count);
    unsealedMs.push(sum(unsealed.msEach));
    goOn();
    await untilIdle(shop.pids['bookkeeper'] ?? 0);
  }
  const sealedRatio = Number((median(sealedMs) / median(unsealedMs)).toFixed(3));
  return { sealedMs, unsealedMs, sealedRatio };
}

/** Waits until a process has caught up, which had work to do: its next half second takes hardly any time. */
async function untilIdle(pid: number): Promise<void> {
  await eventually(
    async () => {
      const before = readSpentMs(pid);
      await sleep(IDLE_MS);
      return readSpentMs(pid) - before <= IDLE_MS / 20;
    },
    { limitMs: IDLE_LIMIT_MS },
  );
}

function sum(msEach: Readonly<Record<string, number>>): number {
  const total = Object.values(msEach).reduce((all, ms) => all + ms, 0);
  return Number(total.toFixed(2));
}

function percentile(bought: readonly Bought[], share: number): number {
  const sorted = bought.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
}
