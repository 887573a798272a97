import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { subscriptionAggregate } from '#domain/subscription';
import {
  CommandContexts,
  FurtherChecks,
  invalidFields,
  Ledger,
  listBadFields,
  type WellFormed,
} from '#nest';
import type { CreateChangeLinkBody } from './change-link.dto.js';
import { changeLinkViolations } from './change-link-rules.js';
import { WantedPlans } from './commands/wanted-plans.js';

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
