import { type OrderCommand, orderAggregate, orderLinkAggregate, quoteOrder } from '#domain/order';
import { deriveOrderPaymentId } from '#domain/ids';
import { type ChargeRequest, paymentAggregate, type PaymentCommand } from '#domain/payment';
import type { TaxRates } from '#domain/pricing';
import { routesFor, runRoute } from '#domain/processes';
import { play } from '../../support/play.js';
import { BOUGHT, LATER } from './purchase.js';

/**
 * Orders are sold, declined, confirmed, paid, refunded, disputed, claimed, canceled and left: between them these
 * streams hold every event of an order, as the deciders write them.
 */
const AGAIN = '2027-01-31T10:05:00.000Z';
const EXPIRES = '2027-02-01T10:00:00.000Z';
const appId = 'app_01gold';
const player = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const decline = {
  reason: 'insufficient_funds',
  declineClass: 'soft',
  rawDeclineCode: '51',
} as const;
const method = { paymentMethodSubType: 'visa', issuerBank: 'Example Bank' };

const rates = [{ country: 'US', region: 'NY', rate: '0.08125', inclusive: false }];
const set = { setBy: 'operator:finance', setAt: BOUGHT, effectiveFrom: BOUGHT };
const taxRates: TaxRates = { versions: [{ version: 3, rates, ...set }] };

const gems = {
  ...{ itemId: 'gems-100', name: '100 gems', description: 'A pouch of gems' },
  ...{ image: 'https://cdn.example/gems.png', quantity: 2, price: usd('499') },
};
const chest = { ...gems, itemId: 'chest', name: 'Chest', image: '', quantity: 1, price: usd('0') };
const items = [gems, chest];
const region = { regionCode: 'US-NY', taxRates, now: BOUGHT };
const quote = quoteOrder(items, 'USD', region);
const personal = {
  metadata: 'p1.sealed.metadata',
  email: 'p1.sealed.email',
  itemMetadata: 'p1.sealed.items',
};
const order = {
  ...{ orderId: 'ord_01gold', appId, player, source: 'ServicePay' as const },
  ...{ transactionId: 'txn-77', cartId: '', checkoutLinkId: 'cl_01order', items, quote },
  ...{ regionCode: 'US-NY', language: 'de-AT', returnUrl: 'https://game.example/shop' },
  ...{ personal, createdAt: BOUGHT, expiresAt: EXPIRES, wallExpiresAt: EXPIRES },
};
const cartOrder = {
  ...order,
  ...{ orderId: 'ord_01cart', source: 'Cart' as const, transactionId: '', cartId: 'cart_01gold' },
};
const freeItems = [{ ...chest, quantity: 2 }];
const freeOrder = { ...order, items: freeItems, quote: quoteOrder(freeItems, 'USD', region) };

const click = {
  quote,
  emailMarketingOptIn: true,
  personal: { ipAddress: 'p1.sealed.ip' },
  playerIsErased: false,
};
const create: OrderCommand = { kind: 'CreateOrder', order };
const attempt = (now: string): OrderCommand => ({
  ...{ kind: 'AttemptOrder', ...click, paymentMethod: 'pm_ok', shown: null, now, wallNow: now },
});
const derivePaymentId = (orderId: string, number: number, attemptedAt: string) =>
  deriveOrderPaymentId(orderId, { attempt: number, attemptedAt });
const FIRST = derivePaymentId('ord_01gold', 1, BOUGHT);
const SECOND = derivePaymentId('ord_01gold', 2, AGAIN);
const OF_CART = derivePaymentId('ord_01cart', 1, BOUGHT);
const settle = (
  paymentId: string,
  outcome: 'captured' | typeof decline,
  now: string,
): OrderCommand => ({ kind: 'SettleOrder', paymentId, paymentRevision: 1, outcome, now });

/** Revisions of the payments that are played below. */
const PARTLY_REFUNDED = 3;
const REFUND = { ...{ refundId: 'ref_01order', now: LATER } };
const DISPUTE = { disputeId: 'dsp_01order', amount: usd('500'), now: LATER };
const noted = { paymentId: SECOND, paymentRevision: PARTLY_REFUNDED };

export const paidOrder = play(
  orderAggregate.decider,
  create,
  { kind: 'OpenCheckout', now: BOUGHT },
  attempt(BOUGHT),
  settle(FIRST, decline, BOUGHT),
  attempt(AGAIN),
  { kind: 'ChallengeOrder', paymentId: SECOND, sealedUrl: 'v3.sealed.url', now: AGAIN },
  settle(SECOND, 'captured', AGAIN),
  {
    ...{ kind: 'RecordOrderRefund', ...noted, paymentStatus: 'PARTIALLY_REFUNDED' },
    ...{ amount: usd('400'), totalRefunded: usd('400'), now: LATER },
  },
  {
    ...{ kind: 'RecordOrderDispute', ...noted, paymentRevision: 4, paymentStatus: 'DISPUTED' },
    ...{ closed: false, totalRefunded: usd('400'), now: LATER },
  },
  {
    ...{ kind: 'RecordOrderDispute', ...noted, paymentRevision: 5 },
    ...{ paymentStatus: 'PARTIALLY_REFUNDED', closed: true, totalRefunded: usd('400'), now: LATER },
  },
);

