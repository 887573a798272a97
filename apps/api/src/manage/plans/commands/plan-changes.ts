import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Plan, planAggregate, type PlanCommand, type PlanStatus } from '#domain/plan';
import { answer, type CommandContext, commandWith, invalidFields, Ledger } from '#nest';
import { assertDefect } from '#platform';
import { renderPlan } from '#representations';
import type { PlanDto } from '../../../plans/plan.dto.js';
import type { RevisePlanBody } from '../plan-body.dto.js';
import { periodViolations, planChanges } from '../plan-terms.js';

/** Runs a command on a plan of the context's app; another app's is not found. @returns the plan after it. */
async function executeOnPlan(
  ledger: Ledger,
  id: string,
  command: PlanCommand,
  context: CommandContext,
): Promise<PlanDto> {
  const { appId } = context;
  const mayAct = (plan: Plan) => plan.status !== 'none' && plan.appId === appId;
  const options = { mayAct };
  const result = await ledger.execute(planAggregate, id, command, context, options);
  assertDefect(result.state.status !== 'none', 'a command accepted by no plan');
  return answer(renderPlan(result.state), result);
}

/** Puts a plan on sale, or takes it out of sale; those who have it keep it (rules/api 17). */
export class ChangePlanStatus extends commandWith<
  { id: string; to: PlanStatus; context: CommandContext },
  PlanDto
>() {}

@CommandHandler(ChangePlanStatus)
export class ChangePlanStatusHandler implements ICommandHandler<ChangePlanStatus> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ id, to, context }: ChangePlanStatus): Promise<PlanDto> {
    const command = { kind: 'ChangePlanStatus', to, now: context.now } as const;
    return executeOnPlan(this.ledger, id, command, context);
  }
}

/** Changes fields of a plan; running subscriptions keep their terms (rules/lifecycle 7). */
export class RevisePlan extends commandWith<
  { id: string; changes: RevisePlanBody; context: CommandContext },
  PlanDto
>() {}

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
