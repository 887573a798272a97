import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  apps,
  dueDates,
  orders,
  payments,
  plans,
  projections,
  subscriptions,
  testClocks,
} from '#projections';
import type { DomainEvent } from '#domain/event';
import { type Projection, renderStream } from '#projection-engine/define';
import { writeHistories } from '../../bench/histories.js';
import { STORIES } from '../stories/all-stories.js';
import { differsAt, type History, requireRecipe, toHistory } from './compared.js';
import { droppingField, forgettingList, skippingType } from './faults.js';

describe('the recipe of a read model', () => {
  it.each(projections)(
    'of $name makes the documents and entries of the projection',
    async (each) => {
      const histories = await listHistories(each);
      expect(histories.length).toBeGreaterThan(1);
      for (const history of histories) expect(differsAt(each, history)).toEqual([]);
    },
  );

  it.each([payments, subscriptions, plans, apps])(
    'of $name does so whatever the order of events is',
    async (each) => {
      const histories = (await listHistories(each)).map(({ events }) =>
        fc.array(fc.constantFrom(...events), { maxLength: 20 }),
      );
      fc.assert(
        fc.property(fc.oneof(...histories), (some) => {
          expect(differsAt(each, toHistory(some))).toEqual([]);
        }),
      );
    },
  );

  it.each(projections)('of $name leads from each entry of a list to its document', async (each) => {
    const recipe = requireRecipe(each);
    const led = (await listHistories(each)).flatMap(({ id, events }) =>
      events.flatMap((_, last) =>
        renderStream(recipe, id, events.slice(0, last + 1)).entries.map(
          ({ index, member }) => recipe.findId(index, member) === id,
        ),
      ),
    );
    expect(new Set(led)).toEqual(new Set([true]));
  });
});

/** A mistake in a projection, and the field or the list by which it is named. */
describe('a mistake in a projection is named by its recipe', () => {
  it.each([
    ['apps, an event type skipped', skippingType(apps, 'app.segment_added.v1'), /^segments\[1\]/],
    ['apps, a field dropped', droppingField(apps, 'tokenIssuer'), /^tokenIssuer/],
    ['apps, a list forgotten', forgettingList(apps, 'all'), /^all /],
    ['plans, an event type skipped', skippingType(plans, 'plan.archived.v1'), /^status$/],
    ['plans, a field dropped', droppingField(plans, 'prices'), /^prices/],
    ['plans, a status forgotten', forgettingList(plans, 'app', 'archived'), /^app\/.*\/archived /],
    [
      'subscriptions, an event type skipped',
      skippingType(subscriptions, 'subscription.renewed.v1'),
      /^currentPeriodEnd$/,
    ],
    ['subscriptions, a field dropped', droppingField(subscriptions, 'dunning'), /^dunning/],
    [
      'subscriptions, a status forgotten',
      forgettingList(subscriptions, 'player', 'past_due'),
      /^player\/.*\/past_due /,
    ],
    [
      'payments, an event type skipped',
      skippingType(payments, 'payment.refunded.v1'),
      /^totalRefunded\.amountMinor$/,
    ],
    ['payments, a field dropped', droppingField(payments, 'decline'), /^decline/],
    ['payments, a list forgotten', forgettingList(payments, 'refunding'), /^refunding /],
    ['orders, an event type skipped', skippingType(orders, 'order.expired.v1'), /^expiredAt$/],
    ['orders, a field dropped', droppingField(orders, 'attempts'), /^attempts/],
    ['orders, a list forgotten', forgettingList(orders, 'player'), /^player\//],
    [
      'due dates, an event type skipped',
      skippingType(dueDates, 'subscription.canceled.v1'),
      /^canceledAt$/,
    ],
    [
      'due dates, an event type of orders skipped',
      skippingType(dueDates, 'order.attempted.v1'),
      /^openAttempts/,
    ],
    ['due dates, a field dropped', droppingField(dueDates, 'pendingCharge'), /^pendingCharge/],
    ['due dates, a list forgotten', forgettingList(dueDates, 'test-app'), /^test-app\/app_1 /],
    [
      'test clocks, an event type skipped',
      skippingType(testClocks, 'test_clock.target_reached.v1'),
      /^status$/,
    ],
    ['test clocks, a list forgotten', forgettingList(testClocks, 'advancing'), /^advancing /],
  ])('%s', async (_, mistaken, named) => {
    const histories = await listHistories(mistaken);
    const fields = histories.flatMap((history) => differsAt(mistaken, history));
    expect(fields.filter((field) => named.test(field))).not.toEqual([]);
  });
});

/** The stories that the contract tells, and histories of renewals, in apps of both kinds. */
async function listHistories({ categories }: Projection<unknown>): Promise<History[]> {
  const stories = STORIES.map(({ events }) => events).filter(([first]) =>
    categories.some((category) => first?.type.startsWith(`${category}.`)),
  );
  const written: (readonly DomainEvent[])[] = [];
  await writeHistories(
    {
      append: async (streamName, _, events) => {
        const isRead = categories.some((category) => streamName.startsWith(`${category}-`));
        // The events of a history are the domain's.
        if (isRead) written.push(events);
        return { revision: events.length - 1, position: '' };
      },
    },
    2,
  );
  return [...stories, ...written].flatMap((events) =>
    (['test', 'production'] as const).map((environment) => toHistory(events, environment)),
  );
}
