import type { Aggregate } from '../decider/index.js';
import { type PlanCommand, planDecider, type PlanRejection } from './plan.decide.js';
import type { PlanEvent } from './plan.events.js';
import type { Plan } from './plan.state.js';

export * from './plan-code.js';
export * from './plan.decide.js';
export * from './plan.events.js';
export * from './plan.state.js';

export const planAggregate: Aggregate<Plan, PlanCommand, PlanEvent, PlanRejection> = {
  category: 'plan',
  decider: planDecider,
};
