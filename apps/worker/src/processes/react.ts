import type { App } from '#domain/app';
import { type CheckoutAttempted, checkoutLinkAggregate } from '#domain/checkout-link';
import { idOf, type RecordedFact } from '#domain/fact';
import { paymentAggregate, type RequestedPayment } from '#domain/payment';
import { type TaxRates, taxRatesAggregate } from '#domain/pricing';
import {
  chargeOnCheckoutAttempt,
  chargeOnRenewalRequest,
  type ProcessStep,
  refundOnAbandonedRenewal,
  reopenLinkOnInitialDecline,
  settleOnRenewalOutcome,
  subscribeOnInitialCapture,
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
    const link = await context.streams.stateAt(checkoutLinkAggregate, fact);
    assertDefect(link.status !== 'none', `${fact.streamName} was attempted before it was created`);
    const attempted = fact.data as CheckoutAttempted['data'];
    return {
      process: 'charge_on_checkout_attempt',
      steps: chargeOnCheckoutAttempt(link, attempted, await taxRatesOf(link.appId, context)),
    };
  },
  'payment.captured.v1': async (fact, context) => {
    const payment = await paymentAt(fact, context);
    if (payment.context !== 'INITIAL') return settle(payment, context);
    const { state: link } = await context.commands.load(
      checkoutLinkAggregate,
      payment.checkoutLinkId,
    );
    assertDefect(link.status !== 'none', `${fact.streamName} pays for a link that is not there`);
    return {
      process: 'subscribe_on_initial_capture',
      steps: subscribeOnInitialCapture(link, payment),
    };
  },
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

async function paymentAt(fact: RecordedFact, { streams }: ReactContext): Promise<RequestedPayment> {
  const payment = await streams.stateAt(paymentAggregate, fact);
  assertDefect(payment.status !== 'none', `${fact.streamName} was settled before it was asked for`);
  return payment;
}
