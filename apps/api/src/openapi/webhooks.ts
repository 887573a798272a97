import type { OpenAPIObject } from '@nestjs/swagger';
import { assertDefect } from '#platform';
import { WEBHOOK_TYPES, type WebhookType } from '#webhooks';
import { WEBHOOK_EXAMPLES } from './generated/examples.js';
import { count, type Schema, text } from './schemas.js';
import { webhookBody } from './webhook-schemas.js';

type Paths = OpenAPIObject['paths'];
type Parameters = NonNullable<NonNullable<Paths[string]['post']>['parameters']>;

export const WEBHOOK_TAG = 'webhooks';

/** The meaning of each type, in one line. A type without a line does not compile. */
const MEANINGS: Readonly<Record<WebhookType, string>> = {
  PURCHASE_SUCCEEDED: 'A purchase is paid: grant its items',
  PURCHASE_FAILED: 'A purchase was declined, canceled or left unpaid',
  PURCHASE_REFUNDED: 'Money of a purchase was given back, all or part of it',
  CREATE_PAYMENT_INTENT: 'A checkout was started',
  FREE_ITEM_REDEEMED: 'A free item was claimed: grant it',
  MUTATE_CART: 'The cart of a player was changed: it has these items now',
  VIEW_ITEM: 'A player was shown an item, told once in 100 seconds',
  VIEW_CHECKOUT_PAGE: 'A player opened the checkout page',
  VIEW_PRODUCT_DETAIL_PAGE: 'A player opened the page of an item',
  CART_BUTTON_CLICK: 'A player opened the cart by its button',
  LOYALTY_MILESTONE_CLAIMED: 'A milestone of a loyalty campaign was claimed: grant its rewards',
  'subscription.created': 'A player has completed the checkout of a subscription',
  'subscription.updated':
    'The plan, the price or the region of a subscription has changed, or the refund of a change has failed',
  'subscription.currency_change_scheduled':
    'A subscription moves to another currency with its next renewal, for this charge',
  'subscription.canceled': 'A subscription ends with its period, as it was canceled',
  'subscription.reactivated': 'A cancellation was taken back before access ended',
  'subscription.expired': 'A subscription has ended for good',
  'subscription.payment_failed': 'A renewal was declined: the subscription is past due',
  'subscription.payment_succeeded': 'A renewal is paid',
  'payment.succeeded': 'A payment was captured',
  'payment.failed': 'A payment was declined or failed',
  'payment.refunded': 'Money of a payment was given back',
  'dispute.opened': 'The holder of the card disputes a payment',
  'dispute.closed': 'A dispute has its outcome',
  'ledger.sealed':
    'A checkpoint of the whole ledger was signed: sent where an endpoint names this type, in apps that may witness it',
};

const RECEIVING =
  'Sent as a POST to every endpoint of the app that takes this type. Check the signature over the bytes as ' +
  'they came, store the message, and answer any 2xx within 15 seconds: everything else is tried again ' +
  'for about three days. The same `webhook-id` may come twice.';

const HEADERS: Parameters = [
  header('webhook-id', 'The message: the same at all of its attempts and resends.'),
  header(
    'webhook-timestamp',
    'Of the attempt, in seconds: refuse a webhook that is over 5 minutes off.',
  ),
  header(
    'webhook-signature',
    '`v1,` and base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the bytes of the ' +
      'secret behind `whsec_`; several, with spaces between, while a secret is rotated: one that is right is enough.',
  ),
  header('service-hmac-signature', 'base64 of HMAC-SHA256 over the body alone.'),
  header('service-retry-count', '0 on the first attempt.', count),
  header(
    'service-event-sequence',
    '1, 2, 3 ... over the messages of the subject: a gap shows that one is missing. 0 of tests.',
    count,
  ),
];

/** The webhooks sent to merchants, as OpenAPI has them: each type with its body, an example and the headers. */
export function describeWebhooks({ components }: OpenAPIObject): Paths {
  const subscription = components?.schemas?.['SubscriptionDto'];
  const isThere = subscription !== undefined && !('$ref' in subscription);
  assertDefect(isThere, 'the document has no schema of a subscription');
  return Object.fromEntries(
    WEBHOOK_TYPES.map((type) => [type, { post: describe(type, webhookBody(type, subscription)) }]),
  );
}

function describe(type: WebhookType, schema: Schema): NonNullable<Paths[string]['post']> {
  const summary = MEANINGS[type];
  return {
    operationId: `webhook_${toCamelCase(type)}`,
    tags: [WEBHOOK_TAG],
    summary,
    description: `${summary}. ${RECEIVING}`,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, example: WEBHOOK_EXAMPLES[type] },
      },
    },
    responses: {
      '2XX': { description: 'Received. An endpoint can be set to take 200 alone for that.' },
      '410': { description: 'Gone: the endpoint is disabled.' },
    },
  };
}

function header(name: string, description: string, schema = text): Parameters[number] {
  return { name, in: 'header', required: true, description, schema };
}

/** `subscription.payment_failed` and `PURCHASE_FAILED` as names of functions are written. */
function toCamelCase(type: WebhookType): string {
  return type.toLowerCase().replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}
