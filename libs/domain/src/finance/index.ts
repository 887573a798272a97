import { defineAggregate } from '../decider/index.js';
import { decideFinance } from './finance.decide.js';
import { evolveFinance, noFinance } from './finance.state.js';

export { findPolicy } from './finance.state.js';
export { isZone } from './accounting-zone.js';
export type { FinanceRejection } from './finance.decide.js';
export type { FinanceEvent, FinancePolicy } from './finance.events.js';

/** The acts of finance on an app: its policies, closes and accepted differences. The stream is `finance-<appId>`. */
export const financeAggregate = defineAggregate('finance', {
  initialState: noFinance,
  evolve: evolveFinance,
  decide: decideFinance,
});
