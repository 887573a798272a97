import { type Plan, planAggregate, type PlanCommand } from '#domain/plan';
import { answer, type CommandContext, type Ledger } from '#nest';
import { assertDefect } from '#platform';
import { renderPlan } from '#representations';
import type { PlanDto } from '../../../plans/plan.dto.js';

/** Runs a command on a plan of the context's app; another app's is not found. @returns the plan after it. */
export async function executeOnPlan(
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
