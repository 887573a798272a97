import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { type OrderCommand, orderAggregate } from './order.decide.js';
import type { OrderEvent } from './order.events.js';
import { isAttempting, orderDueAt } from './order.state.js';
import {
  attempt,
  cancel,
  claim,
  created,
  decline,
  EXPIRES,
  freeOrder,
  LATER,
  order,
  paymentIdIn,
  settle,
  T0,
  T1,
  T2,
} from './spec-support/orders.js';

const { decider } = orderAggregate;

/** Plays commands one after the other; each of them is accepted. */
function play(first: OrderEvent, ...commands: OrderCommand[]) {
  const events: OrderEvent[] = [first];
  for (const command of commands) {
    const decided = given(decider, ...events).when(command);
    if (typeof decided === 'string') throw new Error(`${command.kind}: ${decided}`);
    events.push(...decided);
  }
  return given(decider, ...events);
}
const types = (decided: readonly OrderEvent[] | string) =>
  typeof decided === 'string' ? decided : decided.map(({ type }) => type);

const pay1 = paymentIdIn(given(decider, created()).when(attempt(T1)));
const pay2 = paymentIdIn(play(created(), attempt(T1), settle(pay1, decline, T1)).when(attempt(T2)));

describe('an order', () => {
  it('is made once, and open', () => {
    const create = { kind: 'CreateOrder', order: order() } as const;
    expect(given(decider).when(create)).toEqual([created()]);
    expect(given(decider, created()).when(create)).toEqual([]);
    expect(given(decider, created()).state).toMatchObject({ status: 'OPEN', paidBy: null });
    expect(given(decider).when(attempt(T1))).toBe('order/not_found');
  });

  it('notes the first time that its page is opened', () => {
    const open = { kind: 'OpenCheckout', now: T1 } as const;
    const opened = { type: 'order.checkout_opened.v1', data: { openedAt: T1 } } as const;
    expect(given(decider, created()).when(open)).toEqual([opened]);
    expect(given(decider, created(), opened).when({ ...open, now: T2 })).toEqual([]);
  });

  it('is opened by the first click as well, where its page was not: once, and of links alone', () => {
    const open = { kind: 'OpenCheckout', now: T1 } as const;
    const opens = ['order.checkout_opened.v1', 'order.attempted.v1'];
    expect(types(given(decider, created()).when(attempt(T1)))).toEqual(opens);
    expect(play(created(), attempt(T1)).when(open)).toEqual([]);
    expect(types(play(created(), open).when(attempt(T1)))).toEqual(opens.slice(1));
    const declined = play(created(), attempt(T1), settle(pay1, decline, T1));
    expect(types(declined.when(attempt(T2)))).toEqual(opens.slice(1));
    expect(types(given(decider, freeOrder).when(claim)).slice(0, 2)).toEqual([
      ...[opens[0], 'order.claimed.v1'],
    ]);
    const ofCart = created({ source: 'Cart' });
    expect(types(given(decider, ofCart).when(attempt(T1)))).toEqual(opens.slice(1));
  });

  it('is paid by the attempt that is captured, and by no other one', () => {
    const paid = play(created(), attempt(T1), settle(pay1, 'captured', T1));
    expect(paid.state).toMatchObject({ status: 'PAID', paidBy: pay1, emailMarketingOptIn: true });
    expect(paid.when(attempt(T2, 'pm_other'))).toEqual([]);
    expect(paid.when(settle(pay1, 'captured', T2))).toEqual([]);
    expect(paid.when(cancel(T2))).toBe('order/paid');
  });

  it('can be paid again after a decline, until ten were in vain', () => {
    const declined = play(created(), attempt(T1), settle(pay1, decline, T1));
    expect(declined.state).toMatchObject({ status: 'OPEN' });
    expect(declined.when(settle(pay1, decline, T2))).toEqual([]);
    expect(pay2).not.toBe(pay1);
    let history: OrderEvent[] = [created()];
    for (let minute = 10; minute < 20; minute += 1) {
      const now = `2027-01-31T10:${minute}:00.000Z`;
      const attempted = given(decider, ...history).when(attempt(now));
      history = [...history, ...(attempted as OrderEvent[])];
      const after = given(decider, ...history).when(settle(paymentIdIn(attempted), decline, now));
      history = [...history, ...(after as OrderEvent[])];
    }
    const soon = '2027-01-31T10:19:05.000Z';
    expect(given(decider, ...history.slice(0, -2)).when(attempt(soon))).not.toBe(
      'checkout_link/locked',
    );
    expect(given(decider, ...history).when(attempt(soon))).toBe('checkout_link/locked');
    expect(given(decider, ...history.slice(0, 10)).when(attempt('2027-01-31T10:13:00.500Z'))).toBe(
      'checkout_link/paused',
    );
  });

  it('has one attempt under way: the same method joins it, another one after ten seconds does not', () => {
    const attempting = play(created(), attempt(T1));
    expect(attempting.when(attempt(T2))).toEqual([]);
    expect(attempting.when(attempt('2027-01-31T10:00:35.000Z', 'pm_other'))).toEqual([]);
    expect(types(attempting.when(attempt(T2, 'pm_other')))).toEqual(['order.attempted.v1']);
  });

  it('gives the money of a replaced attempt back, and takes nothing of its decline as the order’s', () => {
    const replaced = play(created(), attempt(T1), attempt(T2, 'pm_other'));
    const late = replaced.when(settle(pay1, 'captured', T2));
    expect(types(late)).toEqual(['order.late_outcome_recorded.v1']);
    const after = play(
      created(),
      attempt(T1),
      attempt(T2, 'pm_other'),
      settle(pay1, 'captured', T2),
    );
    expect(after.when(settle(pay1, 'captured', T2))).toEqual([]);
    expect(isAttempting(after.state as never)).toBe(true);
  });

  it('waits for the player at the bank, who may choose another method meanwhile', () => {
    const challenge = { kind: 'ChallengeOrder', paymentId: pay1, sealedUrl: 'v3.x', now: T1 };
    const challenged = play(created(), attempt(T1), challenge as OrderCommand);
    expect(challenged.when(challenge as OrderCommand)).toEqual([]);
    const soon = '2027-01-31T10:00:31.000Z';
    expect(types(challenged.when(attempt(soon, 'pm_other')))).toEqual(['order.attempted.v1']);
    expect(types(challenged.when(cancel(soon)))).toEqual(['order.canceled.v1']);
  });

  it('takes no attempt once the player was erased, nor at a higher price than was shown', () => {
    const open = given(decider, created());
    expect(open.when({ ...attempt(T1), playerIsErased: true })).toBe('checkout_link/player_erased');
    const shown = { amountMinor: '998', currency: 'USD' };
    const amount = { amountMinor: '999', currency: 'USD' };
    const rejection = { code: 'checkout_link/amount_changed', amount };
    expect(decider.decide({ ...attempt(T1), shown }, open.state)).toMatchObject({ rejection });
    const more = { amountMinor: '1000', currency: 'USD' };
    expect(types(open.when({ ...attempt(T1), shown: more }))).toContain('order.attempted.v1');
  });
});

