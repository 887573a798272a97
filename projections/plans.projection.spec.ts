import { describe, expect, it } from 'vitest';
import type { PlanEvent } from '#domain/plan';
import { NO_BOUNDS } from '#domain/player-plans';
import { plans } from './plans.projection.js';
import { listed, projected } from './spec-support/recorded.js';

const CREATED = '2026-01-31T10:00:00.000Z';
const created: PlanEvent = {
  type: 'plan.created.v1',
  data: {
    planId: 'id',
    appId: 'app_1',
    segmentId: 'vip',
    code: 'gold',
    name: 'Gold',
    description: '',
    billingPeriod: { unit: 'month', value: 1 },
    prices: [{ amountMinor: '999', currency: 'USD' }],
    trial: null,
    benefitsJson: '{}',
    ...NO_BOUNDS,
    availableFrom: null,
    availableUntil: null,
    createdAt: CREATED,
  },
};
const archived: PlanEvent = { type: 'plan.archived.v1', data: { changedAt: CREATED } };
const revised: PlanEvent = {
  type: 'plan.revised.v1',
  data: { name: 'Golden', revisedAt: '2026-02-01T10:00:00.000Z' },
};

describe('the read model of plans', () => {
  it('is listed by status and segment, and found by its code', () => {
    expect(listed(plans, [created])).toEqual([
      `app/app_1/active ${CREATED} id`,
      `segment/app_1/vip/active ${CREATED} id`,
      `code/app_1/vip/gold ${CREATED} id`,
    ]);
  });

  it('moves to the list of its new status, and is still found by its code', () => {
    const lines = listed(plans, [created, archived]);
    expect(lines).toContain(`segment/app_1/vip/archived ${CREATED} id`);
    expect(lines).toContain(`code/app_1/vip/gold ${CREATED} id`);
    expect(lines.join()).not.toContain('active');
  });

  it('shows what was revised, in the same lists', () => {
    expect(projected(plans, [created, revised])).toMatchObject({ name: 'Golden', code: 'gold' });
    expect(listed(plans, [created, revised])).toEqual(listed(plans, [created]));
  });

  it('has no plan that was abandoned before it was created', () => {
    const abandoned: PlanEvent = { type: 'plan.abandoned.v1', data: { abandonedAt: CREATED } };
    expect(plans.eventTypes).toContain(abandoned.type);
    expect(listed(plans, [abandoned])).toEqual([]);
  });

  it('knows no event of plan codes, which are another category', () => {
    expect(plans.eventTypes.some((type) => type.startsWith('plan_code.'))).toBe(false);
  });
});
