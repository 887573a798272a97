import { defineAggregate } from '../decider/index.js';
import { decideSettlement } from './settlement.decide.js';
import { evolveSettlement, type Settlement } from './settlement.state.js';

export type { SettlementAccount } from './categories.js';
export { classifyRow } from './classify-row.js';
export type { SettlementEvent, SettlementRow } from './settlement.events.js';
export { findMissingColumns, type ParsedRow, parseStripeRow } from './stripe-row.js';
export { printStripeAmount } from './stripe-amount.js';
export { decimalsAtStripe } from './stripe-decimals.js';

const notImported: Settlement = { row: null, payout: null };

/** A row of a gateway's account: the stream is `settlement-<id>`, with an id that follows from the app and the row's own. */
export const settlementAggregate = defineAggregate('settlement', {
  initialState: notImported,
  evolve: evolveSettlement,
  decide: decideSettlement,
});
