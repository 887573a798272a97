import { type Plan, planAggregate, type PlanStatus } from '#domain/plan';
import { ANY, byCreation, foldedBy, type IndexName, type Projection } from './projection.js';

export interface PlanFilter {
  readonly status?: PlanStatus | undefined;
  readonly segmentId?: string | undefined;
}

/** The plans of an app. */
export function planList(appId: string, { segmentId, status }: PlanFilter = {}): IndexName {
  return ['plans', appId, segmentId ?? ANY, status ?? ANY];
}

/** The one plan that has this code in this segment. */
export function planWithCode(appId: string, segmentId: string, code: string): IndexName {
  return ['plan-code', appId, segmentId, code];
}

/** Which plans does an app offer, in which state, and under which code? (rules/api 17) */
export const plans: Projection<Plan> = {
  ...foldedBy(planAggregate),
  name: 'plans',
  version: 1,
  indexes: (id, plan) => {
    if (plan.status === 'none') return [];
    const { appId, segmentId, code, status, createdAt } = plan;
    const lists = [
      planList(appId),
      planList(appId, { status }),
      planList(appId, { segmentId }),
      planList(appId, { segmentId, status }),
      planWithCode(appId, segmentId, code),
    ];
    return lists.map((list) => byCreation(list, createdAt, id));
  },
};
