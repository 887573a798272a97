import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { subscriptionAggregate } from '#domain/subscription';
import { createCommandExecutor, type EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { terms } from '../../../libs/domain/src/subscription/spec-support/subscriptions.js';
import { collect, context, RestartableStore } from './support.js';

const AHEAD = '2027-01-31T10:00:05.000Z';
const BEHIND = '2027-01-31T10:00:00.000Z';

let server: RestartableStore;
let stores: [EventStore, EventStore];

beforeAll(async () => {
  server = await RestartableStore.start();
  const connect = () => connectEventStore(server.connectionString);
  stores = [connect(), connect()];
});
afterAll(async () => {
  for (const store of stores) await store.dispose();
  await server.remove();
});

it('a machine whose clock is 5 s behind dates nothing before what another one did', async () => {
  const [ahead, behind] = stores.map((store) => createCommandExecutor(store));
  const create = { kind: 'CreateSubscription', terms, initialPayment: null, now: AHEAD } as const;
  await ahead?.execute(subscriptionAggregate, 'sub_1', create, { ...context, now: AHEAD });
  const late = { ...context, now: BEHIND };
  const cancel = { kind: 'CancelSubscription', cancelAtPeriodEnd: true, now: BEHIND } as const;
  await behind?.execute(subscriptionAggregate, 'sub_1', cancel, late);
  const reactivate = { kind: 'ReactivateSubscription', now: BEHIND } as const;
  await behind?.execute(subscriptionAggregate, 'sub_1', reactivate, late);
  const events: RecordedEvent[] = await collect(stores[1].readStream('subscription-sub_1'));
  expect(events.map(({ type, data, metadata }) => [type, data, metadata.occurredAt])).toMatchObject(
    [
      ['subscription.created.v2', { createdAt: AHEAD, billingAnchor: AHEAD }, AHEAD],
      ['subscription.canceled.v1', { canceledAt: AHEAD }, AHEAD],
      ['subscription.reactivated.v1', { reactivatedAt: AHEAD }, AHEAD],
    ],
  );
});
