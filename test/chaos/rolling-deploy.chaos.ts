/**
 * Deploys this release beside the one before it, under load (rules/events 6): the older one knows an event less, and
 * one read model in the version before. The new read models are built while the older API answers on, the newer API is
 * not ready until they are there, both workers share the work, and streams that the older worker had to park go on by
 * themselves when the newer one has them. Nothing is missing at the end, and nothing is there twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { subscriptionAggregate } from '#domain/subscription';
import { createCommandExecutor } from '#event-store';
import { newUuid, wallClock } from '#platform';
import { eventually } from '../support/eventually.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { findBought, inspectPurchases } from './purchases-inspection.js';
import { ApiReader } from './rolling-deploy/api-reader.js';
import { DeployedLedger } from './rolling-deploy/ledger.js';
import { Load } from './rolling-deploy/load.js';
import { OlderRelease } from './rolling-deploy/older-release.js';

export const description =
  'two releases side by side under load, of which the older one is stopped';

/** The purchases before the newer release came. */
const BOUGHT_BEFORE = 200;
/** Subscriptions of these that are canceled and reactivated, which the older release cannot read. */
const REACTIVATED = 24;
/** How long both releases work side by side. */
const SIDE_BY_SIDE_MS = 10_000;
const LIMIT_MS = 120_000;
/** How often the newer API is asked, without a projector of its own, whether it is ready. */
const ASKED_IN_VAIN = 10;
const ASK_EVERY_MS = 100;
const STEPS = 6;

export async function run({ progress }: ChaosOptions): Promise<ChaosResult> {
  const ledger = new DeployedLedger();
  let older: OlderRelease | undefined;
  try {
    older = await OlderRelease.build();
    progress(1, STEPS, 'the older release is built');
    return await untilInterrupted(deploy(ledger, older, progress));
  } finally {
    await ledger.stop();
    await older?.remove();
  }
}

async function deploy(
  ledger: DeployedLedger,
  older: OlderRelease,
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const findings = new Findings();
  await ledger.start();
  const olderApi = await ledger.startProgram('api', older);
  const olderProjector = await ledger.startProgram('projector', older);
  const olderWorker = await ledger.startProgram('worker', older);
  await ledger.purchases.buy(BOUGHT_BEFORE);
  const ids = (await findBought(ledger, findings)).map(({ subscriptionId }) => subscriptionId);
  const load = new Load(ledger, findings);
  const reader = new ApiReader(String(olderApi.ready['url']), ledger, ids, findings);
  progress(2, STEPS, 'the older release works');

  const newerApiReadyAfterMs = await startNewerReads(ledger, ids, findings);
  progress(
    3,
    STEPS,
    `the newer API is ready, ${newerApiReadyAfterMs} ms after its projector started`,
  );
  await ledger.startProgram('worker');
  const isShared = async () => (await ledger.countHeld('worker-newer')) > 0;
  await eventually(isShared, { what: 'a share of the newer worker', limitMs: LIMIT_MS });
  const reactivated = ids.slice(0, REACTIVATED);
  await reactivateAll(ledger, reactivated);
  await sleep(SIDE_BY_SIDE_MS);
  const parkedByOlder = await ledger.countParked();
  progress(4, STEPS, `both releases work: ${parkedByOlder} streams are parked by the older one`);

  const readsOfOlderApi = await reader.stop();
  await olderWorker.stop();
  await olderApi.stop();
  await olderProjector.stop();
  progress(5, STEPS, 'the older release is stopped');
  const stoppedAtMs = performance.now();
  await untilReactivated(ledger, reactivated, findings);
  const unparkedAfterMs = Math.round(performance.now() - stoppedAtMs);
  const tookMs = [...(await load.end())].sort((left, right) => left - right);
  const parked = await ledger.countParked();
  if (parked > 0) findings.add('streams stay parked', String(parked));
  const purchases = await inspectPurchases(ledger, findings);
  progress(STEPS, STEPS, 'all of it was looked at');
  const figures = {
    ...{ purchases, readsOfOlderApi, newerApiReadyAfterMs, parkedByOlder, unparkedAfterMs },
    purchaseMedianMs: Math.round(tookMs[Math.floor(tookMs.length / 2)] ?? 0),
    purchaseLongestMs: Math.round(tookMs.at(-1) ?? 0),
    repeatedWebhooks: ledger.receiver.received.length - 2 * purchases - 2 * REACTIVATED,
  };
  const summary = Object.entries(figures)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return { summary, figures, findings: findings.lines };
}

/** The API first: it is not ready before read models of its versions are there. */
async function startNewerReads(
  ledger: DeployedLedger,
  ids: readonly string[],
  findings: Findings,
): Promise<number> {
  const api = await ledger.startProgram('api');
  const isReady = async () => (await fetch(`${String(api.ready['url'])}/readyz`)).ok;
  for (let asked = 0; asked < ASKED_IN_VAIN; asked += 1) {
    if (await isReady()) findings.add('the newer API is ready', 'without its read models');
    await sleep(ASK_EVERY_MS);
  }
  const startedAtMs = performance.now();
  await ledger.startProgram('projector');
  await eventually(isReady, { what: 'the newer API', limitMs: LIMIT_MS });
  const readyAfterMs = Math.round(performance.now() - startedAtMs);
  const reader = new ApiReader(String(api.ready['url']), ledger, ids, findings);
  await sleep(1_000);
  await reader.stop();
  return readyAfterMs;
}

/** As the newer API does when it is asked to: the older release does not know the second event. */
async function reactivateAll(ledger: DeployedLedger, ids: readonly string[]): Promise<void> {
  const commands = createCommandExecutor(ledger.store, { cacheSize: 0 });
  for (const id of ids) {
    const { state } = await commands.load(subscriptionAggregate, id);
    if (state.status === 'none') throw new Error(`there is no ${id}`);
    const { appId, player } = state;
    const now = wallClock.now();
    const context = {
      ...{ appId, player, now, environment: 'test' as const },
      ...{ actor: 'app', correlationId: newUuid() },
    };
    for (const command of [
      { kind: 'CancelSubscription', cancelAtPeriodEnd: true, now } as const,
      { kind: 'ReactivateSubscription', now } as const,
    ]) {
      await commands.execute(subscriptionAggregate, id, command, context);
    }
  }
}

/** The merchant hears of both, in this order. */
async function untilReactivated(
  { receiver }: DeployedLedger,
  ids: readonly string[],
  findings: Findings,
): Promise<void> {
  const listTypes = (id: string) =>
    receiver.received.filter(({ data }) => data['id'] === id).map(({ type }) => type);
  const isComplete = () => ids.every((id) => listTypes(id).includes('subscription.reactivated'));
  await eventually(isComplete, { what: 'the newer event', limitMs: LIMIT_MS }).catch(() =>
    findings.add('what the older release could not read was not delivered', 'reactivated'),
  );
  for (const id of ids) {
    const distinct = [...new Set(listTypes(id))].join();
    if (distinct !== 'subscription.created,subscription.canceled,subscription.reactivated') {
      findings.add('webhooks of a subscription came in another order', `${id}: ${distinct}`);
    }
  }
}
