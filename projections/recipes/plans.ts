import { type Plan, planAggregate } from '#domain/plan';
import type { StreamRecipe } from '#projection-engine/define';
import { byAggregate } from './by-aggregate.js';
import { idBehindTime, inOrderOfTime } from './in-order-of-time.js';

/** A plan as the domain has it, in the lists of its app and segment by status, and under its code (rules/api 17). */
export const planRecipe: StreamRecipe<Plan> = {
  ...byAggregate(planAggregate),
  render: (id, plan) => {
    if (plan.status === 'none') return { state: plan, entries: [] };
    const { appId, segmentId, status, code } = plan;
    const lists = [
      ['app', appId, status] as const,
      ['segment', appId, segmentId, status] as const,
      ['code', appId, segmentId, code] as const,
    ];
    return { state: plan, entries: lists.map((list) => inOrderOfTime(list, plan.createdAt, id)) };
  },
  findId: (_, member) => idBehindTime(member),
};
