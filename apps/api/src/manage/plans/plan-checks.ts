import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CommandContexts, FurtherChecks, invalidFields, type WellFormed } from '#nest';
import type { CreatePlanBody, RevisePlanBody } from './plan-body.dto.js';
import { PlanRules } from './plan-rules.js';
import { termsViolations } from './plan-terms.js';

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
