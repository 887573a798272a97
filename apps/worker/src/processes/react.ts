import type { App } from '#domain/app';
import {
  type CheckoutAttempted,
  type CheckoutLateOutcomeRecorded,
  checkoutLinkAggregate,
  type CheckoutPaid,
  type CreatedCheckoutLink,
} from '#domain/checkout-link';
import { idOf, type RecordedFact } from '#domain/fact';
import { paymentAggregate, type RequestedPayment } from '#domain/payment';
import { type TaxRates, taxRatesAggregate } from '#domain/pricing';
import {
  acceptOnInitialCapture,
  chargeOnCheckoutAttempt,
  chargeOnRenewalRequest,
  type ProcessStep,
  refundOnAbandonedRenewal,
  refundOnLateCheckoutCapture,
  reopenLinkOnInitialDecline,
  settleOnRenewalOutcome,
  subscribeOnPaidLink,
} from '#domain/processes';
import {
  type RenewalAbandoned,
  type RenewalRequested,
  subscriptionAggregate,
} from '#domain/subscription';
import type { CommandHandler } from '#event-store';
import { assertDefect } from '#platform';
import type { FollowedStreams } from '../reactor/followed-streams.js';

/** What a fact sets going. */
export interface Reaction {
  /** The process, as it signs its commands. */
  readonly process: string;
  readonly steps: readonly ProcessStep[];
}

export interface ReactContext {
  readonly streams: FollowedStreams;
  readonly commands: CommandHandler;
  readonly findApp: (appId: string) => Promise<Exclude<App, { status: 'none' }> | undefined>;
}

type React = (fact: RecordedFact, context: ReactContext) => Promise<Reaction>;

/** The processes (architecture, "Life of an event"): which one a fact sets going. */
const REACTIONS: Readonly<Record<string, React>> = {
  'checkout_link.attempted.v1': async (fact, context) => {
    const link = await linkAt(fact, context);
    const attempted = fact.data as CheckoutAttempted['data'];
    return {
      process: 'charge_on_checkout_attempt',
      steps: chargeOnCheckoutAttempt(link, attempted, await taxRatesOf(link.appId, context)),
    };
  },
  'payment.captured.v1': async (fact, context) => {
    const payment = await paymentAt(fact, context);
    if (payment.context !== 'INITIAL') return settle(payment, context);
    return { process: 'accept_on_initial_capture', steps: acceptOnInitialCapture(payment) };
  },
  'checkout_link.paid.v1': async (fact, context) => ({
    process: 'subscribe_on_paid_link',
    steps: subscribeOnPaidLink(await linkAt(fact, context), fact.data as CheckoutPaid['data']),
  }),
  'checkout_link.late_outcome_recorded.v1': async (fact) => ({
    process: 'refund_on_late_checkout_capture',
    steps: refundOnLateCheckoutCapture(fact.data as CheckoutLateOutcomeRecorded['data']),
  }),
  'payment.declined.v1': async (fact, context) => {
    const payment = await paymentAt(fact, context);
    if (payment.context !== 'INITIAL') return settle(payment, context);
    return {
      process: 'reopen_link_on_initial_decline',
      steps: reopenLinkOnInitialDecline(payment),
    };
  },
  'subscription.renewal_requested.v1': async (fact, context) => {
    const subscription = await context.streams.stateAt(subscriptionAggregate, fact);
    assertDefect(subscription.status !== 'none', `${idOf(fact.streamName)} renews unbegun`);
    const requested = fact.data as RenewalRequested['data'];
    const taxRates = await taxRatesOf(subscription.appId, context);
    return {
      process: 'charge_on_renewal_request',
      steps: chargeOnRenewalRequest(subscription, requested, taxRates),
    };
  },
  'subscription.renewal_abandoned.v1': async (fact) => ({
    process: 'refund_on_abandoned_renewal',
    steps: refundOnAbandonedRenewal(fact.data as RenewalAbandoned['data']),
  }),
};

/** What a fact sets going, if anything. @throws Fault of the store; Defect for what cannot be. */
export async function reactTo(
  fact: RecordedFact,
  context: ReactContext,
): Promise<Reaction | undefined> {
  return REACTIONS[fact.type]?.(fact, context);
}

async function settle(payment: RequestedPayment, { findApp }: ReactContext): Promise<Reaction> {
  const app = await findApp(payment.appId);
  assertDefect(app !== undefined, `${payment.paymentId} belongs to no app`);
  return {
    process: 'settle_on_renewal_outcome',
    steps: settleOnRenewalOutcome(payment, app.dunning),
  };
}

async function taxRatesOf(appId: string, { commands }: ReactContext): Promise<TaxRates> {
  const { state } = await commands.load(taxRatesAggregate, appId);
  return state;
}

async function linkAt(fact: RecordedFact, { streams }: ReactContext): Promise<CreatedCheckoutLink> {
  const link = await streams.stateAt(checkoutLinkAggregate, fact);
  assertDefect(link.status !== 'none', `${fact.streamName} was paid before it was created`);
  return link;
}

async function paymentAt(fact: RecordedFact, { streams }: ReactContext): Promise<RequestedPayment> {
  const payment = await streams.stateAt(paymentAggregate, fact);
  assertDefect(payment.status !== 'none', `${fact.streamName} was settled before it was asked for`);
  return payment;
}
