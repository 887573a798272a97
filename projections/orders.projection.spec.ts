import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { created } from '../libs/domain/src/order/spec-support/orders.js';
import { orders } from './orders.projection.js';

describe('the orders of a player', () => {
  it('are in the player’s list from the first event on, and stay there', () => {
    // Only type and data of an event are looked at.
    const order = orders.project(orders.initialState, created() as unknown as RecordedEvent);
    expect(orders.indexes('ord_1', order, 0).map(({ index }) => index)).toEqual([
      ['player', 'app_1', '5f00'],
    ]);
    const paid = { type: 'order.paid.v1', data: { paymentId: 'pay_1', attempt: 1, paidAt: 'x' } };
    const after = orders.project(order, paid as unknown as RecordedEvent);
    expect(after).toMatchObject({ status: 'PAID', paidBy: 'pay_1' });
    expect(orders.indexes('ord_1', after, 1)).toEqual(orders.indexes('ord_1', order, 0));
  });

  it('are none of a stream that tells of none', () => {
    expect(orders.indexes('ord_1', orders.initialState, 0)).toEqual([]);
  });
});
