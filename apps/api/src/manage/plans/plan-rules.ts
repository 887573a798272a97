import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DEFAULT_SEGMENT } from '#domain/app';
import { calendarViolations } from '#domain/plan';
import {
  type CommandContext,
  CommandContexts,
  type FieldViolation,
  FurtherChecks,
  invalidFields,
  type WellFormed,
} from '#nest';
import type { CreatePlanBody, RevisePlanBody } from './plan-body.dto.js';
import { planChanges, termsViolations } from './plan-terms.js';

/** Rules for a new plan that depend on several fields, on its app or on the time (rules/api 17). */
@Injectable()
export class PlanRules {
  constructor(private readonly contexts: CommandContexts) {}

  async listViolations(
    body: WellFormed<CreatePlanBody>,
    { appId, now }: Pick<CommandContext, 'appId' | 'now'>,
  ): Promise<readonly FieldViolation[]> {
    const { segmentId = DEFAULT_SEGMENT } = body;
    const isSegment = await this.contexts.hasSegment(appId, segmentId);
    const { prices: _prices, ...others } = body;
    const { billingPeriod = null, trial = null } = planChanges(others);
    return [
      ...(isSegment ? [] : [{ field: 'segmentId', description: 'is no segment of the app' }]),
      ...termsViolations(body),
      ...calendarViolations({ billingPeriod, trial }, now),
    ];
  }
}

/** The errors in a new plan beside its bad fields (rules/api 12). */
@Injectable()
export class NewPlanChecks extends FurtherChecks<CreatePlanBody> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly rules: PlanRules,
  ) {
    super();
  }

  protected async check(body: WellFormed<CreatePlanBody>, request: FastifyRequest): Promise<void> {
    const context = await this.contexts.ofRequest(request);
    throw invalidFields(await this.rules.listViolations(body, context));
  }
}

/** The errors in changed terms beside their bad fields (rules/api 12). */
@Injectable()
export class PlanChecks extends FurtherChecks<RevisePlanBody> {
  protected check(body: WellFormed<RevisePlanBody>): void {
    throw invalidFields(termsViolations(body));
  }
}
