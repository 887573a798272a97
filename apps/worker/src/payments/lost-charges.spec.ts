import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import type { CommandExecutor, EventStore } from '#event-store';
import { Fault } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { TimeRange } from '#projection-engine/define';
import { inFlightMember, PROCESS } from '#worker-state';
import type { InFlightSet } from '../redis/in-flight-set.js';
import { TAKEN_UP_AT_ONCE, SETTLING_AT_GATEWAY_MS } from '../limits.js';
import { createEvent, createLease, silent } from '../spec-support/fakes.js';
import { LostCharges } from './lost-charges.js';
import { OpenPayments } from './lost-sweep.js';

const NOW_MS = Date.parse('2026-02-01T00:00:00.000Z');

const of = (streamName: string, event: RecordedEvent, data: unknown, $causationId?: string) => ({
  ...{ ...event, streamName, data },
  metadata: { ...event.metadata, ...($causationId !== undefined && { $causationId }) },
});

/** A checkout and a renewal, each with an older event in the stream that asked for the charge. */
const attempts = [1, 2].map((n) => of('checkout_link-link_1', createEvent('x', n), {}));
const requests = [3, 4].map((n) => of('subscription-sub_1', createEvent('x', n), {}));
const period = (number: number) => ({
  ...{ kind: 'subscription_period', subscriptionId: 'sub_1', attempt: 1 },
  period: { number, start: '', end: '' },
});
const STREAMS: Readonly<Record<string, readonly RecordedEvent[]>> = {
  'checkout_link-link_1': attempts,
  'subscription-sub_1': requests,
  'payment-pay_first': [
    of(
      'payment-pay_first',
      createEvent('x', 5),
      { checkoutLinkId: 'link_1', purpose: period(1) },
      'event-2',
    ),
  ],
  'payment-pay_renewal': [
    of(
      'payment-pay_renewal',
      createEvent('x', 6),
      { checkoutLinkId: 'link_1', purpose: period(2) },
      'event-3',
    ),
  ],
};
const [CHARGE_OF_FIRST, CHARGE_OF_RENEWAL] = [attempts[1]!, requests[0]!].map((event) =>
  inFlightMember(event, PROCESS),
);

/** @param known the errors of the read model and the store: payments that have an outcome, faults of streams. */
function create(
  pending: readonly string[],
  inFlight: readonly (string | undefined)[],
  known: { readonly settled?: readonly string[]; readonly faults?: Record<string, Error> } = {},
) {
  const { settled = [], faults = {} } = known;
  const begun: unknown[] = [];
  const asked: TimeRange[] = [];
  const readModels = {
    ask: () => ({
      pending: async (range: TimeRange) => {
        asked.push(range);
        const { offset = 0, limit } = range;
        return pending.slice(offset, offset + limit).map((member) => ({ member, at: '' }));
      },
    }),
  };
  const store: Pick<EventStore, 'readStream'> = {
    async *readStream(name, options) {
      const fault = faults[name];
      if (fault !== undefined) throw fault;
      const events = STREAMS[name] ?? [];
      yield* options?.backwards === true ? [...events].reverse() : events;
    },
  };
  const set: Partial<InFlightSet> = {
    has: async (member) => inFlight.includes(member),
    beginAgain: async (member) => void begun.push(member),
  };
  const charges = new LostCharges(
    new OpenPayments(readModels as unknown as ReadModels, createLease()),
    store,
    {
      load: async (_: unknown, id: string) => ({
        state: { status: settled.includes(id) ? 'SUCCEEDED' : 'PENDING' },
      }),
    } as unknown as CommandExecutor,
    set as InFlightSet,
    silent,
  );
  return { charges, begun, asked };
}

describe('payments without an outcome', () => {
  it('are charged by whatever asked for them, when that is in flight no more', async () => {
    const { charges, begun, asked } = create(['pay_first', 'pay_renewal'], []);
    await charges.look(NOW_MS);
    expect(begun).toEqual([
      { member: CHARGE_OF_FIRST, dueAtMs: 0 },
      { member: CHARGE_OF_RENEWAL, dueAtMs: 0 },
    ]);
    const until = new Date(NOW_MS - SETTLING_AT_GATEWAY_MS).toISOString();
    expect(asked).toMatchObject([{ partition: 0, until }]);
  });

  it('are left alone while their charges are in flight, or where nothing has asked for them', async () => {
    const { charges, begun } = create(['pay_first', 'pay_unknown'], [CHARGE_OF_FIRST]);
    await charges.look(NOW_MS);
    expect(begun).toEqual([]);
  });

  it('are left alone where the store has an outcome that the read model does not know yet', async () => {
    const { charges, begun } = create(['pay_first', 'pay_renewal'], [], { settled: ['pay_first'] });
    await charges.look(NOW_MS);
    expect(begun).toEqual([{ member: CHARGE_OF_RENEWAL, dueAtMs: 0 }]);
  });

  it('do not wait for another one whose stream cannot be read', async () => {
    const unreadable = new Fault('undecodable', 'of a newer release', { retryable: false });
    const faults = { 'payment-pay_first': unreadable };
    const { charges, begun } = create(['pay_first', 'pay_renewal'], [], { faults });
    await charges.look(NOW_MS);
    expect(begun).toEqual([{ member: CHARGE_OF_RENEWAL, dueAtMs: 0 }]);
  });

  it('are all looked at later where the store does not answer', async () => {
    const away = new Fault('unavailable', 'the store is away', { retryable: true });
    const { charges } = create(['pay_first'], [], { faults: { 'payment-pay_first': away } });
    await expect(charges.look(NOW_MS)).rejects.toBe(away);
  });

  it('are looked at page by page, however many there are', async () => {
    const many = Array.from({ length: TAKEN_UP_AT_ONCE + 1 }, () => 'pay_unknown');
    const { charges, asked } = create(many, []);
    for (let n = 0; n < 3; n += 1) await charges.look(NOW_MS);
    expect(asked.map(({ offset }) => offset)).toEqual([0, TAKEN_UP_AT_ONCE, 0]);
  });
});
