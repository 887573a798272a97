import { defineAggregate } from '../decider/index.js';
import { decideFinance } from './finance.decide.js';
import { evolveFinance, noFinance } from './finance.state.js';

export { type Finance as FinanceState, findPolicy } from './finance.state.js';
export { A_ZONE, isZone } from './accounting-zone.js';
export { checkClose, type FinanceCommand, type FinanceRejection } from './finance.decide.js';
export type {
  ClosedReport,
  CloseFigures,
  FinanceEvent,
  FinancePolicy,
  PeriodClosed,
} from './finance.events.js';

/** The acts of finance on an app: its policies, closes and accepted differences. The stream is `finance-<appId>`. */
export const financeAggregate = defineAggregate('finance', {
  initialState: noFinance,
  evolve: evolveFinance,
  decide: decideFinance,
});