/** The same of the shop, of which no message of a payment tells; it was canceled before its capture. */
export const canceledCartOrder = play(
  orderAggregate.decider,
  { kind: 'CreateOrder', order: cartOrder },
  attempt(BOUGHT),
  settle(OF_CART, decline, BOUGHT),
  {
    ...{ kind: 'CancelOrder', reason: 'canceled_by_player', personal: click.personal },
    ...{ now: AGAIN, wallNow: AGAIN },
  },
);
export const paidCartOrder = play(
  orderAggregate.decider,
  { kind: 'CreateOrder', order: cartOrder },
  attempt(BOUGHT),
  settle(OF_CART, 'captured', BOUGHT),
  {
    ...{ kind: 'RecordOrderRefund', paymentId: OF_CART, paymentRevision: PARTLY_REFUNDED },
    ...{ paymentStatus: 'PARTIALLY_REFUNDED', amount: usd('400'), totalRefunded: usd('400') },
    now: LATER,
  },
  {
    ...{ kind: 'RecordOrderDispute', paymentId: OF_CART, paymentRevision: PARTLY_REFUNDED + 2 },
    ...{ paymentStatus: 'PARTIALLY_REFUNDED', closed: true, totalRefunded: usd('900') },
    now: LATER,
  },
);
/** An order that was canceled while its charge was at the bank, and captured after that. */
export const lateOrder = play(
  orderAggregate.decider,
  create,
  attempt(BOUGHT),
  {
    ...{ kind: 'CancelOrder', reason: 'replaced', personal: {}, now: AGAIN, wallNow: AGAIN },
  },
  settle(FIRST, 'captured', LATER),
);
export const expiredOrder = play(orderAggregate.decider, create, {
  kind: 'ProcessOrderDueDate',
  now: EXPIRES,
});
export const claimedOrder = play(
  orderAggregate.decider,
  { kind: 'CreateOrder', order: freeOrder },
  { kind: 'ClaimOrder', ...click, quote: freeOrder.quote, now: AGAIN, wallNow: AGAIN },
);
export const orderLink = play(orderLinkAggregate.decider, {
  kind: 'CreateOrderLink',
  link: { linkId: 'cl_01order', appId, player, orderId: 'ord_01gold', createdAt: BOUGHT },
});

/** The charge of the product's own row for an attempt. */
function findCharge(story: typeof paidOrder, paymentId: string): ChargeRequest {
  const { initialState, evolve } = orderAggregate.decider;
  let state = initialState;
  for (const [revision, event] of story.events.entries()) {
    state = evolve(state, event);
    if (event.type !== 'order.attempted.v1' || event.data.paymentId !== paymentId) continue;
    for (const route of routesFor(event.type)) {
      const [step] = runRoute(route, { ...event, revision }, state, {})?.steps ?? [];
      if (step?.kind === 'charge') return step.charge;
    }
  }
  throw new Error(`the story does not attempt ${paymentId}`);
}

function playPayment(charge: ChargeRequest, ...commands: PaymentCommand[]) {
  const request = { kind: 'RequestPayment', charge, now: BOUGHT } as const;
  return play(paymentAggregate.decider, request, ...commands).events;
}

const capture: PaymentCommand = { kind: 'CapturePayment', method, now: AGAIN };
const refund: readonly PaymentCommand[] = [
  { kind: 'RequestRefund', ...REFUND, amountMinor: '400' },
  { kind: 'ConfirmRefund', ...REFUND },
];

/** The payments of these orders, by their ids. */
export const orderPayments = {
  [FIRST]: playPayment(findCharge(paidOrder, FIRST), {
    ...{ kind: 'DeclinePayment', decline, method, now: BOUGHT },
  }),
  [SECOND]: playPayment(
    findCharge(paidOrder, SECOND),
    capture,
    ...refund,
    { kind: 'OpenDispute', ...DISPUTE },
    { kind: 'CloseDispute', ...DISPUTE, won: true },
  ),
  [OF_CART]: playPayment(
    findCharge(paidCartOrder, OF_CART),
    capture,
    ...refund,
    { kind: 'OpenDispute', ...DISPUTE },
    { kind: 'CloseDispute', ...DISPUTE, won: false },
  ),
};
/** The first attempt's payment, had it been captured after its order had ended. */
export const latePayments = { [FIRST]: playPayment(findCharge(lateOrder, FIRST), capture) };
