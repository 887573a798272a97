import { describe, expect, it } from 'vitest';
import { findCauses } from '#causes';
import type { RecordedEvent } from '#domain/event';
import { MemoryEventStore } from '../../../../test/support/memory-event-store.js';

const METADATA = {
  $correlationId: 'request-1',
  ...{ actor: 'app', appId: 'app_1', environment: 'test' as const },
  occurredAt: '2027-01-31T10:00:00.000Z',
};

async function append(
  store: MemoryEventStore,
  streamName: string,
  id: string,
  { $causationId, ...data }: Record<string, string> = {},
): Promise<RecordedEvent> {
  const metadata = { ...METADATA, ...($causationId !== undefined && { $causationId }) };
  await store.append(streamName, 'any', [{ id, type: 'x.done.v1', data, metadata }]);
  for await (const event of store.readStream(streamName, { backwards: true, maxCount: 1 })) {
    return event;
  }
  throw new Error('it was appended');
}

/** A purchase: link, payment and subscription name each other by ids. */
async function purchase() {
  const store = new MemoryEventStore();
  await append(store, 'checkout_link-cl_1', 'attempted');
  await append(store, 'payment-pay_1', 'requested', { linkId: 'cl_1', $causationId: 'attempted' });
  await append(store, 'payment-pay_1', 'captured', { $causationId: 'attempted' });
  const paid = { paymentId: 'pay_1', $causationId: 'captured' };
  const created = await append(store, 'subscription-sub_1', 'created', paid);
  return { store, created };
}

const ids = (causes: readonly { stream: string; revision: number }[]) =>
  causes.map(({ stream, revision }) => `${stream} ${revision}`);

describe('the causes of an event', () => {
  it('lead from stream to stream up to the command of a caller', async () => {
    const { store, created } = await purchase();
    const { causes, lostAt } = await findCauses(store, created, {});
    expect(ids(causes)).toEqual(['payment-pay_1 1', 'checkout_link-cl_1 0']);
    expect(causes[1]).toEqual({
      ...{ stream: 'checkout_link-cl_1', revision: 0, type: 'x.done.v1', actor: 'app' },
      ...{ commandId: null, correlationId: 'request-1', occurredAt: METADATA.occurredAt },
    });
    expect(lostAt).toBeUndefined();
  });

  it('are looked for in the streams that the state names, and those of its player', async () => {
    const store = new MemoryEventStore();
    await append(store, 'player_plans-p1', 'claimed', {});
    await append(store, 'checkout_link-cl_2', 'granted', { $causationId: 'claimed' });
    const event = await append(store, 'subscription-sub_2', 'created', { $causationId: 'granted' });
    const { causes } = await findCauses(store, event, { link: { id: 'cl_2' }, player: 'p1' });
    expect(ids(causes)).toEqual(['checkout_link-cl_2 0', 'player_plans-p1 0']);
  });

  it('stand before it in its own stream, also where many events have come since', async () => {
    const store = new MemoryEventStore();
    await append(store, 'subscription-sub_3', 'asked', {});
    const event = await append(store, 'subscription-sub_3', 'renewed', { $causationId: 'asked' });
    for (let at = 0; at < 6_000; at += 1) {
      store.appendNow('subscription-sub_3', 'any', [
        { id: `later-${at}`, type: 'x.done.v1', data: {}, metadata: METADATA },
      ]);
    }
    expect(ids((await findCauses(store, event, {})).causes)).toEqual(['subscription-sub_3 0']);
  });

  it('are none of a command, for which no stream is read', async () => {
    const store = new MemoryEventStore();
    const event = await append(store, 'subscription-sub_4', 'canceled', { paymentId: 'pay_1' });
    store.calls.length = 0;
    expect(await findCauses(store, event, {})).toEqual({ causes: [], lostAt: undefined });
    expect(store.calls).toEqual([]);
  });

  it('end with the id that no named stream has', async () => {
    const { store } = await purchase();
    const event = await append(store, 'payment-pay_5', 'x', { $causationId: 'gone', id: 'sub_1' });
    expect(await findCauses(store, event, {})).toEqual({ causes: [], lostAt: 'gone' });
  });

  it('are found far back, up to a bound', async () => {
    const store = new MemoryEventStore();
    await append(store, 'payment-pay_6', 'asked', {});
    for (let at = 0; at < 4_900; at += 1) {
      store.appendNow('payment-pay_6', 'any', [
        { id: `later-${at}`, type: 'x.done.v1', data: {}, metadata: METADATA },
      ]);
    }
    const about = { $causationId: 'asked', paymentId: 'pay_6' };
    const event = await append(store, 'subscription-sub_6', 'renewed', about);
    expect(ids((await findCauses(store, event, {})).causes)).toEqual(['payment-pay_6 0']);
    for (let at = 0; at < 200; at += 1) {
      store.appendNow('payment-pay_6', 'any', [
        { id: `last-${at}`, type: 'x.done.v1', data: {}, metadata: METADATA },
      ]);
    }
    expect(await findCauses(store, event, {})).toEqual({ causes: [], lostAt: 'asked' });
  });

  it('are read by calls that end by themselves', async () => {
    const { store, created } = await purchase();
    const calls = { begun: 0, ended: 0 };
    const watched: Pick<MemoryEventStore, 'readStream'> = {
      async *readStream(...of) {
        calls.begun += 1;
        yield* store.readStream(...of);
        calls.ended += 1;
      },
    };
    await findCauses(watched, created, {});
    expect(calls.begun).toBeGreaterThan(1);
    expect(calls.ended).toBe(calls.begun);
  });
});
