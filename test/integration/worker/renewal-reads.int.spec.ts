import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addMilliseconds, addPeriods } from '#domain/calendar';
import { categoryOf } from '#domain/event';
import { readBucket } from '#domain/ids';
import { subscriptionAggregate } from '#domain/subscription';
import type { LedgerStore } from '#event-store';
import { newId, newUuid, wallClock } from '#platform';
import { EVENT_STORE } from '../../../apps/worker/src/tokens.js';
import { eventually } from '../../support/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import type { RunningWorker } from './worker-here.js';
import { World } from './world.js';

const RENEWALS = 10;
const MONTH = { value: 1, unit: 'month' } as const;

let world: World;
let worker: RunningWorker;
let receiver: WebhookReceiver;

beforeAll(async () => {
  world = await World.start();
  receiver = await startWebhookReceiver();
  world.onStop(() => receiver.close());
});
afterAll(() => world.stop());

/** Paid until a moment ago; no worker has seen it. */
async function haveBought(appId: string, player: string): Promise<string> {
  const dueAt = wallClock.now();
  const boughtAt = addMilliseconds(addPeriods(dueAt, MONTH, -1), -60_000);
  const context = {
    ...{ appId, player, actor: 'app', correlationId: 'request-1', now: boughtAt },
    environment: 'test' as const,
  };
  const subscriptionId = newId('sub', boughtAt, readBucket(player));
  const terms = {
    ...{ subscriptionId, appId, player, planId: 'plan_gold', period: MONTH, trial: null },
    price: { amountMinor: '999', currency: 'USD' },
    personal: {},
    ...{ paymentMethod: 'pm_ok', checkoutLinkId: 'link_1', regionCode: 'US' },
  };
  const create = {
    kind: 'CreateSubscription',
    terms,
    initialPayment: null,
    now: boughtAt,
  } as const;
  await world.commands.execute(subscriptionAggregate, subscriptionId, create, context);
  return subscriptionId;
}

/** Players of purchases, each with a key. */
async function registerPlayers(appId: string): Promise<string[]> {
  const players = Array.from({ length: RENEWALS }, () => newUuid().replaceAll('-', ''));
  const context = { appId, actor: 'app', correlationId: 'request-1', now: wallClock.now() };
  const register = (player: string) =>
    world.personalData.seal({ ...context, environment: 'test', player }, `of ${player}`, {});
  await Promise.all(players.map(register));
  return players;
}

/** A worker's reads and appends during an act, by the categories of the streams. */
async function watch(act: () => Promise<unknown>) {
  const [partition] = worker.partitions();
  const store = partition?.get<LedgerStore>(EVENT_STORE);
  if (store === undefined) throw new Error('the worker has no partition');
  const reads = vi.spyOn(store, 'readStream');
  const appends = vi.spyOn(store, 'append');
  await act();
  const counted = {
    reads: countBy(reads.mock.calls, ([name]) => categoryOf(name)),
    appends: countBy(appends.mock.calls, ([name]) => categoryOf(name)),
  };
  reads.mockRestore();
  appends.mockRestore();
  return counted;
}

function countBy<T>(all: readonly T[], name: (one: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[name(one)] = (counts[name(one)] ?? 0) + 1;
  return counts;
}

/** The first of each kind reads its streams once: apps, endpoints, clocks. */
async function warmUp(appId: string): Promise<void> {
  await world.buy(appId);
  await receiver.until((received) => received.length === 2);
}

describe('the streams that a worker reads', () => {
  let appId: string;
  let players: readonly string[];

  beforeAll(async () => {
    appId = await world.createApp();
    await world.addEndpoint(appId, receiver.url);
    // Those who are registered beside a worker are kept as they go by.
    players = await registerPlayers(appId);
    worker = await world.startWorker();
    await warmUp(appId);
  });

  it('for a renewal are its subscription, its account at the sandbox, and its player', async () => {
    const { reads, appends } = await watch(async () => {
      const bought = await Promise.all(players.map((player) => haveBought(appId, player)));
      const isRenewed = async () => {
        const states = await Promise.all(bought.map((id) => world.subscription(id)));
        return states.every(({ periodsPaid }) => periodsPaid === 2);
      };
      await eventually(isRenewed, { what: 'all renewals' });
      await receiver.until((received) => received.length >= 2 + 2 * RENEWALS);
    });
    expect(reads).toMatchObject({ ...each(['player', 'sandbox_account']) });
    // A due date is looked at again where the read model is still behind the charge.
    expect(reads['subscription']).toBeLessThanOrEqual(2 * RENEWALS);
    // New streams are appended to without being read.
    expect(reads['payment']).toBe(undefined);
    expect(appends).toMatchObject({ subscription: 2 * RENEWALS, payment: 2 * RENEWALS });
    // The rates are read once for all of them.
    expect(reads['tax_rates']).toBe(1);
  });

  it('for a purchase are none', async () => {
    const { reads, appends } = await watch(async () => {
      const others = Array.from({ length: RENEWALS }, () => newUuid().replaceAll('-', ''));
      await Promise.all(others.map((player) => world.buy(appId, { player })));
      await receiver.until((received) => received.length >= 2 + 4 * RENEWALS);
    });
    // Links go by, new players are kept as they go by, and new streams are appended to without being read.
    const others = [
      'player',
      'checkout_link',
      'payment',
      'subscription',
      'sandbox_account',
      'tax_rates',
    ];
    expect(others.map((name) => reads[name])).toEqual(others.map(() => undefined));
    expect(appends).toMatchObject({ subscription: RENEWALS, checkout_link: 2 * RENEWALS });
  });
});

function each(categories: readonly string[]): Record<string, number> {
  return Object.fromEntries(categories.map((category) => [category, RENEWALS]));
}
