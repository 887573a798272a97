import { describe, expect, it } from '@jest/globals';
import { nextDueAt, subscriptionAggregate } from '#domain/subscription';
import { dueDates } from './due-dates.projection.js';
import { listed, projected } from './spec-support/recorded.js';
import { created, DUE, expired, requested } from './spec-support/subscription-events.js';

describe('the read model of due dates', () => {
  it('lists what is due among those of all apps, and of a test app by itself, too', () => {
    const score = Date.parse(DUE);
    expect(listed(dueDates, [created])).toEqual([
      `all app_1 id ${score}`,
      `test-app/app_1 app_1 id ${score}`,
    ]);
    const state = projected(dueDates, [created]);
    const live = dueDates.indexes('id', { ...state, environment: 'production' } as typeof state);
    expect(live.map(({ index }) => index)).toEqual([['all']]);
  });

  it('has the end of its grace due while a charge is on its way, which test clocks wait for', () => {
    const score = Date.parse('2026-03-02T10:00:00.000Z');
    const bound = [`all app_1 id ${score}`, `test-app/app_1 app_1 id ${score}`];
    for (const events of [
      [created, requested],
      [created, requested, expired],
    ]) {
      const [asked, ...due] = listed(dueDates, events);
      expect(asked).toMatch(/^pending-in-test-app\/app_1 pay_2 id/);
      expect(due).toEqual(bound);
    }
    const state = projected(dueDates, [created, requested]);
    const live = dueDates.indexes('id', { ...state, environment: 'production' } as typeof state);
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
      expect(nextDueAt(scheduled)).toBe(nextDueAt(events.reduce(evolve, initialState)));
      expect(scheduled).not.toHaveProperty('price');
    }
  });

  it('begins with the beginning', () => {
    expect(projected(dueDates, [expired])).toEqual({ status: 'none' });
  });
});
