import { describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { appAggregate } from '#domain/app';
import { cartAggregate } from '#domain/cart';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import { endpointListAggregate } from '#domain/endpoint-list';
import { financeAggregate } from '#domain/finance';
import { idempotencyKeyAggregate } from '#domain/idempotency-key';
import type { Aggregate } from '#domain/decider';
import type { DomainEvent } from '#domain/event';
import { EVENT_TYPES, REPEATED_FIELDS } from '#domain/event-types';
import { loyaltyAggregate } from '#domain/loyalty';
import { loyaltyProgramAggregate } from '#domain/loyalty-program';
import { operatorTokensAggregate } from '#domain/operator-tokens';
import { orderAggregate, orderLinkAggregate } from '#domain/order';
import { paymentAggregate } from '#domain/payment';
import { playerAggregate } from '#domain/player';
import { playerPlansAggregate } from '#domain/player-plans';
import { planAggregate, planCodeAggregate } from '#domain/plan';
import { sealWitnessesAggregate } from '#domain/seal';
import { settlementAggregate } from '#domain/settlement';
import { shopAggregate } from '#domain/shop';
import { shopSessionAggregate } from '#domain/shop-session';
import { projectionAggregate } from '#domain/projection';
import { subscriptionAggregate } from '#domain/subscription';
import { testClockAggregate } from '#domain/test-clock';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { fromStoredData, toStoredForm } from '#event-store';
import { SANDBOX_EVENT_TYPES } from '#gateway';
import { chainUpcasters, UPCASTERS } from '../../libs/event-store/src/streams/upcasters.js';
import { golden, goldenNames, pretty } from './golden-files.js';
import { sandboxAccountAggregate } from './stories/sandbox.js';
import { STORIES } from './stories/all-stories.js';

/**
 * The events that lie in event stores for good. A change here is a new version of the event, with an upcaster and a
 * golden file of its own; this one stays (rules/events 7).
 */
/** The pseudonym of the stories' player. */
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const written = new Map(
  [...STORIES]
    .reverse()
    .flatMap(({ events }) => [...events].reverse())
    .map(({ type, data }) => [type, data]),
);

/** The place of a story's event, and its metadata, as its data have them. */
function findPlace(type: string, data: unknown) {
  const told = data as Readonly<Record<string, string>>;
  const { id = '', at = '', app = '', player = '' } = REPEATED_FIELDS.get(type) ?? {};
  const metadata = {
    ...{ $correlationId: 'request-1', actor: 'app', environment: 'test' as const },
    ...{ appId: told[app] ?? 'app_01gold', player: told[player] ?? PLAYER },
    occurredAt: told[at] ?? '2027-01-31T10:00:00.000Z',
  };
  return { streamName: `${type.split('.')[0] ?? ''}-${told[id] ?? 'id_01gold'}`, metadata };
}

function store(type: string): unknown {
  const data = written.get(type);
  const { streamName, metadata } = findPlace(type, data);
  return toStoredForm(streamName, { id: 'event-1', type, data, metadata }).data;
}

describe('the stored form of an event', () => {
  it.each([...written.keys()].sort())('of type %s is the golden one', (type) => {
    const found = pretty(store(type));
    expect(found).toBe(golden('events', type, found));
  });

  it.each([...written.keys()].sort())('of type %s says nothing twice, and reads back', (type) => {
    const data = written.get(type);
    const { streamName, metadata } = findPlace(type, data);
    const stored = store(type) as Readonly<Record<string, unknown>>;
    expect(fromStoredData(type, { ...stored }, streamName, metadata)).toEqual(data);
    const repeated = Object.values(REPEATED_FIELDS.get(type) ?? {}).filter(
      (name) => name in stored,
    );
    expect(repeated).toEqual([]);
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
  ['cart', cartAggregate, ['cart.item_set.v1', 'cart.problems_shown.v1']],
  ['checkout link', checkoutLinkAggregate, ['checkout_link.created.v2', 'checkout_link.']],
  ['endpoint list', endpointListAggregate, ['endpoint_list.']],
  ['finance', financeAggregate, ['finance.policy_set.v1', 'finance.']],
  ['idempotency key', idempotencyKeyAggregate, ['idempotency_key.']],
  ['loyalty', loyaltyAggregate, ['loyalty.']],
  ['loyalty program', loyaltyProgramAggregate, ['loyalty_program.']],
  ['operator tokens', operatorTokensAggregate, ['operator_token.']],
  ['order', orderAggregate, ['order.created.v1', 'order.attempted.v1', 'order.']],
  ['order link', orderLinkAggregate, ['order_link.']],
  ['payment', paymentAggregate, ['payment.requested.v3', 'payment.captured.v1', 'payment.']],
  ['player', playerAggregate, ['player.registered.v1', 'player.']],
  ['player plans', playerPlansAggregate, ['player_plans.']],
  ['plan', planAggregate, ['plan.created.v1', 'plan.']],
  ['plan code', planCodeAggregate, ['plan_code.']],
  ['projection', projectionAggregate, ['projection.rebuild_requested.v1', 'projection.']],
  ['sandbox account', sandboxAccountAggregate, ['sandbox.charged.v1', 'sandbox.']],
  ['seal witnesses', sealWitnessesAggregate, ['seal_witnesses.']],
  ['settlement', settlementAggregate, ['settlement.row_imported.v1', 'settlement.']],
  ['shop', shopAggregate, ['shop.']],
  ['shop session', shopSessionAggregate, ['shop_session.linked.v1', 'shop_session.opened.v1']],
  ['subscription', subscriptionAggregate, ['subscription.created.v2', 'subscription.']],
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
      const stored = JSON.parse(golden('events', type, '')) as Readonly<Record<string, unknown>>;
      const { streamName, metadata } = findPlace(type, stored);
      const data = fromStoredData(type, stored, streamName, metadata);
      const chain = chainUpcasters(UPCASTERS);
      state = evolve(state, { type: chain.newest(type), data: chain.upcast(type, data, metadata) });
      expect(state).toBeDefined();
    }
    expect(state).not.toEqual(decider.initialState);
  });
});

describe('the categories of streams', () => {
  it('are for good, as the events in them are', () => {
    expect(folds.map(([, { category }]) => category)).toEqual([
      'app',
      'cart',
      'checkout_link',
      'endpoint_list',
      'finance',
      'idempotency_key',
      'loyalty',
      'loyalty_program',
      'operator_tokens',
      'order',
      'order_link',
      'payment',
      'player',
      'player_plans',
      'plan',
      'plan_code',
      'projection',
      'sandbox_account',
      'seal_witnesses',
      'settlement',
      'shop',
      'shop_session',
      'subscription',
      'test_clock',
      'webhook_endpoint',
    ]);
  });
});
