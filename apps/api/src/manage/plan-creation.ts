import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { Position } from '#domain/event';
import {
  calendarViolations,
  type CreatedPlan,
  planAggregate,
  planCodeAggregate,
  planCodeId,
} from '#domain/plan';
import type { CommandExecutor, CommandContext } from '#event-store';
import { COMMAND_EXECUTOR, invalidFields, rejected } from '#nest';
import { assertDefect } from '#platform';
import { type Creation, Creations } from '../commands/creations.js';
import { RunCommand } from '../commands/run-command.js';
import type { CreatePlanBody } from './plan-body.dto.js';
import { planTerms } from './plan-terms.js';

export interface PlanAsCreated {
  readonly state: CreatedPlan;
  readonly revision: number;
  readonly position: Position | null;
}

/**
 * Two events in two streams make a plan: its code is reserved, then it is created. A crash between the
 * two leaves a code that points at no plan; whoever asks for the code next abandons that plan in its
 * holder's stead and takes the code over (decision 0003).
 */
@Injectable()
export class PlanCreation {
  constructor(
    private readonly bus: CommandBus,
    private readonly creations: Creations,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
  ) {}

  /** @throws ApiError 6 PLAN_CODE_TAKEN when a plan of the segment has the code. */
  async create(
    appId: string,
    segmentId: string,
    body: CreatePlanBody,
    keyed: CommandContext,
    reply: FastifyReply,
  ): Promise<PlanAsCreated> {
    const terms = planTerms(body);
    const violations = calendarViolations(terms, keyed.now);
    if (violations.length > 0) throw invalidFields(violations);
    const creation =
      (await this.creations.repeated('plan', keyed, reply)) ??
      (await this.beginUnlessTaken(
        planCodeId(appId, segmentId, body.code),
        body.code,
        keyed,
        reply,
      ));
    const { id: planId, at, context, isRepeated } = creation;
    if (!isRepeated || !(await this.exists(planId))) {
      await this.reserve({ appId, segmentId, code: body.code, planId }, context);
      const plan = { planId, appId, segmentId, code: body.code, createdAt: at, ...terms };
      const command = { kind: 'CreatePlan', plan } as const;
      await this.bus.execute(
        new RunCommand(planAggregate, planId, command, context, { what: 'plan' }),
      );
    }
    // A repeated request is answered as the first one was, whatever has changed since.
    const loaded = await this.commands.load(planAggregate, planId, { toRevision: 0 });
    assertDefect(loaded.state.status !== 'none', 'a plan that was created just now');
    return { ...loaded, state: loaded.state };
  }

  /**
   * A code that is taken is refused before the key of the request is: refusals leave it free
   * (rules/http 7). Two requests at once may both pass; the code then goes to one of them.
   */
  private async beginUnlessTaken(
    codeId: string,
    code: string,
    keyed: CommandContext,
    reply: FastifyReply,
  ): Promise<Creation> {
    const { state } = await this.commands.load(planCodeAggregate, codeId);
    if (state.status === 'reserved' && (await this.exists(state.planId))) {
      throw rejected({ code: 'plan/code_taken', detail: code });
    }
    return this.creations.begin('plan', keyed, reply);
  }

  private async reserve(
    reservation: { appId: string; segmentId: string; code: string; planId: string },
    context: CommandContext,
  ): Promise<void> {
    const id = planCodeId(reservation.appId, reservation.segmentId, reservation.code);
    const reserve = { kind: 'ReservePlanCode', reservation } as const;
    const first = await this.commands.execute(planCodeAggregate, id, reserve, context);
    if (first.accepted) return;
    const { state } = await this.commands.load(planCodeAggregate, id);
    const holder = state.status === 'reserved' ? state.planId : undefined;
    if (holder === undefined) throw rejected({ code: 'plan/code_taken', detail: reservation.code });
    // The holder may be slow and not dead: its plan is closed first, so that only one can be created.
    const abandon = { kind: 'AbandonPlan', now: context.now } as const;
    await this.bus.execute(
      new RunCommand(planAggregate, holder, abandon, context, { what: 'plan' }),
    );
    const takeOver = { ...reserve, abandonedPlanId: holder };
    await this.bus.execute(
      new RunCommand(planCodeAggregate, id, takeOver, context, { what: 'plan code' }),
    );
  }

  private async exists(planId: string): Promise<boolean> {
    const { state } = await this.commands.load(planAggregate, planId);
    return state.status !== 'none';
  }
}
