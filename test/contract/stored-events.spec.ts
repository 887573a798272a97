import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { appAggregate } from '#domain/app';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import { idempotencyKeyAggregate } from '#domain/idempotency-key';
import type { Aggregate } from '#domain/decider';
import type { DomainEvent } from '#domain/event';
import { EVENT_TYPES } from '#domain/event-types';
import { operatorTokensAggregate } from '#domain/operator-tokens';
import { paymentAggregate } from '#domain/payment';
import { planAggregate, planCodeAggregate } from '#domain/plan';
import { subscriptionAggregate } from '#domain/subscription';
import { testClockAggregate } from '#domain/test-clock';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { SANDBOX_EVENT_TYPES } from '#gateway';
import { golden, goldenNames, pretty } from './golden-files.js';
import {
  app,
  creation,
  disputes,
  operatorTokens,
  testClock,
  webhookEndpoint,
} from './stories/operation.js';
import {
  abandonedPlan,
  abandonedSubscription,
  checkoutLink,
  declinedCheckout,
  payment,
  plan,
  planCodeEvents,
  refundedSubscription,
  subscription,
  unappliedPayment,
} from './stories/purchase.js';
import { sandboxAccount, sandboxAccountAggregate } from './stories/sandbox.js';

/**
 * What lies in event stores for good. A change here is a new version of the event, with an upcaster
 * and a golden file of its own; this one stays (rules/events 7).
 */
const stories: readonly (readonly DomainEvent[])[] = [
  app.events,
  creation.events,
  operatorTokens.events,
  testClock.events,
  webhookEndpoint.events,
  plan.events,
  abandonedPlan.events,
  planCodeEvents.events,
  checkoutLink.events,
  subscription.events,
  abandonedSubscription.events,
  refundedSubscription.events,
  payment.events,
  unappliedPayment.events,
  declinedCheckout.events,
  disputes,
  sandboxAccount.events,
];
const written = new Map(
  [...stories]
    .reverse()
    .flatMap((story) => [...story].reverse())
    .map(({ type, data }) => [type, data]),
);

describe('the stored form of an event', () => {
  it.each([...written.keys()].sort())('of type %s is the golden one', (type) => {
    const found = pretty(written.get(type));
    expect(found).toBe(golden('events', type, found));
  });

  it.each([...EVENT_TYPES, ...SANDBOX_EVENT_TYPES])('of type %s has a golden file', (type) => {
    const places = ['golden/events', 'prices/events'];
    const files = places.map((place) => new URL(`${place}/${type}.json`, import.meta.url));
    expect(files.some((file) => existsSync(file))).toBe(true);
  });

  it('is compared with what a story holds: every golden event of this release is in one', () => {
    const golden = goldenNames('events').filter((type) => EVENT_TYPES.includes(type));
    expect(golden.filter((type) => !written.has(type))).toEqual([]);
  });

  it('is plain JSON: it comes back as it was', () => {
    for (const data of written.values()) expect(JSON.parse(JSON.stringify(data))).toEqual(data);
  });
});

/** Stored events as they are folded: by the newest code, whatever wrote them. */
const folds: readonly (readonly [string, Aggregate<unknown, never, never, never>, string[]])[] = [
  ['app', appAggregate, ['app.created.v1', 'app.']],
  ['checkout link', checkoutLinkAggregate, ['checkout_link.created.v1', 'checkout_link.']],
  ['idempotency key', idempotencyKeyAggregate, ['idempotency_key.']],
  ['operator tokens', operatorTokensAggregate, ['operator_token.']],
  ['payment', paymentAggregate, ['payment.requested.v1', 'payment.captured.v1', 'payment.']],
  ['plan', planAggregate, ['plan.created.v1', 'plan.']],
  ['plan code', planCodeAggregate, ['plan_code.']],
  ['sandbox account', sandboxAccountAggregate, ['sandbox.charged.v1', 'sandbox.']],
  ['subscription', subscriptionAggregate, ['subscription.created.v1', 'subscription.']],
  ['test clock', testClockAggregate, ['test_clock.']],
  [
    'webhook endpoint',
    webhookEndpointAggregate,
    ['webhook_endpoint.created.v1', 'webhook_endpoint.'],
  ],
].map(([name, aggregate, order]) => [name, aggregate, order] as never);

describe('every golden event is folded', () => {
  it.each(folds)('of %s', (_name, { decider }, order) => {
    const evolve = decider.evolve as (state: unknown, event: DomainEvent) => unknown;
    const types = order.flatMap((prefix) =>
      goldenNames('events').filter((type) => type.startsWith(prefix)),
    );
    expect(types.length).toBeGreaterThan(0);
    let state: unknown = decider.initialState;
    for (const type of types) {
      const data: unknown = JSON.parse(golden('events', type, ''));
      state = evolve(state, { type, data });
      expect(state).toBeDefined();
    }
    expect(state).not.toEqual(decider.initialState);
  });
});
