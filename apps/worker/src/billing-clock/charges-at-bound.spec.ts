import { describe, expect, it } from 'vitest';
import type { EventStore } from '#event-store';
import { inFlightMember, PROCESS } from '#worker-state';
import type { InFlightSet, Member } from '../redis/in-flight-set.js';
import { createEvent } from '../spec-support/fakes.js';
import { ChargesAtBound } from './charges-at-bound.js';

const requested = (position: number, paymentId: string) =>
  createEvent('sub_1', position, {
    ...{ type: 'subscription.renewal_requested.v1', data: { paymentId } },
    revision: position,
  });
const EVENTS = [
  createEvent('sub_1', 0, { type: 'subscription.created.v2' }),
  requested(1, 'pay_1'),
  createEvent('sub_1', 2, { type: 'subscription.renewed.v1', data: { paymentId: 'pay_1' } }),
  requested(3, 'pay_2'),
];

function create(isInFlight: boolean) {
  const begun: Member[] = [];
  const asked: Member[] = [];
  const store: Pick<EventStore, 'readStream'> = {
    async *readStream(name, options) {
      expect([name, options?.backwards]).toEqual(['subscription-sub_1', true]);
      yield* [...EVENTS].reverse();
    },
  };
  const inFlight: Partial<InFlightSet> = {
    has: async () => isInFlight,
    askAgain: async (member, dueAtMs) => void asked.push({ member, dueAtMs }),
    beginAgain: async (member) => void begun.push(member),
  };
  return { charges: new ChargesAtBound(store, inFlight as InFlightSet), begun, asked };
}

describe('a charge whose time is up', () => {
  const member = inFlightMember(requested(3, 'pay_2'), PROCESS);
  const charge = { subjectId: 'sub_1', paymentId: 'pay_2' };

  it('is asked about by the job that it has, at once', async () => {
    const { charges, begun, asked } = create(true);
    const before = Date.now();
    await charges.askNow(charge);
    expect([asked, begun]).toEqual([[{ member, dueAtMs: expect.any(Number) }], []]);
    const [{ dueAtMs } = { dueAtMs: null }] = asked;
    expect(dueAtMs).toBeGreaterThanOrEqual(before);
    expect(dueAtMs).toBeLessThanOrEqual(Date.now());
  });

  it('is begun again where no job knows of it any more', async () => {
    const { charges, begun, asked } = create(false);
    await charges.askNow(charge);
    expect([asked, begun]).toEqual([[], [{ member, dueAtMs: expect.any(Number) }]]);
  });

  it('is found by the attempt of its order, too', async () => {
    const attempted = {
      ...createEvent('ord_1', 1, { type: 'order.attempted.v1', data: { paymentId: 'pay_2' } }),
      ...{ revision: 1, streamName: 'order-ord_1' },
    };
    const begun: Member[] = [];
    const store: Pick<EventStore, 'readStream'> = {
      async *readStream(name) {
        expect(name).toBe('order-ord_1');
        yield attempted;
      },
    };
    const inFlight: Partial<InFlightSet> = {
      has: async () => false,
      beginAgain: async (again) => void begun.push(again),
    };
    const charges = new ChargesAtBound(store, inFlight as InFlightSet);
    await charges.askNow({ subjectId: 'ord_1', paymentId: 'pay_2' });
    const ofOrder = inFlightMember(attempted, PROCESS);
    expect(begun).toEqual([{ member: ofOrder, dueAtMs: expect.any(Number) }]);
  });

  it('that its subscription has never asked for is left alone', async () => {
    const { charges, begun, asked } = create(true);
    await charges.askNow({ ...charge, paymentId: 'pay_other' });
    expect([asked, begun]).toEqual([[], []]);
  });
});
