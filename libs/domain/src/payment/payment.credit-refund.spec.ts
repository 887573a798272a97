import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { paymentAggregate } from './payment.decide.js';
import type { RefundUnusedCredit } from './payment.credit-refund.js';
import { periodCharge } from './spec-support/period-charge.js';
import {
  capturedAt,
  opened,
  refundAsked,
  refunded,
  refundFailed,
  requested,
  T0,
  usd,
} from './spec-support/payments.js';

const { decider } = paymentAggregate;

/** Unused time of a change goes back as any refund does, or fails for good (rules/payments 20). */
const T1 = '2027-02-03T08:00:00.000Z';
const REFUND = 'pay_1.unused.3';
const amount = usd('1240');
const [line] = periodCharge({ subscriptionId: 'sub_1', amount, start: T0, number: 1 }).lines;
const rate = { rate: '0.24', version: 1 };
const added = { kind: 'tax', inclusive: false, rate, covers: null, origin: null } as const;
const lines = [
  { ...line!, amount: usd('1000') },
  { ...added, amount: usd('240') },
];
const paid = [requested({ amount, lines }), capturedAt(T0)];
const give: RefundUnusedCredit = {
  ...{ kind: 'RefundUnusedCredit', refundId: REFUND, price: usd('500'), now: T1 },
};
const asked = refundAsked(REFUND, '620', T1, '120');
const made = refunded(REFUND, '620', T1);
const failed = refundFailed(REFUND, '620', T1);
const disputed = opened('dsp_1', '1240', T1);

describe('unused time that goes back', () => {
  it('is asked for with the tax that was added to it, and its part of the tax', () => {
    expect(given(decider, ...paid).when(give)).toEqual([asked]);
  });

  it.each([
    ['on its way', [asked]],
    ['made', [asked, made]],
    ['failed', [failed]],
    ['failed, and the dispute that was in its way is won', [disputed, failed]],
  ])('is asked for once, also where it is %s', (_how, since) => {
    expect(given(decider, ...paid, ...since).when(give)).toEqual([]);
  });

  it('has failed where the payment is disputed, or was given back meanwhile', () => {
    expect(given(decider, ...paid, disputed).when(give)).toEqual([failed]);
    const gone = refundAsked('ref_1', '621', T1);
    expect(given(decider, ...paid, gone).when(give)).toEqual([failed]);
  });

  it('leaves the payment as it was where it has failed', () => {
    const before = given(decider, ...paid, disputed).state;
    const after = given(decider, ...paid, disputed, failed).state;
    expect(after).toEqual({ ...before, refundIds: [REFUND] });
  });
});
