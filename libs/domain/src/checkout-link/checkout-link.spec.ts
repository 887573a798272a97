import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { deriveCheckoutPaymentId, deriveSubscriptionId } from '../ids/index.js';
import {
  CHECKOUT_LINK_LIFETIME_MS,
  type CheckoutLinkCommand,
  checkoutLinkAggregate,
} from './checkout-link.decide.js';
import type { CheckoutLinkEvent } from './checkout-link.events.js';
import { ANSWER_LIMIT_MS } from './checkout-link.limits.js';
import * as links from './spec-support/links.js';

const { decider } = checkoutLinkAggregate;

/** One link sells one subscription: used up by success only (rules/payments 10). */
const { declinedNo: declinedAttempt, EXPIRES, offer, T0, T1 } = links;
const SUB_1 = deriveSubscriptionId('link_1', T1);
const [PAY_1 = '', PAY_2 = ''] = [1, 2].map((attempt) =>
  deriveCheckoutPaymentId('link_1', { attempt, attemptedAt: T1 }),
);
const decline = { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' } as const;
const created = links.createdLink();
const attempt = links.attemptAt(T1);
const attempted = (number = 1, paymentId: string | null = PAY_1, wallAttemptedAt = T1) => {
  const charge = paymentId === null ? null : { amount: offer.price, tax: null };
  const more = { subscriptionId: SUB_1, paymentId, charge, wallAttemptedAt };
  return links.attemptedNo(number, more);
};
const declineCommand = { kind: 'DeclineCheckout', paymentId: PAY_1, decline, now: T1 } as const;
const declined = declinedAttempt(1);
const paid = (paymentId = PAY_1) => links.paidBy(paymentId);
const accepts = (paymentId = PAY_1) =>
  ({ kind: 'AcceptPayment', paymentId, paymentRevision: 1, capturedAt: T1, now: T1 }) as const;
const late = (paymentId: string): CheckoutLinkEvent => ({
  type: 'checkout_link.late_outcome_recorded.v1',
  data: { paymentId, captured: true, recordedAt: T1 },
});
const complete = { kind: 'CompleteCheckout', subscriptionId: SUB_1, now: T1 } as const;
const completed: CheckoutLinkEvent = {
  type: 'checkout_link.completed.v1',
  data: { subscriptionId: SUB_1, completedAt: T1 },
};

describe('a checkout link', () => {
  it('is open once it is made, and is made once', () => {
    const create = { kind: 'CreateCheckoutLink', link: created.data } as const;
    expect(after().when(create)).toEqual([created]);
    expect(after(created).state).toMatchObject({ status: 'open', attempts: [] });
    expect(after(created).when(create)).toEqual([]);
  });

  it('lives for 24 hours', () => {
    expect(Date.parse(EXPIRES) - Date.parse(T0)).toBe(CHECKOUT_LINK_LIFETIME_MS);
  });

  it('that was never made is not found', () => {
    for (const command of [attempt, declineCommand, accepts(), complete]) {
      expect(after().when(command)).toBe('checkout_link/not_found');
    }
  });
});

describe('an attempt', () => {
  it('is an event before anything is charged', () => {
    expect(after(created).when(attempt)).toEqual([attempted()]);
    expect(after(created, attempted()).state).toMatchObject({ status: 'attempting' });
  });

  it('for a plan with a trial charges nothing', () => {
    const trial = { value: 1, unit: 'week' } as const;
    const onTrial = { ...created, data: { ...created.data, offer: { ...offer, trial } } };
    expect(after(onTrial).when(attempt)).toEqual([attempted(1, null)]);
  });

  it('joins the one that is on its way, whatever it would pay with', () => {
    const other = { ...attempt, paymentMethod: 'pm_other', paymentId: PAY_2 };
    expect(after(created, attempted()).when(other)).toEqual([]);
  });

  it('after a decline is another payment for the same subscription', () => {
    const again = { ...attempt, subscriptionId: 'sub_2', paymentId: PAY_2 };
    const outcome = after(created, attempted(), declined).when(again);
    expect(outcome).toEqual([attempted(2, PAY_2)]);
  });

  it('is at no time of the wall clock before the one before it', () => {
    const behind = { ...attempt, wallNow: T0 };
    const outcome = after(created, attempted(), declinedAttempt(1)).when(behind);
    expect(outcome).toMatchObject([{ data: { attempt: 2, wallAttemptedAt: T1 } }]);
  });

  it('on a completed link changes nothing: the subscription is there', () => {
    expect(after(created, attempted(), completed).when(attempt)).toEqual([]);
  });

  it.each([
    ['at its expiry', EXPIRES],
    ['long after', '2027-03-01T00:00:00.000Z'],
  ])('%s is refused, by the wall clock', (_when, wallNow) => {
    expect(after(created).when({ ...attempt, wallNow })).toBe('checkout_link/expired');
  });

  it('keeps to the wall clock where a test clock was advanced by years', () => {
    expect(after(created).when({ ...attempt, now: '2030-01-01T00:00:00.000Z' })).toHaveLength(1);
  });

  it('that began in time is finished after the expiry', () => {
    const late = { ...attempt, wallNow: '2027-03-01T00:00:00.000Z' };
    expect(after(created, attempted()).when(late)).toEqual([]);
    expect(after(created, attempted()).when({ ...complete, now: late.wallNow })).toHaveLength(1);
  });

  it('for a plan that is no longer for sale is refused', () => {
    const outcome = after(created).when({ ...attempt, planIsAvailable: false });
    expect(outcome).toBe('plan/not_available');
  });

  it('of a player who was erased is refused; one that is under way is not', () => {
    const erased = { ...attempt, playerIsErased: true };
    expect(after(created).when(erased)).toBe('checkout_link/player_erased');
    expect(after(created, attempted()).when(erased)).toEqual([]);
  });
});

describe('the outcome of an attempt', () => {
  it('declined opens the link again', () => {
    expect(after(created, attempted()).when(declineCommand)).toEqual([declined]);
    expect(after(created, attempted(), declined).state).toMatchObject({
      status: 'open',
      attempts: [{ decline: declined.data }],
    });
  });

  it('declined is taken once, and of the last payment alone', () => {
    expect(after(created, attempted(), declined).when(declineCommand)).toEqual([]);
    const stale = [created, attempted(), declined, attempted(2, PAY_2)];
    expect(after(...stale).when(declineCommand)).toEqual([]);
  });

  it('captured is the one that the link keeps, once', () => {
    expect(after(created, attempted()).when(accepts())).toEqual([paid()]);
    expect(after(created, attempted(), paid()).when(accepts())).toEqual([]);
    expect(after(created, attempted(), paid(), completed).when(accepts())).toEqual([]);
  });

  it('completed uses the link up, once', () => {
    expect(after(created, attempted()).when(complete)).toEqual([completed]);
    expect(after(created, attempted(), completed).state).toMatchObject({ status: 'completed' });
    expect(after(created, attempted(), completed).when(complete)).toEqual([]);
  });
});

describe('an attempt without an answer', () => {
  const other = { ...attempt, paymentMethod: 'pm_other', paymentId: PAY_2 };
  const afterMs = (milliseconds: number) => new Date(Date.parse(T1) + milliseconds).toISOString();
  const tooLate = afterMs(ANSWER_LIMIT_MS);
  const replaced = [created, attempted(), attempted(2, PAY_2, tooLate)];

  it('frees the link for another method after the bound, not a millisecond before', () => {
    const link = after(created, attempted());
    expect(link.when({ ...other, wallNow: afterMs(ANSWER_LIMIT_MS - 1) })).toEqual([]);
    expect(link.when({ ...other, wallNow: tooLate })).toMatchObject([
      { data: { attempt: 2, paymentMethod: 'pm_other', paymentId: PAY_2 } },
    ]);
  });

  it('is asked for again by its own method: that must not charge another time', () => {
    expect(after(created, attempted()).when({ ...attempt, wallNow: tooLate })).toEqual([]);
  });

  it('is answered once its payment is captured, and frees nothing', () => {
    const link = after(created, attempted(), paid());
    expect(link.when({ ...other, wallNow: tooLate })).toEqual([]);
  });

  it('of a trial waits for no gateway, and frees nothing', () => {
    const link = after(created, attempted(1, null));
    expect(link.when({ ...other, wallNow: tooLate })).toEqual([]);
  });

  it('that was replaced is given back when it is captured after all, once', () => {
    for (const outcome of [[], [declinedAttempt(2)], [paid(PAY_2), completed]]) {
      const history = [...replaced, ...outcome];
      expect(after(...history).when(accepts())).toEqual([late(PAY_1)]);
      expect(after(...history, late(PAY_1)).when(accepts())).toEqual([]);
    }
  });

  it('that was replaced and is declined leaves the one that counts on its way', () => {
    expect(after(...replaced).when(declineCommand)).toEqual([declined]);
    const { state, when } = after(...replaced, declined);
    expect(state).toMatchObject({
      status: 'attempting',
      attempts: [{ decline: declined.data }, {}],
    });
    expect(when(accepts(PAY_2))).toEqual([paid(PAY_2)]);
  });
});

describe('declines in a row', () => {
  const declines = (count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    return numbers.flatMap((n) => [attempted(n, `pay_${n}`), declinedAttempt(n)]);
  };
  const attemptAt = (count: number, milliseconds: number) => {
    const wallNow = new Date(Date.parse(T1) + milliseconds).toISOString();
    return after(created, ...declines(count)).when({ ...attempt, wallNow });
  };

  it.each([
    [1, 0],
    [2, 0],
    [3, 1],
    [4, 2],
    [5, 3],
    [6, 5],
    [7, 8],
    [8, 13],
    [9, 21],
  ])('after %i of them the next attempt has to wait %i s', (count, seconds) => {
    expect(attemptAt(count, seconds * 1000)).toMatchObject([{ data: { attempt: count + 1 } }]);
    if (seconds > 0) {
      expect(attemptAt(count, seconds * 1000 - 1)).toBe('checkout_link/paused');
    }
  });

  it('tell how long to wait, by the wall clock', () => {
    const { state } = after(created, ...declines(9));
    const now = '2030-01-01T00:00:00.000Z';
    const decision = decider.decide({ ...attempt, now }, state);
    expect(decision).toMatchObject({ rejection: { retryAfterMs: 21_000 } });
  });

  it('lock the link when there are ten, for good', () => {
    expect(attemptAt(9, 21_000)).toHaveLength(1);
    expect(attemptAt(10, 0)).toBe('checkout_link/locked');
    expect(attemptAt(10, 3_600_000)).toBe('checkout_link/locked');
  });

  it('count an attempt without an answer as one of them', () => {
    const other = { ...attempt, paymentMethod: 'pm_other' };
    const wallNow = new Date(Date.parse(T1) + ANSWER_LIMIT_MS).toISOString();
    const link = after(created, ...declines(9), attempted(10, 'pay_10'));
    expect(link.when(other)).toEqual([]);
    expect(link.when({ ...other, wallNow })).toBe('checkout_link/locked');
    expect(link.when(accepts('pay_10'))).toEqual([paid('pay_10')]);
  });
});

function after(...history: CheckoutLinkEvent[]) {
  const { state, when } = given(decider, ...history);
  return { state, when: (command: CheckoutLinkCommand) => when(command) };
}
