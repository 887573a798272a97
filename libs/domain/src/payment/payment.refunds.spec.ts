import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { paymentAggregate } from './payment.decide.js';
import type { RefundCommand } from './payment.refunds.js';
import { refundable } from './payment.state.js';
import { taxedLines } from './spec-support/lines.js';
import * as events from './spec-support/payments.js';

const { decider } = paymentAggregate;

/** Refunds of a payment (rules/payments 13). */
const { fold: after, T0, usd } = events;
const T1 = '2027-02-03T08:00:00.000Z';
const lines = taxedLines(usd('922'), usd('77'), { start: T0, end: T1 });
const asked = events.requested({ lines });
const paid = [asked, events.capturedAt(T0)];
const declined = events.declinedAt(T0);
const disputed = events.opened('dsp_1', '599', T1);
const closed = (won: boolean) => events.closed('dsp_1', won, T1);
const requested = (amount: string, tax: string, refundId = 'ref_1') =>
  events.refundAsked(refundId, amount, T1, tax);
const refunded = (amount: string, refundId = 'ref_1') => events.refunded(refundId, amount, T1);
const failed = (amount: string) => events.refundFailed('ref_1', amount, T1);
const ask = (refundId = 'ref_1', amount?: string): RefundCommand => ({
  kind: 'RequestRefund',
  refundId,
  ...(amount !== undefined && { amountMinor: amount }),
  now: T1,
});
const confirm: RefundCommand = { kind: 'ConfirmRefund', refundId: 'ref_1', now: T1 };
const fail: RefundCommand = { kind: 'FailRefund', refundId: 'ref_1', now: T1 };

it('of the rest after a lost dispute holds no more of the tax than the dispute has left', () => {
  expect(given(decider, ...paid, disputed, closed(false)).when(ask())).toEqual([
    requested('400', '31'),
  ]);
});

describe('a refund that was made and failed after all', () => {
  const reverse: RefundCommand = { kind: 'ReverseRefund', refundId: 'ref_1', now: T1 };
  const made = [...paid, requested('400', '31'), refunded('400')];

  it('gives its amount and its tax back to what remains, once', () => {
    expect(given(decider, ...made).when(reverse)).toEqual([failed('400')]);
    expect(after(...made, failed('400'))).toMatchObject({
      ...{ status: 'SUCCEEDED', totalRefunded: usd('0'), refundedTax: usd('0') },
      ...{ madeRefunds: [], refundIds: ['ref_1'] },
    });
    expect(given(decider, ...made, failed('400')).when(reverse)).toEqual([]);
    const all = given(decider, ...made, failed('400')).when(ask('ref_2'));
    expect(all).toMatchObject([{ data: { amount: usd('999'), tax: usd('77') } }]);
  });

  it('is what a dispute has taken, too: that stays gone', () => {
    const whole = events.opened('dsp_1', '999', T1);
    const lost = [...paid, requested('400', '31'), whole, refunded('400'), closed(false)];
    expect(after(...lost)).toMatchObject({ totalRefunded: usd('999') });
    expect(after(...lost, failed('400'))).toMatchObject({
      status: 'REFUNDED',
      totalRefunded: usd('999'),
    });
  });

  it('ends one that is open as well, and is none that was never asked for', () => {
    expect(given(decider, ...paid, requested('400', '31')).when(reverse)).toEqual([failed('400')]);
    expect(given(decider, ...paid).when(reverse)).toBe('payment/refund_not_requested');
  });
});

describe('a refund that is asked for', () => {
  it('is of all that is left when no amount is given, with all of the tax', () => {
    expect(given(decider, ...paid).when(ask())).toEqual([requested('999', '77')]);
  });

  it('is kept from what remains, and moves nothing before the gateway has given it back', () => {
    const state = after(...paid, requested('400', '31'));
    expect(state).toMatchObject({ status: 'SUCCEEDED', totalRefunded: usd('0') });
    expect(refundable(state)).toEqual(usd('599'));
    const second = given(decider, ...paid, requested('400', '31'));
    expect(second.when(ask('ref_2', '600'))).toBe('payment/refund_exceeds_remaining');
    expect(second.when(ask('ref_2'))).toEqual([requested('599', '46', 'ref_2')]);
  });

  it('holds the tax in proportion, half-even, and the last one what the others have left', () => {
    expect(given(decider, ...paid).when(ask('ref_1', '400'))).toEqual([requested('400', '31')]);
    const partly = [...paid, requested('400', '31'), refunded('400')];
    expect(given(decider, ...partly).when(ask('ref_2', '400'))).toEqual([
      requested('400', '31', 'ref_2'),
    ]);
    const last = [...partly, requested('400', '31', 'ref_2')];
    expect(given(decider, ...last).when(ask('ref_3'))).toEqual([requested('199', '15', 'ref_3')]);
  });

  it('is one of a hundred at most', () => {
    const many = Array.from({ length: 100 }, (_, n) => requested('1', '0', `ref_${n}`));
    expect(given(decider, ...paid, ...many).when(ask('one_more', '1'))).toBe(
      'payment/too_many_refunds',
    );
    expect(given(decider, ...paid, ...many.slice(1)).when(ask('one_more', '1'))).toHaveLength(1);
  });

  it('is asked for once, whatever became of it', () => {
    const open = [...paid, requested('400', '31')];
    for (const history of [open, [...open, refunded('400')], [...open, failed('400')]]) {
      expect(given(decider, ...history).when(ask('ref_1', '400'))).toEqual([]);
    }
  });

  it.each(['1000', '0', '-1'])(
    'of %s is refused: nothing, less, or more than is left',
    (amount) => {
      const outcome = given(decider, ...paid).when(ask('ref_1', amount));
      expect(outcome).toBe('payment/refund_exceeds_remaining');
    },
  );

  it.each([
    ['pending', [asked]],
    ['failed', [asked, declined]],
    ['refunded', [...paid, refunded('999', 'ref_0')]],
    ['disputed', [...paid, disputed]],
  ])('of a %s payment is refused', (_status, history) => {
    expect(given(decider, ...history).when(ask())).toBe('payment/not_refundable');
  });
});

