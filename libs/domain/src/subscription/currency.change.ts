import type { Period } from '../calendar/index.js';
import { accept, type Decision } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { isSameMoney, type Money } from '../money/index.js';
import type { TaxRates } from '../pricing/index.js';
import type { ChangedPlan, CurrencyChangeScheduled } from './change.events.js';
import { findObstacle } from './change.obstacles.js';
import { isSamePeriod, withPaid } from './change.quote.js';
import { type NextCharge, quoteNextCharge } from './next-charge.js';
import { nextPeriod, type StartedSubscription } from './subscription.state.js';

/** A plan as it is sold now, in the currency that ends and in the one that follows. */
export interface OfferedPlan {
  readonly planId: string;
  readonly period: Period;
  /** In the currency that ends; null where the plan has no such price, or has it no longer. */
  readonly formerPrice: Money | null;
  /** In the currency that follows; null where the plan has no such price. */
  readonly price: Money | null;
}

/**
 * The fate of subscriptions whose price is not the plan's present one: they keep it, and stay in their currency; or the
 * plan's price in the other currency takes its place.
 */
export const LOCKED_PRICE_POLICIES = ['keep', 'replace'] as const;
export type LockedPricePolicy = (typeof LOCKED_PRICE_POLICIES)[number];

/** The move of a subscription off a currency that ends, with its next renewal (rules/lifecycle 14). */
export interface CurrencyMove {
  readonly from: string;
  readonly to: string;
  /** The plan that the subscription will renew. */
  readonly offered: OfferedPlan;
  readonly lockedPrices: LockedPricePolicy;
  readonly taxRates: TaxRates;
  readonly now: Instant;
}

export interface ChangeCurrency extends CurrencyMove {
  readonly kind: 'ChangeCurrency';
}

/** Why a subscription stays in its currency. */
export const CURRENCY_STAYS = [
  'already_scheduled',
  'charge_pending',
  'ended',
  'no_price',
  'other_currency',
  'period_differs',
  'plan_changed',
  'price_locked',
] as const;
export type CurrencyStays = (typeof CURRENCY_STAYS)[number];

/** The quote of a move: the charge of then, without the move and with it; or why there is none. */
export type QuotedCurrency =
  | {
      readonly moves: true;
      readonly plan: ChangedPlan;
      readonly before: NextCharge;
      readonly after: NextCharge;
    }
  | { readonly moves: false; readonly reason: CurrencyStays };

/** The plan that the next period is of: the one that waits for it, or else the present one. */
export function renewedPlan(state: StartedSubscription): ChangedPlan {
  return state.scheduledChange?.plan ?? state;
}

/** The present quote of a move: the same for a dry run and for the command. */
export function quoteCurrency(
  state: StartedSubscription,
  { from, to, offered, lockedPrices, taxRates, now }: CurrencyMove,
): QuotedCurrency {
  if (state.price.currency !== from || to === from) return stays('other_currency');
  const obstacle = findObstacle(state, now);
  if (obstacle !== null) {
    return stays(obstacle === 'subscription/charge_pending' ? 'charge_pending' : 'ended');
  }
  if (state.scheduledChange?.movesCurrency === true) return stays('already_scheduled');
  const { planId, period, price } = renewedPlan(state);
  // The command may come to a subscription whose plan has changed since the plan was looked up.
  if (offered.planId !== planId) return stays('plan_changed');
  if (offered.price === null) return stays('no_price');
  if (!isSamePeriod(offered.period, period)) return stays('period_differs');
  const isSoldSo = offered.formerPrice !== null && isSameMoney(offered.formerPrice, price);
  if (!isSoldSo && lockedPrices === 'keep') return stays('price_locked');
  const plan = { planId, price: offered.price, period };
  const paid = withOpenPaid(state);
  const scheduledChange = { plan, effectiveAt: paid.currentPeriodEnd, movesCurrency: true };
  return {
    moves: true,
    plan,
    before: quoteUnmoved(state, taxRates),
    after: quoteNextCharge({ ...paid, scheduledChange }, taxRates),
  };
}

/** The charge, without a move, of the next period that no charge is open for. */
export function quoteUnmoved(state: StartedSubscription, taxRates: TaxRates): NextCharge {
  return quoteNextCharge(withOpenPaid(state), taxRates);
}

/** Decides about a move. A subscription that stays in its currency stays as it is, whatever the reason. */
export function changeCurrency(
  command: ChangeCurrency,
  state: StartedSubscription,
): Decision<CurrencyChangeScheduled, never> {
  const quoted = quoteCurrency(state, command);
  if (!quoted.moves) return accept();
  const { plan, after } = quoted;
  const { dueAt: effectiveAt, lines } = after;
  return accept({
    type: 'subscription.currency_change_scheduled.v1',
    data: { plan, effectiveAt, lines, scheduledAt: command.now },
  });
}

/** An open period is paid first, at the price and in the currency that it was due in. */
function withOpenPaid(state: StartedSubscription): StartedSubscription {
  if (state.status !== 'past_due') return state;
  return { ...withPaid(state, nextPeriod(state)), status: 'active', dunning: null };
}

function stays(reason: CurrencyStays): QuotedCurrency {
  return { moves: false, reason };
}
