import { streamsOfId } from '#causes';
import { appAggregate } from '#domain/app';
import { cartAggregate } from '#domain/cart';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import { endpointListAggregate } from '#domain/endpoint-list';
import { categoryOf, type RecordedEvent } from '#domain/event';
import { financeAggregate } from '#domain/finance';
import { idempotencyKeyAggregate } from '#domain/idempotency-key';
import { loyaltyAggregate } from '#domain/loyalty';
import { loyaltyProgramAggregate } from '#domain/loyalty-program';
import { operatorTokensAggregate } from '#domain/operator-tokens';
import { orderAggregate, orderLinkAggregate } from '#domain/order';
import { paymentAggregate } from '#domain/payment';
import { planAggregate, planCodeAggregate } from '#domain/plan';
import { playerAggregate } from '#domain/player';
import { playerPlansAggregate } from '#domain/player-plans';
import { priceSheetAggregate } from '#domain/price-sheet';
import { taxRatesAggregate } from '#domain/pricing';
import { projectionAggregate } from '#domain/projection';
import { sealWitnessesAggregate } from '#domain/seal';
import { settlementAggregate } from '#domain/settlement';
import { shopAggregate } from '#domain/shop';
import { shopSessionAggregate } from '#domain/shop-session';
import { subscriptionAggregate } from '#domain/subscription';
import { testClockAggregate } from '#domain/test-clock';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import {
  describeOrderEvent,
  describePaymentEvent,
  describeSubscriptionEvent,
} from '#representations';
import { CliError } from '../cli-error.js';

/** The part of an aggregate that folds its streams. */
export interface Replayable {
  readonly category: string;
  readonly decider: {
    readonly initialState: unknown;
    // Each folds the events of its own streams, and the states that it gave itself.
    readonly evolve: (state: never, event: never) => unknown;
  };
}

const REPLAYABLE: readonly Replayable[] = [
  ...[subscriptionAggregate, paymentAggregate, orderAggregate, checkoutLinkAggregate],
  ...[orderLinkAggregate, planAggregate, planCodeAggregate, appAggregate, priceSheetAggregate],
  ...[taxRatesAggregate, testClockAggregate, webhookEndpointAggregate, endpointListAggregate],
  ...[operatorTokensAggregate, idempotencyKeyAggregate, playerAggregate, playerPlansAggregate],
  ...[cartAggregate, shopAggregate, shopSessionAggregate, loyaltyAggregate],
  ...[loyaltyProgramAggregate, projectionAggregate, sealWitnessesAggregate],
  ...[financeAggregate, settlementAggregate],
];

const BY_CATEGORY = new Map(REPLAYABLE.map((aggregate) => [aggregate.category, aggregate]));

/** Events in plain words, of the streams for which there are some. */
const WORDS: ReadonlyMap<string, (event: RecordedEvent) => string> = new Map([
  [subscriptionAggregate.category, describeSubscriptionEvent],
  [paymentAggregate.category, describePaymentEvent],
  [orderAggregate.category, describeOrderEvent],
]);

/** The event in plain words; undefined where its type has to do. */
export function describeEvent(event: RecordedEvent): string | undefined {
  return WORDS.get(categoryOf(event.streamName))?.(event);
}

/**
 * The stream that a name or an id means, and the aggregate that folds it; an app's id means the app's own stream.
 *
 * @throws CliError `refused` where the domain folds no such stream.
 */
export function findReplayable(text: string): {
  readonly streamName: string;
  readonly aggregate: Replayable;
} {
  const [streamName = text] = streamsOfId(text);
  const aggregate = streamName.includes('-') ? BY_CATEGORY.get(categoryOf(streamName)) : undefined;
  if (aggregate !== undefined) return { streamName, aggregate };
  throw new CliError(
    `${JSON.stringify(text)} cannot be replayed: no decider folds it. Name the id of a subscription, a payment, ` +
      `an order, a checkout link, a plan, an app or a webhook endpoint, or a stream of ${[...BY_CATEGORY.keys()].join(', ')}.`,
  );
}
