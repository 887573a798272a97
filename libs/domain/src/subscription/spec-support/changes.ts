import { noTaxRates } from '../../pricing/index.js';
import type { WantedChange } from '../change.wanted.js';
import { subscriptionAggregate } from '../subscription.decide.js';
import type { SubscriptionCreated, SubscriptionEvent } from '../subscription.events.js';
import type { StartedSubscription } from '../subscription.state.js';
import { BOUGHT, created, terms } from './subscriptions.js';

const { decider: subscriptionDecider } = subscriptionAggregate;

/** Changes of the subscription of the other specs, half-way through its first period. */
export const MID = '2027-02-14T10:00:00.000Z';
export const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
export const gold = { planId: 'plan_2', price: usd('1999'), period: terms.period };
export const bronze = { planId: 'plan_3', price: usd('499'), period: terms.period };
export const yearly = {
  planId: 'plan_4',
  price: usd('99900'),
  period: { value: 1, unit: 'year' },
} as const;

/** A subscription whose first period is a year, for 134.00. */
export const boughtYear: SubscriptionCreated = {
  ...created,
  data: {
    ...created.data,
    ...{ price: usd('13400'), period: yearly.period },
    ...{ createdAt: BOUGHT, currentPeriodEnd: '2028-01-31T10:00:00.000Z' },
  },
};

export function wanted(plan: WantedChange['plan'], more: Partial<WantedChange> = {}): WantedChange {
  return { plan, amountMinor: null, restartsPeriod: false, unusedCredit: 'forfeit', ...more };
}

export function fold(...events: SubscriptionEvent[]): StartedSubscription {
  const state = events.reduce(subscriptionDecider.evolve, subscriptionDecider.initialState);
  if (state.status === 'none') throw new Error('unreachable');
  return state;
}

/** The player agrees to a change. */
export function ask(change: WantedChange, more: { shown?: string; now?: string } = {}) {
  return {
    ...{ kind: 'RequestChange', linkId: 'cl_1', attempt: 1, paymentId: 'pay_c' },
    ...{ paymentMethod: 'pm_new', wanted: change, shown: usd(more.shown ?? '99999') },
    ...{ taxRates: noTaxRates, quotedAt: null, now: more.now ?? MID },
  };
}

/** The outcome of a command after this history: events, or why it is refused. */
export function decide(history: readonly SubscriptionEvent[], command: unknown) {
  const state = history.reduce(subscriptionDecider.evolve, subscriptionDecider.initialState);
  // The decider tells commands by their kind.
  const decision = subscriptionDecider.decide(command as never, state);
  return decision.accepted ? decision.events : [decision.rejection.code];
}

/** The change to the dearer plan, asked for half-way. */
export const asked = decide([created], ask(wanted(gold))) as SubscriptionEvent[];
