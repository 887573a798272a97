import { Inject, Injectable } from '@nestjs/common';
import { planAggregate, planCodeAggregate, planCodeId } from '#domain/plan';
import type { CommandExecutor } from '#event-store';
import { COMMAND_EXECUTOR, type CommandContext, Ledger, rejected } from '#nest';

/** A code, unique within a segment of an app. */
export interface PlanCode {
  readonly appId: string;
  readonly segmentId: string;
  readonly code: string;
}

/**
 * Reserves the codes of plans. A crash between a reservation and its plan leaves a code that points at no
 * plan: the next request for the code abandons that plan in its holder's stead and takes the code over
 * (decision 0003).
 */
@Injectable()
export class PlanCodes {
  constructor(
    private readonly ledger: Ledger,
    @Inject(COMMAND_EXECUTOR) private readonly executor: CommandExecutor,
  ) {}

  /** @throws ApiError 6 PLAN_CODE_TAKEN when a plan of the segment has the code. */
  async reserve(
    reservation: PlanCode & { readonly planId: string },
    context: CommandContext,
  ): Promise<void> {
    const id = planCodeId(reservation.appId, reservation.segmentId, reservation.code);
    const reserve = { kind: 'ReservePlanCode', reservation } as const;
    const first = await this.executor.execute(planCodeAggregate, id, reserve, context);
    if (first.accepted) return;
    const { state } = await this.ledger.load(planCodeAggregate, id);
    const holder = state.status === 'reserved' ? state.planId : undefined;
    if (holder === undefined) throw rejected({ code: 'plan/code_taken', detail: reservation.code });
    // The holder may be slow and not dead: its plan is closed first, so that only one can be created.
    const abandon = { kind: 'AbandonPlan', now: context.now } as const;
    await this.ledger.execute(planAggregate, holder, abandon, context);
    const takeOver = { ...reserve, abandonedPlanId: holder };
    await this.ledger.execute(planCodeAggregate, id, takeOver, context);
  }

  /** Whether the plan was created. */
  async hasPlan(planId: string): Promise<boolean> {
    const { state } = await this.ledger.load(planAggregate, planId);
    return state.status !== 'none';
  }
}
