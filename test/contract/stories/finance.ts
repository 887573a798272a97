import { financeAggregate } from '#domain/finance';
import { settlementAggregate } from '#domain/settlement';
import { play } from '../../support/play.js';

/** A policy that asks for a second person, a month that two people close, and a difference that one of them takes. */
export const closedBooks = play(
  financeAggregate.decider,
  {
    kind: 'SetPolicy',
    ...{ zone: 'Europe/Berlin', approval: true, from: '2027-01-01' },
    itemClasses: [
      { name: 'swords', match: { prefix: 'sword-' }, lifeDays: 761 },
      { name: 'gems', match: { metadata: { key: 'kind', value: 'gem' } }, lifeDays: null },
    ],
    reason: 'Swords are kept for 25 months.',
  },
  {
    ...{ kind: 'AcceptDifference', row: 'txn_01gold', reason: 'A fee of the year before.' },
    by: 'operator:ann',
  },
  {
    ...{ kind: 'RequestClose', period: '2027-01', first: '2027-01', size: 4711, rules: 'rules.v1' },
    reports: [{ name: 'trial-balance', hash: '5f'.repeat(32) }],
    totals: [
      {
        ...{ account: 'assets:gateway-clearing', currency: 'USD' },
        ...{ debitMinor: '999', creditMinor: '0' },
      },
    ],
    ...{ by: 'operator:ann', reason: 'Month end.', now: '2027-02-02T10:00:00.000Z', policy: 1 },
  },
  { kind: 'ApproveClose', period: '2027-01', by: 'operator:bob', reason: 'Looked through.' },
);

/** A charge as a report of Stripe has it, which a further one tells the payout of. */
export const settledCharge = play(settlementAggregate.decider, {
  kind: 'ImportRow',
  row: {
    ...{ transactionId: 'txn_02gold', category: 'charge', sourceId: 'ch_01gold' },
    ...{ createdAt: '2027-01-31T10:00:00.000Z', availableOn: '2027-02-03' },
    ...{ currency: 'USD', grossMinor: '1012', feeMinor: '59', netMinor: '953' },
    charged: { amountMinor: '929', currency: 'EUR' },
    ...{ chargeId: 'ch_01gold', paymentIntentId: 'pi_01gold', paymentId: 'pay_01gold' },
    refundId: '',
  },
  payout: { payoutId: 'po_01gold', effectiveOn: '2027-02-05' },
});
