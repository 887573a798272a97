import type { RecordedEvent } from '#domain/event';
import { type Payment, paymentAggregate } from '#domain/payment';
import { type Subscription, subscriptionAggregate } from '#domain/subscription';
import { neededStates, renderMessages } from '#webhooks';
import type { BreakableLedger } from './ledger.js';

/** A message that an event in the store gives rise to, whatever was delivered. */
export interface OwedMessage {
  readonly appId: string;
  readonly subject: string;
  readonly id: string;
  readonly type: string;
  /** Counted here, over the subject's messages as they stand in the store. */
  readonly sequence: number;
  readonly body: string;
  /** The event. */
  readonly streamName: string;
  readonly revision: number;
}

/** The messages of a subscription, in their order, made from the store alone. */
export async function listOwedMessages(
  ledger: BreakableLedger,
  subscriptionId: string,
): Promise<OwedMessage[]> {
  const owed: OwedMessage[] = [];
  let state: Subscription = subscriptionAggregate.decider.initialState;
  for await (const event of ledger.store.readStream(`subscription-${subscriptionId}`)) {
    // A stream of an aggregate holds that aggregate's events.
    state = subscriptionAggregate.decider.evolve(state, event as never);
    for (const { id, type, body } of await render(ledger, event, state)) {
      const { streamName, revision, metadata } = event;
      const message = { appId: metadata.appId, subject: subscriptionId, id, type, body };
      owed.push({ ...message, sequence: owed.length + 1, streamName, revision });
    }
  }
  return owed;
}

async function render(
  { written, store }: BreakableLedger,
  event: RecordedEvent,
  state: Subscription,
) {
  if (state.status === 'none') return [];
  const noted = neededStates(event)?.payment ?? null;
  let payment: Payment = paymentAggregate.decider.initialState;
  if (noted !== null) {
    for await (const each of store.readStream(`payment-${noted.paymentId}`)) {
      if (each.revision > noted.paymentRevision) break;
      payment = paymentAggregate.decider.evolve(payment, each as never);
    }
  }
  const access = await written.personalData.access(state);
  return renderMessages(event, { state, payment, open: (owner) => access.open(owner) });
}
