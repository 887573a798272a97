import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMilliseconds, addPeriods } from '#domain/calendar';
import { readBucket } from '#domain/ids';
import { subscriptionAggregate } from '#domain/subscription';
import { newId, wallClock } from '#platform';
import { eventually } from '../../support/eventually.js';
import { World } from './world.js';

const WEEK = { value: 1, unit: 'week' } as const;
const HOUR_MS = 3_600_000;
const MANY = 12;
const MISSED = 3;
const LIMIT_MS = 60_000;

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Bought so many weeks ago, and an hour or more before that; no worker has run since the first period ended. */
async function haveBought(appId: string, weeksAgo: number, n: number): Promise<string> {
  const boughtAt = addMilliseconds(wallClock.now(), -(weeksAgo * 168 + 1) * HOUR_MS - n * 60_000);
  const player = `${String(n % 90).padStart(2, '0')}0000000000000000000000000000aa`;
  const subscriptionId = newId('sub', boughtAt, readBucket(player));
  const terms = {
    ...{ subscriptionId, appId, player, planId: 'plan_gold', period: WEEK, trial: null },
    price: { amountMinor: '999', currency: 'USD' },
    ...{ paymentMethod: 'pm_ok', checkoutLinkId: 'link_1', regionCode: 'US', personal: {} },
  };
  // Its first period cost nothing, so that it needs no payment.
  const command = {
    kind: 'CreateSubscription',
    terms,
    initialPayment: null,
    now: boughtAt,
  } as const;
  await world.commands.execute(subscriptionAggregate, subscriptionId, command, {
    ...{ appId, player, actor: 'app', correlationId: 'request-1', now: boughtAt },
    environment: 'test',
  });
  return subscriptionId;
}

it('every period that fell due in an outage is charged, oldest first and one at a time, fairly between apps', async () => {
  const [large, small] = [await world.createApp(), await world.createApp()];
  const numbers = Array.from({ length: MANY }, (_, n) => n);
  const bought = await Promise.all(numbers.map((n) => haveBought(large, MISSED, n)));
  // The last of all to fall due, and the only one of its app.
  const other = await haveBought(small, 1, 0);
  await world.startWorker();
  const isCaughtUp = async () => {
    const states = await Promise.all(bought.map((id) => world.subscription(id)));
    return states.every(({ periodsPaid }) => periodsPaid === MISSED + 1);
  };
  await eventually(isCaughtUp, { what: 'all periods', limitMs: LIMIT_MS });
  for (const id of bought) {
    const { createdAt } = await world.subscription(id);
    const story = (await world.events(`subscription-${id}`)).slice(1).map(({ type, data }) => {
      const told = data as { period?: { start: string }; dueAt?: string };
      return `${type} ${told.period?.start ?? told.dueAt ?? ''}`;
    });
    const periods = Array.from({ length: MISSED }, (_, n) => addPeriods(createdAt, WEEK, n + 1));
    expect(story).toEqual(
      periods.flatMap((dueAt) => [
        `subscription.renewal_requested.v1 ${dueAt}`,
        `subscription.renewed.v1 ${dueAt}`,
      ]),
    );
  }
  const [, ofSmall] = await world.events(`subscription-${other}`);
  const last = await Promise.all(bought.map(async (id) => world.events(`subscription-${id}`)));
  const lastOfLarge =
    last
      .map((events) => events.at(-2)?.position ?? '')
      .sort()
      .at(-1) ?? '';
  expect(ofSmall?.type).toBe('subscription.renewal_requested.v1');
  // Long before the app with the backlog was through.
  expect((ofSmall?.position ?? '') < lastOfLarge).toBe(true);
});
