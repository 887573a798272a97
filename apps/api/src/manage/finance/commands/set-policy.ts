import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { financeAggregate } from '#domain/finance';
import { answer, type CommandContext, commandWith, Ledger } from '#nest';
import type { FinancePoliciesDto, SetFinancePolicyBody } from '../finance.dto.js';
import { toPolicyCommand } from '../policy-checks.js';
import { renderFinance } from '../queries/show-policies.js';

/** Says how the app's money is accounted for from a day on (rules/finance 30). */
export class SetFinancePolicy extends commandWith<
  { policy: SetFinancePolicyBody; context: CommandContext },
  FinancePoliciesDto
>() {}

@CommandHandler(SetFinancePolicy)
export class SetFinancePolicyHandler implements ICommandHandler<SetFinancePolicy> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ policy, context }: SetFinancePolicy): Promise<FinancePoliciesDto> {
    const command = toPolicyCommand(policy);
    const result = await this.ledger.execute(financeAggregate, context.appId, command, context);
    return answer(renderFinance(result.state), result);
  }
}
