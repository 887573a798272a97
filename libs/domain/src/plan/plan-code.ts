import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import type { DomainEvent } from '../event/index.js';

/**
 * A plan's code is unique within a segment by a stream of its own, not by a read model (decision 0003).
 * The reservation comes before the plan: a crash between the two leaves a code that points at no
 * plan, which the next one to ask for the code takes over once that plan is abandoned for good.
 */
export type PlanCodeReserved = DomainEvent<
  'plan_code.reserved.v1',
  {
    readonly appId: string;
    readonly segmentId: string;
    readonly code: string;
    readonly planId: string;
  }
>;

export type PlanCode =
  { readonly status: 'free' } | { readonly status: 'reserved'; readonly planId: string };

export interface ReservePlanCode {
  readonly kind: 'ReservePlanCode';
  readonly reservation: PlanCodeReserved['data'];
  /** The holder whose plan was abandoned (`AbandonPlan`): from it the code may be taken over. */
  readonly abandonedPlanId?: string;
}

export interface PlanCodeRejection extends AnyRejection {
  readonly code: 'plan/code_taken';
}

/** The id of the reservation stream; code and segment hold no `/`. */
export function planCodeId(appId: string, segmentId: string, code: string): string {
  return `${appId}/${segmentId}/${code}`;
}

function decide(
  command: ReservePlanCode,
  state: PlanCode,
): Decision<PlanCodeReserved, PlanCodeRejection> {
  const { reservation, abandonedPlanId } = command;
  if (state.status === 'reserved') {
    if (state.planId === reservation.planId) return accept();
    if (state.planId !== abandonedPlanId) return reject('plan/code_taken', state.planId);
  }
  return accept({ type: 'plan_code.reserved.v1', data: reservation });
}

export const planCodeAggregate = defineAggregate('plan_code', {
  initialState: { status: 'free' },
  evolve: (_state: PlanCode, { data }: PlanCodeReserved): PlanCode => ({
    status: 'reserved',
    planId: data.planId,
  }),
  decide,
});
