import { addMilliseconds, laterInstant } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import type { TaxRates } from '../pricing/index.js';
import { type QuotedChange, quoteChange } from './change.quote.js';
import { refundedCredit } from './change.refund.js';
import type { WantedChange } from './change.wanted.js';
import { isStepDue, nextPeriod, type StartedSubscription } from './subscription.state.js';

/** How long a shown quote holds: time to read a page and to choose a card (rules/lifecycle 11). */
const QUOTE_HOLDS_MS = 15 * 60_000;

interface AsShown {
  readonly taxRates: TaxRates;
  /** The moment of the page's amounts; null where the caller has seen no page. */
  readonly quotedAt: Instant | null;
  readonly now: Instant;
}

/**
 * The price of a change for a player who was shown a page: the shown price, while that holds, since a price that moves
 * with every second could never be agreed to (rules/lifecycle 11). The refund becomes less with every second: a page
 * that no longer holds does not give it.
 */
export function quoteAsShown(
  state: StartedSubscription,
  wanted: WantedChange,
  { taxRates, quotedAt, now }: AsShown,
): QuotedChange {
  const holds = quotedAt !== null && isHeld(state, quotedAt, now);
  const quoted = quoteChange(state, wanted, { taxRates, now: holds ? quotedAt : now });
  if (holds || quotedAt === null || !quoted.accepted) return quoted;
  if (refundedCredit(quoted.quote) === null) return quoted;
  const { amount } = quoted.quote;
  return { accepted: false, rejection: { code: 'subscription/amount_changed', amount } };
}

/** The moment comes from the caller, unsigned: its bounds keep it to a quarter of an hour's price. */
function isHeld(state: StartedSubscription, quotedAt: Instant, now: Instant): boolean {
  if (quotedAt > now || addMilliseconds(quotedAt, QUOTE_HOLDS_MS) < now) return false;
  // The shown amount was for the time before that.
  if (isStepDue(state, now)) return false;
  const isOpen = state.status === 'past_due';
  const periodStart = isOpen ? nextPeriod(state).start : state.currentPeriodStart;
  return quotedAt >= laterInstant(periodStart, state.priceLockedAt);
}
