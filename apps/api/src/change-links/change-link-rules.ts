import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Environment } from '#domain/event';
import { subscriptionAggregate } from '#domain/subscription';
import {
  CommandContexts,
  type FieldViolation,
  FurtherChecks,
  invalidFields,
  Ledger,
  listBadFields,
  type WellFormed,
} from '#nest';
import { planViolations, returnUrlViolations } from '../checkout-links/link-rules.js';
import type { CreateChangeLinkBody } from './change-link.dto.js';
import { WantedPlans } from './commands/wanted-plans.js';

/** The errors in a wanted change that depend on several fields, or on the app (rules/payments 18). */
export function changeLinkViolations(
  { plan, amountCents, restartPeriod, unusedCredit, returnUrl }: WellFormed<CreateChangeLinkBody>,
  environment: Environment,
  changesPlan = plan !== undefined,
): FieldViolation[] {
  const violations = [...returnUrlViolations(returnUrl, environment), ...planViolations(plan)];
  const description = 'is for a change of the plan';
  if (!changesPlan && amountCents !== undefined) {
    violations.push({ field: 'amountCents', description });
  }
  if (!changesPlan && restartPeriod === true) {
    violations.push({ field: 'restartPeriod', description });
  }
  if (unusedCredit !== undefined && (!changesPlan || amountCents !== undefined)) {
    const ofComputed = 'is for a change of the plan whose difference is computed';
    violations.push({ field: 'unusedCredit', description: ofComputed });
  }
  return violations;
}

/** The errors in a wanted change beside its bad fields (rules/api 12). */
@Injectable()
export class ChangeLinkChecks extends FurtherChecks<CreateChangeLinkBody> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
    private readonly plans: WantedPlans,
  ) {
    super();
  }

  protected async check(
    body: WellFormed<CreateChangeLinkBody>,
    request: FastifyRequest,
  ): Promise<void> {
    const context = await this.contexts.ofRequest(request);
    const { plan } = body;
    // Where the plan is bad itself, the fields that a change of the plan has are in their place.
    const changesPlan = plan !== undefined || isNamedIn(request.body);
    const found = changeLinkViolations(body, context.environment, changesPlan);
    const { id } = request.params as { readonly id: string };
    const ofPlan = await listBadFields(async () => {
      const { state } = await this.ledger.load(subscriptionAggregate, id);
      if (plan === undefined || state.status === 'none' || state.appId !== context.appId) return;
      await this.plans.find({ plan }, state, context);
    });
    throw invalidFields([...found, ...ofPlan]);
  }
}

function isNamedIn(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'plan');
}