describe('an order that costs nothing', () => {
  it('is claimed once: each piece is redeemed', () => {
    const open = given(decider, freeOrder);
    const redeemed = ['redeemed', 'redeemed', 'redeemed'].map((what) => `order.item_${what}.v1`);
    const all = ['order.checkout_opened.v1', 'order.claimed.v1', ...redeemed];
    expect(types(open.when(claim))).toEqual(all);
    const claimed = play(freeOrder, claim);
    expect(claimed.state).toMatchObject({ status: 'PAID', paidBy: null, messageCount: 4 });
    expect(claimed.when(claim)).toEqual([]);
  });

  it('is no way around a price', () => {
    const { quote } = order();
    expect(given(decider, created()).when({ ...claim, quote })).toBe('order/not_free');
  });
});

describe('an unpaid order', () => {
  it('is canceled, once, unless an answer may come at any moment', () => {
    const open = given(decider, created());
    expect(types(open.when(cancel(T1)))).toEqual(['order.canceled.v1']);
    const canceled = play(created(), cancel(T1));
    expect(canceled.state).toMatchObject({ status: 'CANCELED' });
    expect(canceled.when(cancel(T2))).toEqual([]);
    expect(canceled.when(attempt(T2))).toBe('order/canceled');
    const attempting = play(created(), attempt(T1));
    expect(attempting.when(cancel(T1))).toBe('order/payment_pending');
    expect(types(attempting.when(cancel(T2)))).toEqual(['order.canceled.v1']);
  });

  it('gives back what is captured after it was canceled', () => {
    const canceled = play(created(), attempt(T1), cancel(T2));
    expect(types(canceled.when(settle(pay1, 'captured', T2)))).toEqual([
      'order.late_outcome_recorded.v1',
    ]);
    expect(types(canceled.when(settle(pay1, decline, T2)))).toEqual(['order.payment_declined.v1']);
  });

  it('runs out at its time, but not while an attempt is under way', () => {
    const due = { kind: 'ProcessOrderDueDate', now: EXPIRES } as const;
    const open = given(decider, created());
    expect(orderDueAt(open.state)).toBe(EXPIRES);
    expect(open.when({ ...due, now: T2 })).toEqual([]);
    expect(types(open.when(due))).toEqual(['order.expired.v1']);
    expect(open.when(attempt(EXPIRES))).toBe('checkout_link/expired');
    const late = '2027-02-01T09:59:00.000Z';
    const attempting = play(created(), attempt(late));
    expect(attempting.when(due)).toEqual([]);
    expect(orderDueAt(attempting.state)).toBe('2027-02-02T09:59:00.000Z');
    const lateId = paymentIdIn(open.when(attempt(late)));
    const declined = play(created(), attempt(late), settle(lateId, decline, EXPIRES));
    expect(orderDueAt(declined.state)).toBe(EXPIRES);
    expect(types(declined.when({ ...due, now: LATER }))).toEqual(['order.expired.v1']);
    const expired = play(created(), due);
    expect(expired.state).toMatchObject({ status: 'FAILED' });
    expect(expired.when(cancel(LATER))).toBe('checkout_link/expired');
    expect(orderDueAt(expired.state)).toBeNull();
  });

  it('has nothing due once it is paid, but for what of its attempts is still open', () => {
    const paid = play(created(), attempt(T1), attempt(T2, 'pm_other'));
    const other = paid.state.status === 'none' ? '' : paid.state.attempts[1]!.paymentId;
    const settled = play(
      ...([
        created(),
        attempt(T1),
        attempt(T2, 'pm_other'),
        settle(other, 'captured', T2),
      ] as const),
    );
    expect(orderDueAt(settled.state)).toBe('2027-02-01T10:00:30.000Z');
  });
});

