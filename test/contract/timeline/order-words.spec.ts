import { describe, expect, it } from 'vitest';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import { orderAggregate, type OrderEvent } from '#domain/order';
import {
  canceledCartOrder,
  claimedOrder,
  expiredOrder,
  lateOrder,
  paidOrder,
} from '../stories/orders.js';
import { describeNextOfOrder, describeOrderEvent } from '#representations';

/** Of a recorded event only its type and data are needed. */
const tell = (events: readonly DomainEvent[]) =>
  events.map((event) => describeOrderEvent(event as unknown as RecordedEvent));

describe('an order in plain words', () => {
  it('goes from its link over a decline and a confirmation to refund and dispute', () => {
    expect(tell(paidOrder.events)).toEqual([
      '2 x gems-100, 1 x chest for 10.79 USD, by ServicePay, to be paid on link cl_01order',
      'its checkout was opened',
      expect.stringMatching(/^attempt 1 to pay 10\.79 USD by pm_ok, as pay_\w+$/),
      expect.stringMatching(/^attempt 1 was declined \(insufficient_funds, soft\), as pay_\w+$/),
      expect.stringMatching(/^attempt 2 to pay 10\.79 USD by pm_ok, as pay_\w+$/),
      'the bank wants the player to confirm attempt 2',
      expect.stringMatching(/^paid by pay_\w+, attempt 2$/),
      expect.stringMatching(/^4\.00 USD of pay_\w+ given back, 4\.00 USD in all$/),
      expect.stringMatching(/^pay_\w+ is disputed$/),
      expect.stringMatching(/^a dispute of pay_\w+ was closed: the payment is PARTIALLY_REFUNDED$/),
    ]);
  });

  it('says how others end', () => {
    expect(tell(canceledCartOrder.events).at(-1)).toBe('canceled');
    expect(tell(expiredOrder.events).at(-1)).toBe('it ran out unpaid');
    expect(tell(claimedOrder.events).slice(1)).toEqual([
      'its checkout was opened',
      'claimed: it costs nothing',
      'one piece of item 0 was redeemed',
      'one piece of item 0 was redeemed',
    ]);
    const [replaced, late] = tell(lateOrder.events).slice(-2);
    expect(replaced).toBe('a later checkout of its cart took its place');
    expect(late).toMatch(/^pay_\w+ was captured too late: it buys nothing and goes back$/);
  });

  it('says what comes next, and why', () => {
    const { evolve, initialState } = orderAggregate.decider;
    const after = (count: number) => {
      // The stories play orders alone.
      const events = paidOrder.events.slice(0, count) as readonly OrderEvent[];
      const state = events.reduce(evolve, initialState);
      if (state.status === 'none') throw new Error('a story begins');
      return describeNextOfOrder(state);
    };
    const end = '2027-02-01T10:00:00.000Z';
    expect(after(2)).toEqual({ at: end, why: 'it runs out unpaid' });
    expect(after(5)).toEqual({
      at: '2027-02-01T10:05:00.000Z',
      why: expect.stringMatching(/^the gateway has not answered for pay_\w+, which is given up$/),
    });
    expect(after(7)).toEqual({ at: null, why: 'nothing' });
  });
});
