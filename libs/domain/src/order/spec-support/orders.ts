import { noTaxRates } from '../../pricing/index.js';
import type { OrderCreated, OrderEvent } from '../order.events.js';
import { type OrderItem, quoteOrder } from '../order.items.js';

/** One order for the specs: two kinds of things, paid in dollars. */
export const T0 = '2027-01-31T10:00:00.000Z';
export const T1 = '2027-01-31T10:00:30.000Z';
export const T2 = '2027-01-31T10:05:00.000Z';
export const EXPIRES = '2027-02-01T10:00:00.000Z';
export const LATER = '2027-02-03T10:00:00.000Z';

const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });

function item(itemId: string, quantity: number, amountMinor: string): OrderItem {
  return { itemId, name: itemId, description: '', image: '', quantity, price: usd(amountMinor) };
}

const items = [item('gems', 2, '499'), item('chest', 1, '1')];
const quote = quoteOrder(items, 'USD', { regionCode: '', taxRates: noTaxRates, now: T0 });

export function order(changes: Partial<OrderCreated['data']> = {}): OrderCreated['data'] {
  return {
    ...{ orderId: 'ord_1', appId: 'app_1', player: '5f00', source: 'ServicePay' as const },
    ...{ transactionId: 'txn-1', cartId: '', checkoutLinkId: 'cl_1', items, quote },
    ...{ regionCode: '', language: '', returnUrl: '', personal: { metadata: 'p1.sealed' } },
    ...{ createdAt: T0, expiresAt: EXPIRES, wallExpiresAt: EXPIRES, ...changes },
  };
}

export function created(changes: Partial<OrderCreated['data']> = {}): OrderCreated {
  return { type: 'order.created.v1', data: order(changes) };
}

const free = [item('chest', 2, '0'), item('key', 1, '0')];
export const freeOrder = created({
  items: free,
  quote: quoteOrder(free, 'USD', { regionCode: '', taxRates: noTaxRates, now: T0 }),
});

const click = {
  ...{ quote, emailMarketingOptIn: true, personal: { ipAddress: 'p1.ip' } },
  ...{ playerIsErased: false, shown: null },
};

/** The player pays, by the wall clock at the same moment. */
export function attempt(now: string, paymentMethod = 'pm_ok') {
  return { kind: 'AttemptOrder', ...click, paymentMethod, now, wallNow: now } as const;
}

export const claim = {
  kind: 'ClaimOrder',
  ...click,
  quote: freeOrder.data.quote,
  now: T1,
  wallNow: T1,
} as const;

export function cancel(
  now: string,
  reason: 'canceled_by_player' | 'replaced' = 'canceled_by_player',
) {
  return { kind: 'CancelOrder', reason, personal: {}, now, wallNow: now } as const;
}

export const decline = {
  reason: 'insufficient_funds',
  declineClass: 'soft',
  rawDeclineCode: '51',
} as const;

/** Settles the payment of an attempt. */
export function settle(
  paymentId: string,
  outcome: 'captured' | typeof decline,
  now: string,
  paymentRevision = 1,
) {
  return { kind: 'SettleOrder', paymentId, paymentRevision, outcome, now } as const;
}

/** The id of the payment that an attempt asks for. */
export function paymentIdIn(events: readonly OrderEvent[] | string): string {
  const found = typeof events === 'string' ? [] : events;
  const attempted = found.find((event) => event.type === 'order.attempted.v1');
  if (attempted?.type !== 'order.attempted.v1') throw new Error('no attempt was made');
  return attempted.data.paymentId;
}
