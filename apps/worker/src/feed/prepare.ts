import { checkoutLinkAggregate } from '#domain/checkout-link';
import { categoryOf, idOf, type RecordedEvent } from '#domain/event';
import { noPayment, paymentAggregate } from '#domain/payment';
import type { ProcessOutput } from '#domain/processes';
import { subscriptionAggregate } from '#domain/subscription';
import { neededStates, renderMessages } from '#webhooks';
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
  readonly messages: readonly OutgoingMessage[];
  /** Commands of events with the same key are given in the events' order. */
  readonly orderKey: string;
}

/**
 * Looks at an event and the states that it names, and does nothing.
 *
 * @throws Fault of the store; anything else is a defect that parks the stream.
 */
export async function prepare(event: RecordedEvent, context: ReactContext): Promise<Prepared> {
  const messages = await renderAll(event, context);
  const outputs = await reactTo(event, context);
  return { event, outputs, messages, orderKey: orderKeyOf(event, context) };
}

async function renderAll(
  event: RecordedEvent,
  { streams }: ReactContext,
): Promise<OutgoingMessage[]> {
  const needed = neededStates(event);
  if (needed === undefined) return [];
  const { stream, payment: noted } = needed;
  const state = stream === null ? null : await streams.stateAt(stream, event);
  const payment =
    noted === null
      ? null
      : await streams.stateAtRevision(
          paymentAggregate,
          noted.paymentId,
          noted.paymentEvent.revision,
        );
  return renderMessages(event, { state, payment }).map((message) => ({ ...message, event }));
}

/**
 * What belongs to one subscription is done in its order. The state is folded on in memory where that
 * takes no reading, so that it is at hand for the stream's next event.
 */
function orderKeyOf(event: RecordedEvent, { streams }: ReactContext): string {
  switch (categoryOf(event.streamName)) {
    case paymentAggregate.category: {
      const payment = streams.follow(paymentAggregate, event) ?? noPayment;
      return payment.status === 'none' ? idOf(event.streamName) : payment.subscriptionId;
    }
    case subscriptionAggregate.category:
      streams.follow(subscriptionAggregate, event);
      return idOf(event.streamName);
    default:
      return idOf(event.streamName);
  }
}
