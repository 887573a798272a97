import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { financeAggregate } from '#domain/finance';
import { describeClose } from '#finance';
import { answer, type CommandContext, commandWith, Ledger } from '#nest';
import type { CloseDto } from '../close.dto.js';
import { requirePeriod } from '../require-period.js';

/** A second person closes a month as it was asked for (rules/finance 31). */
export class ApproveClose extends commandWith<
  { period: string; reason: string; context: CommandContext },
  CloseDto
>() {}

@CommandHandler(ApproveClose)
export class ApproveCloseHandler implements ICommandHandler<ApproveClose> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ period: text, reason, context }: ApproveClose): Promise<CloseDto> {
    const period = requirePeriod(text);
    const { appId, actor: by } = context;
    const command = { kind: 'ApproveClose', period, by, reason } as const;
    const result = await this.ledger.execute(financeAggregate, appId, command, context);
    return answer({ period, ...describeClose(period, result.state) }, result);
  }
}
