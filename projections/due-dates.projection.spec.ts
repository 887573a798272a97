import { describe, expect, it } from 'vitest';
import type { OrderEvent } from '#domain/order';
import { nextDueAt, subscriptionAggregate } from '#domain/subscription';

import { dueDates } from './due-dates.projection.js';
import {
  created as createdOrder,
  EXPIRES,
  T1,
  T2,
} from '../libs/domain/src/order/spec-support/orders.js';
import { listed, projected } from './spec-support/recorded.js';
import { created, DUE, expired, requested } from './spec-support/subscription-events.js';

describe('the read model of due dates', () => {
  it('lists what is due among those of all apps, and of a test app by itself, too', () => {
    const score = Date.parse(DUE);
    expect(listed(dueDates, [created])).toEqual([
      `all app_1 id 0 ${score}`,
      `test-app/app_1 app_1 id 0 ${score}`,
    ]);
    const state = projected(dueDates, [created]);
    const live = dueDates.indexes('id', { ...state, environment: 'production' } as typeof state, 1);
    expect(live.map(({ index }) => index)).toEqual([['all']]);
  });

  it('has the end of its grace due while a charge is on its way, which test clocks wait for', () => {
    const score = Date.parse('2026-03-02T10:00:00.000Z');
    for (const events of [
      [created, requested],
      [created, requested, expired],
    ]) {
      const last = `app_1 id ${events.length - 1} ${score}`;
      const bound = [`all ${last}`, `test-app/app_1 ${last}`];
      const [asked, ...due] = listed(dueDates, events);
      expect(asked).toMatch(/^pending-in-test-app\/app_1 pay_2 id/);
      expect(due).toEqual(bound);
    }
    const state = projected(dueDates, [created, requested]);
    const live = dueDates.indexes('id', { ...state, environment: 'production' } as typeof state, 1);
    expect(live.map(({ index }) => index)).toEqual([['all']]);
  });

  it('has nothing due after the end', () => {
    expect(listed(dueDates, [created, expired])).toEqual([]);
    expect(listed(dueDates, [])).toEqual([]);
  });

  it('is due when the subscription itself says so, and keeps no more than that takes', () => {
    const { initialState, evolve } = subscriptionAggregate.decider;
    for (const events of [[created], [created, requested], [created, expired]]) {
      const scheduled = projected(dueDates, events);
      if (scheduled.status === 'ordered') throw new Error('a subscription is no order');
      expect(nextDueAt(scheduled)).toBe(nextDueAt(events.reduce(evolve, initialState)));
      expect(scheduled).not.toHaveProperty('price');
    }
  });

  it('begins with the beginning', () => {
    expect(projected(dueDates, [expired])).toEqual({ status: 'none' });
  });
});

/** rules/orders 5 */
describe('the read model of due dates, of an order', () => {
  const ordered = createdOrder();
  const opened: OrderEvent = {
    type: 'order.checkout_opened.v1',
    data: { openedAt: '2027-01-31T10:00:00.000Z' },
  };
  const attempted: OrderEvent = {
    type: 'order.attempted.v1',
    data: {
      ...{ attempt: 1, paymentMethod: 'pm_ok', paymentId: 'pay_1', quote: ordered.data.quote },
      ...{ emailMarketingOptIn: false, personal: {}, attemptedAt: T1, wallAttemptedAt: T1 },
    },
  };
  const paid: OrderEvent = {
    type: 'order.paid.v1',
    data: { paymentId: 'pay_1', paymentRevision: 1, attempt: 1, paidAt: T2 },
  };

  it('has its end due until it is paid, but not while an attempt is on its way', () => {
    const due = (revision: number, at: number) => [
      `all app_1 id ${revision} ${at}`,
      `test-app/app_1 app_1 id ${revision} ${at}`,
    ];
    expect(listed(dueDates, [ordered, opened])).toEqual(due(1, Date.parse(EXPIRES)));
    const asked = `pending-in-test-app/app_1 pay_1 id ${Date.parse(T1)}`;
    const bound = Date.parse(T1) + 86_400_000;
    expect(listed(dueDates, [ordered, opened, attempted])).toEqual([asked, ...due(2, bound)]);
  });

  it('keeps nothing once nothing can be due any more', () => {
    const events = [ordered, opened, attempted, paid];
    expect(listed(dueDates, events)).toEqual([]);
    expect(projected(dueDates, events)).toEqual({ status: 'none' });
    expect(projected(dueDates, [opened])).toEqual({ status: 'none' });
  });
});
