import { SubCommand } from 'nest-commander';
import { financeAggregate } from '#domain/finance';
import { CommandGroup } from '../cli-command.js';
import { readText } from '../files.js';
import { keepText, Options } from '../options.js';
import { print, table } from '../output.js';
import { REASON } from '../reason.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';
import { readPolicy } from './policy-file.js';
import { toRejected } from './refused.js';

interface SetOptions extends FinanceOptions {
  readonly from: string;
  readonly reason: string;
}

type PolicyState = (typeof financeAggregate.decider)['initialState'];

@SubCommand({
  name: 'set',
  arguments: '<file>',
  description:
    'set the zone of days and periods, how items are earned and whether two people close, from an open period on',
})
@Options({
  '--from <day>': ['the first day of an open period, 2026-01-01', keepText, { required: true }],
  '--reason <text>': REASON,
})
class SetPolicy extends FinanceCommand {
  async run([file = '']: string[], options: SetOptions): Promise<void> {
    const policy = readPolicy(readText(file), file);
    const { from, reason } = options;
    await this.withApp(options, async ({ appId, commands, context }) => {
      const command = { kind: 'SetPolicy', ...policy, from, reason } as const;
      const result = await commands.execute(financeAggregate, appId, command, context);
      if (!result.accepted) throw toRejected(result.rejection);
      const isChanged = result.events.length > 0;
      const text = isChanged ? `The policy holds from ${from} on.` : 'It is so already.';
      print(options.json, { appId, from, ...policy, isChanged }, text);
    });
  }
}

@SubCommand({
  name: 'show',
  description: 'the policies of the app, and the periods that are closed',
})
class ShowPolicy extends FinanceCommand {
  async run(_: string[], options: FinanceOptions): Promise<void> {
    await this.withApp(options, async ({ appId, commands }) => {
      const { state } = await commands.load(financeAggregate, appId);
      const { policies, closed, request, accepted } = state;
      print(options.json, { appId, policies, closed, request, accepted }, describe(state));
    });
  }
}

function describe({ policies, closed, request }: PolicyState): string {
  const rows = policies.map(({ from, zone, itemClasses, approval }) => [
    from,
    zone,
    approval ? 'two people' : 'one person',
    itemClasses.map(({ name, lifeDays }) => `${name}: ${lifeDays ?? 'at once'}`).join(', '),
  ]);
  const last = closed.at(-1);
  return [
    rows.length === 0
      ? 'No policy is set: days of UTC, items earned at once, one person closes.'
      : table(['FROM', 'ZONE', 'CLOSED BY', 'ITEMS (DAYS)'], rows),
    last === undefined ? 'No period is closed.' : `Closed up to ${last.period}.`,
    ...(request === null
      ? []
      : [
          `The close of ${request.period}, asked for by ${request.requestedBy}, waits for a second person.`,
        ]),
  ].join('\n');
}

@SubCommand({
  name: 'policy',
  description: "how an app's money is accounted for",
  subCommands: [SetPolicy, ShowPolicy],
})
export class PolicyCommands extends CommandGroup {}

export const POLICY_COMMANDS = [SetPolicy, ShowPolicy];
