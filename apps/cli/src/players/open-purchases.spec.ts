import { expect, it } from 'vitest';
import { orderAggregate } from '#domain/order';
import { paymentAggregate } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import { findOpen } from './open-purchases.js';

type Commands = Parameters<typeof findOpen>[0];
type Purchases = Parameters<typeof findOpen>[1];

/** The open purchases of one subscription in this state, and of payments. */
function readOpen(
  subscription: object,
  payments: Readonly<Record<string, object>> = {},
  order: object = { status: 'none' },
) {
  const states: Record<string, object> = { sub_1: subscription, ord_1: order, ...payments };
  const load = async (_: unknown, id: string) => ({ state: states[id] });
  const list = ({ category }: { readonly category: string }) => {
    if (category === subscriptionAggregate.category) return ['sub_1'];
    if (category === orderAggregate.category) return ['ord_1'];
    return category === paymentAggregate.category ? Object.keys(payments) : [];
  };
  return findOpen({ load } as unknown as Commands, { list } as Purchases);
}

const EXPIRED = { status: 'expired', pendingCharge: null, pendingChange: null };

it('is nothing where all has ended', async () => {
  expect(await readOpen(EXPIRED, { pay_1: { status: 'CAPTURED' } })).toEqual([]);
});

it('is a charge that was asked for, also of a subscription that has ended, and is named once', async () => {
  const asked = { ...EXPIRED, pendingCharge: { paymentId: 'pay_1' } };
  const pending = { kind: 'payment', id: 'pay_1', status: 'PENDING' };
  // Its own stream may not be there yet.
  expect(await readOpen(asked)).toEqual([pending]);
  expect(await readOpen(asked, { pay_1: { status: 'PENDING' } })).toEqual([pending]);
});

it('is an order that was not paid, and each attempt of it without an outcome', async () => {
  const attempt = { paymentId: 'pay_1', decline: null, capturedAt: null };
  const pending = { kind: 'payment', id: 'pay_1', status: 'PENDING' };
  const open = (order: object) => readOpen(EXPIRED, {}, order);
  const ordered = { kind: 'order', id: 'ord_1', status: 'OPEN' };
  expect(await open({ status: 'OPEN', attempts: [] })).toEqual([ordered]);
  expect(await open({ status: 'OPEN', attempts: [attempt] })).toEqual([ordered, pending]);
  // One that was replaced is open, too, whatever its order is by now.
  expect(await open({ status: 'PAID', attempts: [attempt] })).toEqual([pending]);
  expect(await open({ status: 'CANCELED', attempts: [] })).toEqual([]);
});