describe('the gateway', () => {
  const open = [...paid, requested('400', '31')];

  it('gives back what was asked for, and the parts add up', () => {
    expect(given(decider, ...open).when(confirm)).toEqual([refunded('400')]);
    const partly = after(...open, refunded('400'));
    expect(partly).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      totalRefunded: usd('400'),
      refundedTax: usd('31'),
      openRefunds: [],
      lastRefundAt: T1,
      capturedAt: T0,
    });
    const rest = [requested('599', '46', 'ref_2'), refunded('599', 'ref_2')];
    expect(after(...open, refunded('400'), ...rest)).toMatchObject({
      status: 'REFUNDED',
      totalRefunded: usd('999'),
      refundedTax: usd('77'),
    });
  });

  it('refuses to: what was kept for it remains', () => {
    expect(given(decider, ...open).when(fail)).toEqual([failed('400')]);
    const state = after(...open, failed('400'));
    expect(state).toMatchObject({ status: 'SUCCEEDED', openRefunds: [] });
    expect(refundable(state)).toEqual(usd('999'));
  });

  it('says so once: its first word counts', () => {
    for (const command of [confirm, fail]) {
      expect(given(decider, ...open, refunded('400')).when(command)).toEqual([]);
      expect(given(decider, ...open, failed('400')).when(command)).toEqual([]);
    }
  });

  it('gives back nothing that was not asked for', () => {
    for (const command of [confirm, fail]) {
      expect(given(decider, ...paid).when(command)).toBe('payment/refund_not_requested');
    }
  });

  it('gives back also while a dispute is open that came in between', () => {
    const during = after(...open, disputed, refunded('400'));
    expect(during).toMatchObject({ status: 'DISPUTED', totalRefunded: usd('400') });
    const won = after(...open, disputed, refunded('400'), closed(true));
    expect(won).toMatchObject({ status: 'PARTIALLY_REFUNDED', totalRefunded: usd('400') });
    expect(after(...open, disputed, failed('400'))).toMatchObject({ status: 'DISPUTED' });
  });

  it('ends also where the dispute took the rest, and no more is given back than was paid', () => {
    const whole = events.opened('dsp_1', '999', T1);
    const lost = [...open, whole, closed(false)];
    expect(refundable(after(...lost))).toEqual(usd('0'));
    for (const [command, event] of [
      [confirm, refunded('400')] as const,
      [fail, failed('400')] as const,
    ]) {
      expect(given(decider, ...lost).when(command)).toEqual([event]);
      const ended = after(...lost, event);
      expect(ended).toMatchObject({
        status: 'REFUNDED',
        totalRefunded: usd('999'),
        openRefunds: [],
      });
      expect(given(decider, ...lost, event).when(command)).toEqual([]);
    }
    const between = after(...open, whole, refunded('400'), closed(false));
    expect(between).toMatchObject({ status: 'REFUNDED', totalRefunded: usd('999') });
  });
});

describe('a payment that goes back by itself', () => {
  const back: RefundCommand = { kind: 'ReturnPayment', now: T1 };
  const asked = requested('999', '77', 'pay_1.late');

  it('is asked for whole, once', () => {
    expect(given(decider, ...paid).when(back)).toEqual([asked]);
    expect(given(decider, ...paid, asked).when(back)).toEqual([]);
  });

  it('is left where nothing of it is left, or a dispute is to decide', () => {
    const histories = [
      [...paid, disputed],
      [...paid, refunded('999', 'ref_0')],
      [...paid, requested('999', '77', 'ref_0')],
    ];
    for (const history of histories) expect(given(decider, ...history).when(back)).toEqual([]);
  });
});
