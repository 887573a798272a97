import type { App } from '#domain/app';
import {
  type CheckoutAttempted,
  type CheckoutLateOutcomeRecorded,
  checkoutLinkAggregate,
  type CheckoutPaid,
  type CreatedCheckoutLink,
} from '#domain/checkout-link';
import { idOf, type RecordedEvent } from '#domain/event';
import { paymentAggregate, type RequestedPayment } from '#domain/payment';
import { type TaxRates, taxRatesAggregate } from '#domain/pricing';
import {
  acceptOnInitialCapture,
  chargeOnCheckoutAttempt,
  chargeOnRenewalRequest,
  type ProcessStep,
  refundOnLateRenewalCapture,
  refundOnLateCheckoutCapture,
  reopenLinkOnInitialDecline,
  settleOnRenewalOutcome,
  subscribeOnPaidLink,
} from '#domain/processes';
import {
  type LateOutcomeRecorded,
  type RenewalRequested,
  subscriptionAggregate,
} from '#domain/subscription';
import type { CommandExecutor } from '#event-store';
import { assertDefect } from '#platform';
import type { StateAtRevisionCache } from '../feed/state-at-revision-cache.js';

/** What an event sets going. */
export interface Reaction {
  /** The process, as it signs its commands. */
  readonly process: string;
  readonly steps: readonly ProcessStep[];
}

export interface ReactContext {
  readonly streams: StateAtRevisionCache;
  readonly commands: CommandExecutor;
  readonly findApp: (appId: string) => Promise<Exclude<App, { status: 'none' }> | undefined>;
}

type React = (event: RecordedEvent, context: ReactContext) => Promise<Reaction>;

/** The processes (architecture, "Life of an event"): which one an event sets going. */
const REACTIONS: Readonly<Record<string, React>> = {
  'checkout_link.attempted.v1': async (event, context) => {
    const link = await linkAt(event, context);
    const attempted = event.data as CheckoutAttempted['data'];
    return {
      process: 'charge_on_checkout_attempt',
      steps: chargeOnCheckoutAttempt(link, attempted, await taxRatesOf(link.appId, context)),
    };
  },
  'payment.captured.v1': async (event, context) => {
    const payment = await paymentAt(event, context);
    if (payment.context !== 'INITIAL') return settle(payment, context);
    return { process: 'accept_on_initial_capture', steps: acceptOnInitialCapture(payment) };
  },
  'checkout_link.paid.v1': async (event, context) => ({
    process: 'subscribe_on_paid_link',
    steps: subscribeOnPaidLink(await linkAt(event, context), event.data as CheckoutPaid['data']),
  }),
  'checkout_link.late_outcome_recorded.v1': async (event) => ({
    process: 'refund_on_late_checkout_capture',
    steps: refundOnLateCheckoutCapture(event.data as CheckoutLateOutcomeRecorded['data']),
  }),
  'payment.declined.v1': async (event, context) => {
    const payment = await paymentAt(event, context);
    if (payment.context !== 'INITIAL') return settle(payment, context);
    return {
      process: 'reopen_link_on_initial_decline',
      steps: reopenLinkOnInitialDecline(payment),
    };
  },
  'subscription.renewal_requested.v1': async (event, context) => {
    const subscription = await context.streams.stateAt(subscriptionAggregate, event);
    assertDefect(subscription.status !== 'none', `${idOf(event.streamName)} renews unbegun`);
    const requested = event.data as RenewalRequested['data'];
    const taxRates = await taxRatesOf(subscription.appId, context);
    return {
      process: 'charge_on_renewal_request',
      steps: chargeOnRenewalRequest(subscription, requested, taxRates),
    };
  },
  'subscription.late_outcome_recorded.v1': async (event) => ({
    process: 'refund_on_late_renewal_capture',
    steps: refundOnLateRenewalCapture(event.data as LateOutcomeRecorded['data']),
  }),
};

/** What an event sets going, if anything. @throws Fault of the store; Defect for what cannot be. */
export async function reactTo(
  event: RecordedEvent,
  context: ReactContext,
): Promise<Reaction | undefined> {
  return REACTIONS[event.type]?.(event, context);
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

async function linkAt(
  event: RecordedEvent,
  { streams }: ReactContext,
): Promise<CreatedCheckoutLink> {
  const link = await streams.stateAt(checkoutLinkAggregate, event);
  assertDefect(link.status !== 'none', `${event.streamName} was paid before it was created`);
  return link;
}

async function paymentAt(
  event: RecordedEvent,
  { streams }: ReactContext,
): Promise<RequestedPayment> {
  const payment = await streams.stateAt(paymentAggregate, event);
  assertDefect(
    payment.status !== 'none',
    `${event.streamName} was settled before it was asked for`,
  );
  return payment;
}
