import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { financeAggregate } from '#domain/finance';
import type { CommandExecutor } from '#event-store';
import { requireRow } from '#finance';
import { answer, COMMAND_EXECUTOR, type CommandContext, commandWith, Ledger } from '#nest';
import { orApiError } from '../finance-errors.js';
import type { AcceptedRowDto } from '../finance.dto.js';

/** Takes an imported row as it is, although ledger or gateway have it otherwise (rules/finance 34). */
export class AcceptRow extends commandWith<
  { row: string; reason: string; context: CommandContext },
  AcceptedRowDto
>() {}

@CommandHandler(AcceptRow)
export class AcceptRowHandler implements ICommandHandler<AcceptRow> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
  ) {}

  async execute({ row, reason, context }: AcceptRow): Promise<AcceptedRowDto> {
    const { appId, actor: by } = context;
    await orApiError(() => requireRow({ appId, commands: this.commands }, row));
    const command = { kind: 'AcceptDifference', row, reason, by } as const;
    const result = await this.ledger.execute(financeAggregate, appId, command, context);
    return answer({ row, isChanged: result.events.length > 0 }, result);
  }
}
