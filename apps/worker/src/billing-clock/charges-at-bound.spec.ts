import { describe, expect, it } from '@jest/globals';
import type { EventStore } from '#event-store';
import { inFlightMember, PROCESS } from '#checkpoint-backup';
import type { InFlightSet, Member } from '../feed/in-flight-set.js';
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
  const renewal = { subscriptionId: 'sub_1', paymentId: 'pay_2' };

  it('is asked about by the job that it has, at once', async () => {
    const { charges, begun, asked } = create(true);
    const before = Date.now();
    await charges.askNow(renewal);
    expect([asked, begun]).toEqual([[{ member, dueAtMs: expect.any(Number) }], []]);
    const [{ dueAtMs } = { dueAtMs: null }] = asked;
    expect(dueAtMs).toBeGreaterThanOrEqual(before);
    expect(dueAtMs).toBeLessThanOrEqual(Date.now());
  });

  it('is begun again where no job knows of it any more', async () => {
    const { charges, begun, asked } = create(false);
    await charges.askNow(renewal);
    expect([asked, begun]).toEqual([[], [{ member, dueAtMs: expect.any(Number) }]]);
  });

  it('that its subscription has never asked for is left alone', async () => {
    const { charges, begun, asked } = create(true);
    await charges.askNow({ ...renewal, paymentId: 'pay_other' });
    expect([asked, begun]).toEqual([[], []]);
  });
});
