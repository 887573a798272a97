import type { SettlementRow } from '../settlement.events.js';

/** A charge of 9.99 USD that the gateway keeps 0.39 of. */
export const chargeRow: SettlementRow = {
  transactionId: 'txn_1',
  category: 'charge',
  sourceId: 'ch_1',
  createdAt: '2026-01-31T10:00:00.000Z',
  availableOn: '2026-02-03',
  ...{ currency: 'USD', grossMinor: '999', feeMinor: '39', netMinor: '960', charged: null },
  ...{ chargeId: 'ch_1', paymentIntentId: 'pi_1', paymentId: 'pay_1', refundId: '' },
};
