import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandContext, invalidFields, Ledger } from '#nest';
import type { PlanDto } from '../../../plans/plan.dto.js';
import type { RevisePlanBody } from '../plan-body.dto.js';
import { periodViolations, planChanges } from '../plan-terms.js';
import { executeOnPlan } from './plan-answer.js';

/** Changes fields of a plan; running subscriptions keep their terms (rules/lifecycle 7). */
export class RevisePlan extends Command<PlanDto> {
  constructor(
    readonly id: string,
    readonly changes: RevisePlanBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RevisePlan)
export class RevisePlanHandler implements ICommandHandler<RevisePlan> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ id, changes: body, context }: RevisePlan): Promise<PlanDto> {
    const violations = periodViolations(body);
    if (violations.length > 0) throw invalidFields(violations);
    const changes = planChanges(body);
    const command = { kind: 'RevisePlan', changes, now: context.now } as const;
    return executeOnPlan(this.ledger, id, command, context);
  }
}
