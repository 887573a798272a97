import { expect, it } from 'vitest';
import { type CreatedOrder, orderAggregate } from '#domain/order';
import type { AppCaller } from '#nest';
import type { ReadModels } from '#projection-engine';
import type { PersonalData } from '#tenancy';
import { created } from '../../../../../libs/domain/src/order/spec-support/orders.js';
import { GetOrder, GetOrderHandler } from './get-order.js';

const { initialState, evolve } = orderAggregate.decider;
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
// The first event makes it.
const order = evolve(initialState, created()) as CreatedOrder;
// The query looks at no more of its caller.
const caller = { kind: 'app', appId: order.appId } as AppCaller;

/** The read model of orders, which shows the next state each time; that of payments shows a refund already. */
function create(states: readonly Partial<CreatedOrder>[]) {
  const left = [...states];
  const looks = { count: 0 };
  const payment = { status: 'PARTIALLY_REFUNDED', totalRefunded: usd('400') };
  const byId = async (id: string) => {
    if (id === 'pay_1') return { revision: 4, state: payment };
    looks.count += 1;
    const state = left.length > 1 ? left.shift() : left[0];
    return { revision: looks.count, state: { ...order, paidBy: 'pay_1', ...state } };
  };
  const readModels = { ask: () => ({ byId }) } as unknown as ReadModels;
  const personal = { open: async () => order.personal } as unknown as PersonalData;
  const { signal } = new AbortController();
  const handler = new GetOrderHandler(readModels, personal, signal);
  return { handler, looks };
}

const soon = () => performance.now() + 5_000;
const before = { status: 'PAID', totalRefunded: usd('0') } as const;
const after = { status: 'PARTIALLY_REFUNDED', totalRefunded: usd('400') } as const;

it('an order that is read with a token waits until it has noted the refund of its payment', async () => {
  const { handler, looks } = create([before, before, after]);
  const read = await handler.execute(new GetOrder({ id: 'ord_1', caller, waitUntil: soon() }));
  expect(JSON.stringify(read)).toContain('PARTIALLY_REFUNDED');
  expect(looks.count).toBe(3);
});

it('an order that is read without a token is answered at once', async () => {
  const { handler, looks } = create([before, after]);
  await handler.execute(new GetOrder({ id: 'ord_1', caller }));
  expect(looks.count).toBe(1);
});

it('an order that has not noted its payment in time is unavailable', async () => {
  const { handler } = create([before]);
  const reading = handler.execute(
    new GetOrder({ id: 'ord_1', caller, waitUntil: performance.now() }),
  );
  await expect(reading).rejects.toMatchObject({ code: 'unavailable', retryable: true });
});
