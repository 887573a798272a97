import { describe, expect, it } from 'vitest';
import { paymentAggregate, type PaymentCommand } from '#domain/payment';
import { periodCharge } from '../../domain/src/payment/spec-support/period-charge.js';
import { compareBooks } from './compare-books.js';
import type { BookedCharge } from './gateway-books.js';
import { evolveLedgerPayment, noLedgerPayment } from './ledger-payment.js';

const NOW = '2027-02-03T08:00:00.000Z';
const BEFORE_NOW = '2027-02-03T07:00:00.000Z';
const LATER = '2027-03-01T00:00:00.000Z';
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const method = { paymentMethodSubType: '', issuerBank: '' };
const capture: PaymentCommand = { kind: 'CapturePayment', method, now: NOW };
const decline: PaymentCommand = {
  kind: 'DeclinePayment',
  decline: { reason: 'unknown', declineClass: 'unknown', rawDeclineCode: '' },
  ...{ method, now: NOW },
};
const ask = (refundId: string, amountMinor: string): PaymentCommand => ({
  kind: 'RequestRefund',
  ...{ refundId, amountMinor, now: NOW },
});
const confirm = (refundId: string): PaymentCommand => ({
  ...{ kind: 'ConfirmRefund', refundId, now: NOW },
});
const refund = (refundId: string, amountMinor: string): PaymentCommand[] => [
  ...[ask(refundId, amountMinor), confirm(refundId)],
];
const reverse: PaymentCommand = { kind: 'ReverseRefund', refundId: 'r1', now: NOW };
const giveUp: PaymentCommand = { kind: 'GiveUpPayment', now: NOW, wallNow: NOW };
const challenge: PaymentCommand = { kind: 'ChallengePayment', sealedUrl: 'v3.x', now: NOW };
const open: PaymentCommand = {
  kind: 'OpenDispute',
  ...{ disputeId: 'd1', amount: usd('500'), now: NOW },
};
const close = (won: boolean): PaymentCommand => ({
  kind: 'CloseDispute',
  ...{ disputeId: 'd1', amount: usd('500'), won, now: NOW },
});
const booked = (about: Partial<BookedCharge> = {}): BookedCharge => ({
  ...{ key: 'pay_1', reference: 'sub_1', amount: usd('999'), status: 'captured' },
  ...{ changedAt: NOW, refunds: [], disputes: [] },
  ...about,
});
const dispute = (won: boolean | null, amountMinor = '500') => ({
  ...{ disputeId: 'd1', amount: usd(amountMinor), won },
});
const refunded = (key: string, amountMinor: string) =>
  booked({ refunds: [{ key, amount: usd(amountMinor) }] });

describe('books that agree', () => {
  it.each<[string, PaymentCommand[], BookedCharge | undefined]>([
    ['captured', [capture], booked()],
    ['declined', [decline], booked({ status: 'declined' })],
    ['open', [], booked({ status: 'pending' })],
    ['asked for, and not arrived', [], undefined],
    ['declined without an answer', [decline], undefined],
    ['given up, and not arrived', [giveUp], undefined],
    [
      'never confirmed by the player, and given up',
      [challenge, giveUp],
      booked({ status: 'pending' }),
    ],
    ['given up, and declined later', [giveUp], booked({ status: 'declined' })],
    [
      'given up, captured after all, and given back',
      [giveUp, capture, ...refund('r1', '999')],
      booked({ refunds: [{ key: 'r1', amount: usd('999') }] }),
    ],
    [
      'refunded in part',
      [capture, ...refund('r1', '400')],
      booked({ refunds: [{ key: 'r1', amount: usd('400') }] }),
    ],
    ['disputed', [capture, open], booked({ disputes: [dispute(null)] })],
    ['won', [capture, open, close(true)], booked({ disputes: [dispute(true)] })],
    ['lost', [capture, open, close(false)], booked({ disputes: [dispute(false)] })],
    [
      'given back by a dispute and a refund that was on its way, together more than was paid',
      [capture, ask('r1', '499'), ask('r2', '1'), open, close(false), confirm('r1'), confirm('r2')],
      booked({
        refunds: [
          { key: 'r1', amount: usd('499') },
          { key: 'r2', amount: usd('1') },
        ],
        disputes: [dispute(false)],
      }),
    ],
  ])('have no difference: %s', (_, history, charge) => {
    expect(compareBooks(ledger(history), charge, BEFORE_NOW)).toEqual([]);
  });
});

it('agree about a payment of 0, which no gateway is asked for', () => {
  const nothing = ledger([capture], '0');
  expect(compareBooks(nothing, undefined, BEFORE_NOW)).toEqual([]);
});

