import type { Interval } from '../../calendar/index.js';
import { checkoutLinkAggregate, type CreatedCheckoutLink } from '../../checkout-link/index.js';
import { createdLink } from '../../checkout-link/spec-support/links.js';
import { DEFAULT_DUNNING } from '../../dunning/index.js';
import type { RequestedPayment } from '../../payment/index.js';
import { capturedAt, declinedAt, fold, requested } from '../../payment/spec-support/payments.js';
import { noTaxRates } from '../../pricing/index.js';
import { onlyRate } from '../../pricing/spec-support/rates.js';
import {
  noSubscription,
  type StartedSubscription,
  subscriptionAggregate,
} from '../../subscription/index.js';
import { type ProcessNeeds, type ProcessOutput, runRoute } from '../process-route.js';
import { routesFor } from '../routes.js';

export { decline, usd } from '../../payment/spec-support/payments.js';

/** One purchase as its streams are folded at the events that set processes going. */
export const T0 = '2027-01-31T10:00:00.000Z';
export const T1 = '2027-01-31T10:00:01.000Z';
export const price = { amountMinor: '999', currency: 'USD' };
const period = { value: 1, unit: 'month' } as const;
export const taxRates = onlyRate({ country: 'US', rate: '0.05', inclusive: false }, 1);
export const attempted = {
  attempt: 2,
  paymentMethod: 'pm_ok',
  subscriptionId: 'sub_1',
  paymentId: 'pay_2',
  charge: { amount: price, tax: null },
  attemptedAt: T0,
  wallAttemptedAt: T0,
};
const personal = { referenceId: 'sealed-1', metadata: 'sealed-2' };
const { decider: links } = checkoutLinkAggregate;
/** Its second attempt is on its way. */
export const link = [
  createdLink({ personal }),
  { type: 'checkout_link.attempted.v1', data: attempted } as const,
].reduce(links.evolve, links.initialState) as CreatedCheckoutLink;
const FIRST_MONTH = { start: T0, end: '2027-02-28T10:00:00.000Z' };
/** Where the amounts of the purchase's payments come from, over a time. */
export function explainedFrom({ start, end }: Interval) {
  return { covers: { start, end }, origin: { planId: 'plan_1', price, lockedAt: T0 } };
}
export const charge = {
  paymentId: 'pay_2',
  appId: 'app_1',
  player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
  checkoutLinkId: 'link_1',
  regionCode: 'US',
  purpose: {
    kind: 'subscription_period',
    subscriptionId: 'sub_1',
    period: { number: 1, ...FIRST_MONTH },
    length: period,
    attempt: 2,
  },
  amount: price,
  lines: [{ kind: 'recurring', amount: price, ...explainedFrom(FIRST_MONTH) }],
  paymentMethod: 'pm_ok',
  personal: { referenceId: 'sealed-1', metadata: 'sealed-2' },
} as const;
/** The same payment, had a running subscription asked for it. */
export function asRenewal(payment: RequestedPayment): RequestedPayment {
  const { purpose } = payment;
  if (purpose.kind === 'order') throw new Error('unreachable');
  return { ...payment, purpose: { ...purpose, period: { ...purpose.period, number: 2 } } };
}
export const captured = fold(requested(charge), capturedAt(T1));
export const declined = fold(requested(charge), declinedAt(T1));
export const terms = {
  subscriptionId: 'sub_1',
  appId: 'app_1',
  player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
  planId: 'plan_1',
  price,
  period,
  trial: null,
  paymentMethod: 'pm_ok',
  checkoutLinkId: 'link_1',
  regionCode: 'US',
  personal: { referenceId: 'sealed-1', metadata: 'sealed-2' },
};

export const subscription = subscriptionAggregate.decider.evolve(noSubscription, {
  type: 'subscription.created.v2',
  data: {
    ...{ ...terms, paymentMethod: 'pm_renewal_declines', createdAt: T0, billingAnchor: T0 },
    ...{ currentPeriodEnd: FIRST_MONTH.end, trialEnd: null },
    initialPayment: { paymentId: 'pay_1', paymentRevision: 1 },
  },
}) as StartedSubscription;

/** Of the event that a process is set going by, as it is noted. */
export const REVISION = 7;

/** The steps after an event, by the rows: each is given the needs that it names and nothing else. */
export function follow(
  type: string,
  data: unknown,
  state: unknown,
  needs: Partial<ProcessNeeds> = {},
): ProcessOutput[] {
  const defaults = {
    dunning: DEFAULT_DUNNING,
    taxRates: noTaxRates,
    onLostDispute: 'keep',
  } as const;
  const loaded = { ...defaults, ...needs };
  return routesFor(type).flatMap(
    (route) =>
      runRoute(route, { type, data, revision: REVISION }, route.stream && state, loaded) ?? [],
  );
}

/** The steps of one process, and of no other. */
export const leads = (process: string, ...steps: readonly object[]) => [{ process, steps }];
