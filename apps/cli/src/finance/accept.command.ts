import { SubCommand } from 'nest-commander';
import { financeAggregate } from '#domain/finance';
import { requireRow } from '#finance';
import { Options } from '../options.js';
import { print } from '../output.js';
import { REASON } from '../reason.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';
import { toRejected } from './refused.js';

interface AcceptOptions extends FinanceOptions {
  readonly reason: string;
}

@SubCommand({
  name: 'accept',
  arguments: '<row>',
  description:
    'take an imported row, or a payment, as it is, although ledger or gateway have it otherwise',
})
@Options({ '--reason <text>': REASON })
export class AcceptDifference extends FinanceCommand {
  async run([row = '']: string[], options: AcceptOptions): Promise<void> {
    const { reason } = options;
    await this.withApp(options, async ({ appId, commands, context }) => {
      await requireRow({ appId, commands }, row);
      const command = { kind: 'AcceptDifference', row, reason, by: context.actor } as const;
      const result = await commands.execute(financeAggregate, appId, command, context);
      if (!result.accepted) throw toRejected(result.rejection);
      const isChanged = result.events.length > 0;
      const text = isChanged ? `${row} is accepted.` : `${row} was accepted before.`;
      print(options.json, { appId, row, isChanged }, text);
    });
  }
}
