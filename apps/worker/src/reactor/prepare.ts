import { checkoutLinkAggregate } from '#domain/checkout-link';
import { categoryOf, idOf, type RecordedFact } from '#domain/fact';
import { type Payment, paymentAggregate } from '#domain/payment';
import { type Subscription, subscriptionAggregate } from '#domain/subscription';
import { isWebhookFact, renderMessage } from '#webhooks';
import { type ReactContext, reactTo, type Reaction } from '../processes/react.js';
import type { OutgoingMessage } from '../webhooks/message.js';

/** The categories whose facts are worked on. */
export const REACTED_CATEGORIES: readonly string[] = [
  checkoutLinkAggregate.category,
  paymentAggregate.category,
  subscriptionAggregate.category,
];

/** What is to be done for a fact; known before anything is done. */
export interface Prepared {
  readonly fact: RecordedFact;
  readonly reaction: Reaction | undefined;
  readonly message: OutgoingMessage | undefined;
  /** Commands of facts with the same key are given in the facts' order. */
  readonly orderKey: string;
}

/**
 * Looks at a fact and the state at that fact, and does nothing.
 *
 * @throws Fault of the store; anything else is a defect that parks the stream.
 */
export async function prepare(fact: RecordedFact, context: ReactContext): Promise<Prepared> {
  const state = await stateAt(fact, context);
  const rendered = state === undefined ? null : renderMessage(fact, state);
  return {
    fact,
    reaction: await reactTo(fact, context),
    message: rendered === null ? undefined : { ...rendered, fact },
    orderKey: orderKeyOf(fact, state),
  };
}

type State = Payment | Subscription;

/** The state that a message is rendered from; undefined where none is and reading would be for nothing. */
async function stateAt(fact: RecordedFact, { streams }: ReactContext): Promise<State | undefined> {
  const isTold = isWebhookFact(fact.type);
  switch (categoryOf(fact.streamName)) {
    case paymentAggregate.category:
      return isTold
        ? streams.stateAt(paymentAggregate, fact)
        : streams.follow(paymentAggregate, fact);
    case subscriptionAggregate.category:
      return isTold
        ? streams.stateAt(subscriptionAggregate, fact)
        : streams.follow(subscriptionAggregate, fact);
    default:
      return undefined;
  }
}

function orderKeyOf(fact: RecordedFact, state: State | undefined): string {
  const isOfSubscription = state !== undefined && state.status !== 'none';
  return isOfSubscription ? state.subscriptionId : idOf(fact.streamName);
}