describe('a paid order', () => {
  const recorded = { paymentId: pay1, paymentRevision: 3, now: LATER } as const;
  const paid = [attempt(T1), settle(pay1, 'captured', T1)] as const;
  const refund = (paymentStatus: 'PARTIALLY_REFUNDED' | 'REFUNDED', amountMinor: string) =>
    ({
      kind: 'RecordOrderRefund',
      ...recorded,
      paymentStatus,
      amount: { amountMinor, currency: 'USD' },
      totalRefunded: { amountMinor, currency: 'USD' },
    }) as const;

  it('is what its payment is: refunded in part or wholly, disputed, or whole again', () => {
    const part = play(created(), ...paid, refund('PARTIALLY_REFUNDED', '400'));
    expect(part.state).toMatchObject({ status: 'PARTIALLY_REFUNDED' });
    const { amount: _, ...reversed } = refund('REFUNDED', '0');
    const back = { ...reversed, paymentStatus: 'SUCCEEDED', amount: null } as const;
    expect(play(created(), ...paid, refund('REFUNDED', '999')).state).toMatchObject({
      status: 'REFUNDED',
      totalRefunded: { amountMinor: '999' },
    });
    expect(play(created(), ...paid, refund('REFUNDED', '999'), back).state).toMatchObject({
      status: 'PAID',
    });
    const dispute = {
      kind: 'RecordOrderDispute',
      ...recorded,
      paymentStatus: 'DISPUTED',
      closed: false,
      totalRefunded: { amountMinor: '0', currency: 'USD' },
    } as const;
    expect(play(created(), ...paid, dispute).state).toMatchObject({ status: 'DISPUTED' });
    const lost = {
      ...dispute,
      closed: true,
      paymentStatus: 'REFUNDED',
      totalRefunded: { amountMinor: '999', currency: 'USD' },
    } as const;
    const taken = (...before: OrderCommand[]) => {
      const [closed] = play(created(), ...paid, ...before).when(lost);
      return typeof closed === 'object' && 'taken' in closed.data ? closed.data.taken : undefined;
    };
    expect(taken()).toMatchObject({ amountMinor: '999' });
    expect(taken(refund('PARTIALLY_REFUNDED', '400'))).toMatchObject({
      amountMinor: '599',
    });
    expect(taken(refund('REFUNDED', '999'))).toBeUndefined();
    const { state } = play(created({ source: 'Cart' }), ...paid, dispute, lost);
    expect(state).toMatchObject({ status: 'REFUNDED', messageCount: 3 });
  });

  it('is not touched by what becomes of a payment that came too late', () => {
    const other = play(created(), attempt(T1), attempt(T2, 'pm_other')).state;
    const otherId = other.status === 'none' ? '' : other.attempts[1]!.paymentId;
    const late = [
      ...[attempt(T1), attempt(T2, 'pm_other')],
      ...[settle(otherId, 'captured', T2), settle(pay1, 'captured', T2)],
    ];
    const { amount: _, ...refunded } = refund('REFUNDED', '999');
    const lost = { ...refunded, kind: 'RecordOrderDispute', closed: true } as const;
    const [closed] = play(created(), ...late).when(lost);
    expect(closed).not.toHaveProperty('data.taken');
    const { state } = play(created(), ...late, refund('REFUNDED', '999'));
    expect(state).toMatchObject({ status: 'PAID', paidBy: otherId, lateCaptures: [pay1] });
  });
});

describe('the messages of an order', () => {
  const count = (source: 'ServicePay' | 'Cart', ...commands: OrderCommand[]) => {
    const { state } = play(created({ source }), ...commands);
    return state.status === 'none' ? 0 : state.messageCount;
  };
  it('tell of payments of the studio’s own links alone, and of checkouts once', () => {
    const open = { kind: 'OpenCheckout', now: T0 } as const;
    expect([count('ServicePay'), count('ServicePay', open)]).toEqual([0, 1]);
    expect([count('Cart'), count('Cart', open)]).toEqual([1, 1]);
    expect(count('ServicePay', attempt(T1), settle(pay1, decline, T1))).toBe(3);
    expect(count('Cart', attempt(T1), settle(pay1, decline, T1))).toBe(2);
    expect(count('ServicePay', attempt(T1), cancel(T2), settle(pay1, decline, T2))).toBe(3);
    expect(count('Cart', attempt(T1), cancel(T2), settle(pay1, 'captured', T2))).toBe(2);
  });
});
