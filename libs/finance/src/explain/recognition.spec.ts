import { describe, expect, it } from 'vitest';
import type { JournalRow } from '#domain/bookkeeping';
import { findRecognition } from './recognition.js';
import { describeLine, describeRule } from './rule-words.js';

const AT = '2026-03-01T00:00:00.000Z';
const deferral: JournalRow = {
  ...{ app: 'app_1', environment: 'test', eventId: 'e1', number: 2, recognized: '', leaf: 1n },
  ...{ bookedAt: AT, effectiveOn: '2026-01-15', period: '2026-01', late: false },
  ...{ account: 'liabilities:deferred-subscriptions', side: 'credit', amountMinor: 3_100n },
  ...{ currency: 'EUR', rule: 'rules.v1/captured', eventType: 'payment.captured.v1' },
  ...{
    stream: 'payment-pay_1',
    payment: 'pay_1',
    subscription: 'sub_1',
    order: '',
    plan: 'plan_1',
  },
  ...{ itemClass: '', country: '', taxRate: '', taxRatesVersion: null, coversFrom: '2026-01-15' },
  ...{ coversUntil: '2026-02-15', gatewayRef: '', actor: 'app', reason: '' },
};
const taken: JournalRow = {
  ...{ ...deferral, eventId: 'e2', number: 1, leaf: 2n, effectiveOn: '2026-02-01' },
  ...{ period: '2026-02', side: 'debit', amountMinor: 1_400n, rule: 'rules.v1/refunded/taken' },
};

describe('an entry of earned money', () => {
  it('follows from the entries of its schedule, as far as they were booked by then', () => {
    expect(findRecognition('e1#2/2026-01', [deferral, taken], AT)).toMatchObject({
      row: { account: 'liabilities:deferred-subscriptions', side: 'debit', amountMinor: 1_700n },
      ...{ origin: deferral, entries: ['e1#2'], beforeMinor: 0n, untilMinor: 1_700n },
    });
    expect(findRecognition('e1#3/2026-02', [deferral], AT)).toMatchObject({
      row: { account: 'income:subscriptions', side: 'credit', amountMinor: 1_400n },
      ...{ entries: ['e1#2'], beforeMinor: 1_700n, untilMinor: 3_100n },
    });
  });

  it('is that of the books where they hold it', () => {
    const held: JournalRow = {
      ...{ ...deferral, recognized: '2026-01', side: 'debit', amountMinor: 1_700n },
      ...{ rule: 'rules.v1/recognized', bookedAt: '2026-02-02T00:00:00.000Z' },
    };
    const found = findRecognition('e1#2/2026-01', [deferral, held, taken], AT);
    expect(found?.row).toBe(held);
    expect(found?.entries).toEqual(['e1#2']);
  });

  it('is none where nothing was earned in the period', () => {
    expect(findRecognition('e1#3/2026-02', [deferral, taken], AT)).toBeUndefined();
    expect(findRecognition('e1#3/2026-03', [deferral], AT)).toBeUndefined();
    expect(findRecognition('e1#4/2026-01', [deferral], AT)).toBeUndefined();
  });
});

it('says rules and lines in words, and a rule of a newer release as such', () => {
  expect(describeRule('rules.v1/refunded/taken')).toContain('rules/finance 2');
  expect(describeRule('rules.v1/recognized')).toContain('rules/finance 3');
  expect(describeRule('rules.v2/captured')).toBe('a rule of another release');
  expect(describeLine({ kind: 'proration_credit' })).toContain('rules/lifecycle 11');
});
