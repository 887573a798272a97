import type { AnyRejection } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import { awaitedCharge, isStepDue, type StartedSubscription } from './subscription.state.js';

/** Why a subscription takes no change now; null where it takes one. */
export function findObstacle(
  state: StartedSubscription,
  now: Instant,
): 'subscription/canceled' | 'subscription/charge_pending' | 'subscription/expired' | null {
  if (state.status === 'expired') return 'subscription/expired';
  if (state.status === 'canceled') return 'subscription/canceled';
  const isCharged = isStepDue(state, now) || awaitedCharge(state) !== null;
  return isCharged ? 'subscription/charge_pending' : null;
}

interface CurrencyRejection extends AnyRejection {
  readonly code: 'subscription/currency_changed' | 'subscription/currency_changing';
}

/**
 * Why a plan cannot be had at a price, as far as currencies go (rules/lifecycle 14); null where it can. A page's offer
 * in the former currency is over. While a move waits, another plan would take its place, and the subscription would
 * stay in a currency that ends.
 */
export function findOtherCurrency(
  { price, scheduledChange }: StartedSubscription,
  wanted: Money,
): CurrencyRejection | null {
  if (scheduledChange?.movesCurrency === true) {
    const { plan, effectiveAt } = scheduledChange;
    const detail = `it is charged in ${plan.price.currency} from ${effectiveAt} on`;
    return { code: 'subscription/currency_changing', detail };
  }
  if (wanted.currency === price.currency) return null;
  const detail = `it is charged in ${price.currency}`;
  return { code: 'subscription/currency_changed', detail };
}
