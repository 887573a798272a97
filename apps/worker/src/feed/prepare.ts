import { checkoutLinkAggregate } from '#domain/checkout-link';
import { categoryOf, idOf, type RecordedEvent } from '#domain/event';
import { type Payment, paymentAggregate } from '#domain/payment';
import type { ProcessOutput } from '#domain/processes';
import { type Subscription, subscriptionAggregate } from '#domain/subscription';
import { isWebhookEvent, renderMessage } from '#webhooks';
import { type ReactContext, reactTo } from '../processes/react.js';
import type { OutgoingMessage } from '../delivery/delivery-job.js';

/** The categories whose events are worked on. */
export const REACTED_CATEGORIES: readonly string[] = [
  checkoutLinkAggregate.category,
  paymentAggregate.category,
  subscriptionAggregate.category,
];

/** What is to be done for an event; known before anything is done. */
export interface Prepared {
  readonly event: RecordedEvent;
  readonly outputs: readonly ProcessOutput[];
  readonly message: OutgoingMessage | undefined;
  /** Commands of events with the same key are given in the events' order. */
  readonly orderKey: string;
}

/**
 * Looks at an event and the state at that event, and does nothing.
 *
 * @throws Fault of the store; anything else is a defect that parks the stream.
 */
export async function prepare(event: RecordedEvent, context: ReactContext): Promise<Prepared> {
  const state = await stateAt(event, context);
  const rendered = state === undefined ? null : renderMessage(event, state);
  return {
    event,
    outputs: await reactTo(event, context),
    message: rendered === null ? undefined : { ...rendered, event },
    orderKey: orderKeyOf(event, state),
  };
}

type State = Payment | Subscription;

/** The state that a message is rendered from; undefined where none is and reading would be for nothing. */
async function stateAt(
  event: RecordedEvent,
  { streams }: ReactContext,
): Promise<State | undefined> {
  const isTold = isWebhookEvent(event.type);
  switch (categoryOf(event.streamName)) {
    case paymentAggregate.category:
      return isTold
        ? streams.stateAt(paymentAggregate, event)
        : streams.follow(paymentAggregate, event);
    case subscriptionAggregate.category:
      return isTold
        ? streams.stateAt(subscriptionAggregate, event)
        : streams.follow(subscriptionAggregate, event);
    default:
      return undefined;
  }
}

function orderKeyOf(event: RecordedEvent, state: State | undefined): string {
  const isOfSubscription = state !== undefined && state.status !== 'none';
  return isOfSubscription ? state.subscriptionId : idOf(event.streamName);
}
