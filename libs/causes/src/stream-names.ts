import { appAggregate } from '#domain/app';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import { endpointListAggregate } from '#domain/endpoint-list';
import { operatorTokensAggregate } from '#domain/operator-tokens';
import { ORDER_LINK_PREFIX, orderAggregate, orderLinkAggregate } from '#domain/order';
import { paymentAggregate } from '#domain/payment';
import { planAggregate } from '#domain/plan';
import { priceSheetAggregate } from '#domain/price-sheet';
import { taxRatesAggregate } from '#domain/pricing';
import { subscriptionAggregate } from '#domain/subscription';
import { testClockAggregate } from '#domain/test-clock';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';

/** Which streams have the name of an object of ours behind their dash, by the prefix of its id. */
const STREAMS: Readonly<Record<string, readonly { readonly category: string }[]>> = {
  app: [
    ...[appAggregate, priceSheetAggregate, taxRatesAggregate],
    ...[testClockAggregate, operatorTokensAggregate, endpointListAggregate],
  ],
  cl: [checkoutLinkAggregate],
  [ORDER_LINK_PREFIX]: [orderLinkAggregate],
  ord: [orderAggregate],
  pay: [paymentAggregate],
  plan: [planAggregate],
  sub: [subscriptionAggregate],
  whe: [webhookEndpointAggregate],
};

/** The streams of an object whose id was given in place of a stream's name; none for other texts. */
export function streamsOfId(text: string): string[] {
  const prefix = /^([a-z]+)_[0-9a-z]+$/.exec(text)?.[1] ?? '';
  const streams = Object.hasOwn(STREAMS, prefix) ? STREAMS[prefix] : undefined;
  return (streams ?? []).map(({ category }) => `${category}-${text}`);
}
