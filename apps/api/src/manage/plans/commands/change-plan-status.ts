import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlanStatus } from '#domain/plan';
import { type CommandContext, Ledger } from '#nest';
import type { PlanDto } from '../../../plans/plan.dto.js';
import { executeOnPlan } from './plan-answer.js';

/** Puts a plan on sale, or takes it out of sale; those who have it keep it (rules/api 17). */
export class ChangePlanStatus extends Command<PlanDto> {
  constructor(
    readonly id: string,
    readonly to: PlanStatus,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ChangePlanStatus)
export class ChangePlanStatusHandler implements ICommandHandler<ChangePlanStatus> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ id, to, context }: ChangePlanStatus): Promise<PlanDto> {
    const command = { kind: 'ChangePlanStatus', to, now: context.now } as const;
    return executeOnPlan(this.ledger, id, command, context);
  }
}
