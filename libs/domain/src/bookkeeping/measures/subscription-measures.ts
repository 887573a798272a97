import { idOf, type Instant, type RecordedEvent } from '../../event/index.js';
import { type Money, money } from '../../money/index.js';
import { findSubscriptionId, type PaymentEvent } from '../../payment/index.js';
import type { SubscriptionEvent } from '../../subscription/index.js';
import { findMrrMovements, type MrrMovement } from './mrr-movements.js';
import { evolveRecurring, monthlyMinor, type Recurring } from './recurring.js';
import { evolveUnpaid, type UnpaidRenewal } from './unpaid-renewal.js';

/** An event of a subscription or a payment, as it was read back. */
type MeasuredEvent = (PaymentEvent | SubscriptionEvent) & Pick<RecordedEvent, 'id' | 'streamName'>;
type OfSubscription = Exclude<MeasuredEvent, PaymentEvent>;

/** The changes of an event to the measures of its subscription. */
export interface Measured {
  readonly subscription: string;
  readonly plan: string;
  readonly happenedAt: Instant;
  readonly movements: readonly MrrMovement[];
  /** By currency: the change of the revenue of subscriptions that are canceled and have not ended. */
  readonly willChurn: ReadonlyMap<string, bigint>;
  /** Set where the subscription has ended with a renewal that was not paid. */
  readonly lost: LostSubscription | null;
}

/** A subscription that dunning has lost (rules/finance 41). */
interface LostSubscription extends UnpaidRenewal {
  readonly cause: string;
  readonly monthly: Money;
}

interface SubscriptionState {
  readonly recurring: Recurring;
  readonly hadRevenue: boolean;
  readonly unpaid: UnpaidRenewal | null;
}

/** Ends of a subscription whose renewal was not paid. */
const ENDED_BY_DUNNING: ReadonlySet<string> = new Set(['grace_ended', 'canceled_while_past_due']);

/** Folds the events of an app's subscriptions and payments, in the order of leaves (rules/finance 40 and 41). */
export class SubscriptionMeasures {
  /** Those that have not ended. */
  readonly #subscriptions = new Map<string, SubscriptionState>();
  /** The rates of taxes that prices contain, of payments that no subscription has noted yet. */
  readonly #includedRates = new Map<string, string>();

  /** The changes of an event; undefined where it changes no measure. */
  take(event: MeasuredEvent): Measured | undefined {
    const id = idOf(event.streamName);
    if (isOfSubscription(event)) return this.#takeSubscription(id, event);
    this.#takePayment(id, event);
    return undefined;
  }

  #takeSubscription(id: string, event: OfSubscription): Measured | undefined {
    const before = this.#subscriptions.get(id);
    const after = evolveRecurring(before?.recurring, event, this.#takeRate(event));
    if (after === undefined) return undefined;
    const movements = findMrrMovements(before?.recurring, after, before?.hadRevenue ?? false);
    const willChurn = findWillChurn(before?.recurring, after);
    const lost = findLoss(before, event);
    const hadRevenue = before?.hadRevenue === true || monthlyMinor(after) > 0n;
    const unpaid = evolveUnpaid(before?.unpaid ?? null, event);
    if (after.status === 'ended') this.#subscriptions.delete(id);
    else this.#subscriptions.set(id, { recurring: after, hadRevenue, unpaid });
    if (movements.length + willChurn.size === 0 && lost === null) return undefined;
    const happenedAt = findMoment(event);
    return { subscription: id, plan: after.plan, happenedAt, movements, willChurn, lost };
  }

  #takePayment(paymentId: string, { type, data }: PaymentEvent): void {
    if (type === 'payment.declined.v1' || type === 'payment.given_up.v1') {
      this.#includedRates.delete(paymentId);
    }
    if (type !== 'payment.requested.v3') return;
    const subscriptionId = findSubscriptionId(data.purpose);
    if (subscriptionId === '') return;
    const tax = data.lines.find((line) => line.kind === 'tax');
    this.#includedRates.set(paymentId, tax?.inclusive === true ? tax.rate.rate : '');
    const state = this.#subscriptions.get(subscriptionId);
    if (state?.unpaid?.paymentId !== paymentId) return;
    const unpaid = { ...state.unpaid, amount: data.amount };
    this.#subscriptions.set(subscriptionId, { ...state, unpaid });
  }

  /** The rate in the charge of the payment that the event notes. */
  #takeRate(event: OfSubscription): string | undefined {
    const paymentId = findPaidBy(event);
    const rate = this.#includedRates.get(paymentId);
    this.#includedRates.delete(paymentId);
    return rate;
  }
}

function isOfSubscription(event: MeasuredEvent): event is OfSubscription {
  return event.type.startsWith('subscription.');
}

function findPaidBy({ type, data }: SubscriptionEvent): string {
  switch (type) {
    case 'subscription.created.v2':
      return data.initialPayment?.paymentId ?? '';
    case 'subscription.renewed.v1':
      return data.paymentId;
    case 'subscription.plan_changed.v1':
      return data.payment?.paymentId ?? '';
    default:
      return '';
  }
}

/** By currency, without those in which nothing changes. */
function findWillChurn(before: Recurring | undefined, after: Recurring): Map<string, bigint> {
  const changes = new Map<string, bigint>();
  if (before?.status === 'canceled') changes.set(before.price.currency, -monthlyMinor(before));
  if (after.status === 'canceled') {
    const { currency } = after.price;
    changes.set(currency, (changes.get(currency) ?? 0n) + monthlyMinor(after));
  }
  return new Map([...changes].filter(([, change]) => change !== 0n));
}

function findLoss(
  before: SubscriptionState | undefined,
  { type, data }: SubscriptionEvent,
): LostSubscription | null {
  if (type !== 'subscription.expired.v1' || !ENDED_BY_DUNNING.has(data.cause)) return null;
  if (before === undefined || before.unpaid === null) return null;
  const { recurring, unpaid } = before;
  const monthly = money(monthlyMinor(recurring), recurring.price.currency);
  return { ...unpaid, cause: data.cause, monthly };
}

/** Of an event that changes a measure. */
function findMoment({ type, data }: SubscriptionEvent): Instant {
  switch (type) {
    case 'subscription.created.v2':
      return data.createdAt;
    case 'subscription.renewed.v1':
      return data.renewedAt;
    case 'subscription.canceled.v1':
      return data.canceledAt;
    case 'subscription.reactivated.v1':
      return data.reactivatedAt;
    case 'subscription.expired.v1':
      return data.expiredAt;
    case 'subscription.plan_changed.v1':
      return data.changedAt;
    default:
      throw new Error(`${type} changes no measure`);
  }
}