describe('a difference', () => {
  it.each<[string, PaymentCommand[], BookedCharge | undefined]>([
    ['charge_unknown_at_gateway', [capture], undefined],
    ['amount_differs', [capture], booked({ amount: usd('998') })],
    ['amount_differs', [capture], booked({ amount: { amountMinor: '999', currency: 'EUR' } })],
    ['outcome_differs', [], booked()],
    ['outcome_differs', [decline], booked()],
    ['outcome_differs', [capture], booked({ status: 'declined' })],
    ['refund_not_in_ledger', [capture], refunded('r1', '1')],
    ['refund_not_in_ledger', [capture, ask('r1', '400')], refunded('r1', '400')],
    ['refund_not_in_ledger', [capture, ...refund('r1', '400'), reverse], refunded('r1', '400')],
    ['refund_unknown_at_gateway', [capture, ...refund('r1', '400')], booked()],
    ['refund_differs', [capture, ...refund('r1', '400')], refunded('r1', '401')],
    ['dispute_differs', [capture, open, close(false)], booked({ disputes: [dispute(true)] })],
    ['dispute_differs', [capture, open, close(true)], booked({ disputes: [dispute(null)] })],
    ['dispute_differs', [capture, open], booked({ disputes: [dispute(null, '999')] })],
    ['dispute_unknown_at_gateway', [capture, open, close(true)], booked()],
    ['dispute_not_in_ledger', [capture], booked({ disputes: [dispute(null)] })],
    ['dispute_unknown_at_gateway', [capture, open], booked()],
    ['dispute_not_closed', [capture, open], booked({ disputes: [dispute(true)] })],
  ])('is found: %s', (kind, history, charge) => {
    const found = compareBooks(ledger(history), charge, BEFORE_NOW);
    expect(found.map((one) => one.kind)).toEqual([kind]);
  });

  it('is named for each of the two where another refund, or a dispute, took the same sum', () => {
    const kinds = (history: PaymentCommand[], charge: BookedCharge) =>
      compareBooks(ledger(history), charge, BEFORE_NOW).map(({ kind }) => kind);
    expect(kinds([capture, ...refund('r1', '400')], refunded('r2', '400'))).toEqual([
      ...['refund_not_in_ledger', 'refund_unknown_at_gateway'],
    ]);
    const lost = booked({ disputes: [dispute(false)] });
    expect(kinds([capture, ...refund('r1', '500')], lost)).toEqual([
      ...['refund_unknown_at_gateway', 'dispute_not_in_ledger'],
    ]);
  });

  it('is a charge that was given up, while it is open at the gateway, or captured', () => {
    for (const status of ['pending', 'captured'] as const) {
      const found = compareBooks(ledger([giveUp]), booked({ status }), BEFORE_NOW);
      expect(found).toMatchObject([
        { kind: 'outcome_differs', gateway: status, ledger: 'given up' },
      ]);
    }
  });

  it('is a charge that the ledger never asked for, unless nothing was charged', () => {
    const none = noLedgerPayment('pay_1');
    const [found] = compareBooks(none, booked(), BEFORE_NOW);
    expect(found).toMatchObject({ kind: 'charge_not_in_ledger', gateway: 'captured 9.99 USD' });
    expect(compareBooks(none, booked({ status: 'declined' }), BEFORE_NOW)).toEqual([]);
    expect(compareBooks(none, undefined, BEFORE_NOW)).toEqual([]);
  });

  it('is what has been open for too long: a charge, and a refund', () => {
    const kinds = (history: PaymentCommand[], charge?: BookedCharge) =>
      compareBooks(ledger(history), charge, LATER).map(({ kind, gateway }) => [kind, gateway]);
    expect(kinds([])).toEqual([['pending_too_long', 'unknown']]);
    const asked: PaymentCommand = { kind: 'RequestRefund', refundId: 'r1', now: NOW };
    expect(kinds([capture, asked], booked())).toEqual([['refund_open_too_long', 'not refunded']]);
  });
});

/** The payment as the ledger has it after these commands. */
function ledger(history: readonly PaymentCommand[], amountMinor = '999') {
  const { decide } = paymentAggregate.decider;
  const charge = {
    ...{ paymentId: 'pay_1', appId: 'app_1', player: 'p', checkoutLinkId: '' },
    ...{ paymentMethod: 'pm_ok', personal: {} },
    ...periodCharge({ subscriptionId: 'sub_1', amount: usd(amountMinor), start: NOW, number: 2 }),
  };
  const request: PaymentCommand = { kind: 'RequestPayment', charge, now: NOW };
  return [request, ...history].reduce((state, command) => {
    const decision = decide(command, state.payment);
    if (!decision.accepted) throw new Error(decision.rejection.code);
    return decision.events.reduce(evolveLedgerPayment, state);
  }, noLedgerPayment('pay_1'));
}
