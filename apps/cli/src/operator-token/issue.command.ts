import process from 'node:process';
import { Option, SubCommand } from 'nest-commander';
import {
  ALL_APPS,
  OPERATOR_ROLES,
  type OperatorRole,
  chooseRegister,
} from '#domain/operator-tokens';
import { createCommandExecutor } from '#event-store';
import { createSeal } from '#platform';
import {
  DEFAULT_OPERATOR_TOKEN_SECONDS,
  issueOperatorToken,
  MAX_OPERATOR_TOKEN_SECONDS,
} from '#tenancy';
import { wholeNumber } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { refusal } from './tokens.commands.js';

const SECONDS_PER_HOUR = 3600;
const MAX_HOURS = MAX_OPERATOR_TOKEN_SECONDS / SECONDS_PER_HOUR;

interface IssueOptions extends StoreCommandOptions {
  readonly name: string;
  readonly role: readonly OperatorRole[];
  readonly apps: readonly string[];
  readonly hours: number;
}

@SubCommand({
  name: 'issue',
  description: 'issue a token; needs MASTER_KEY and the event store, or --data-dir',
})
export class IssueOperatorToken extends StoreCommand {
  async run(_arguments: string[], options: IssueOptions): Promise<void> {
    const { name, role: roles, apps, hours } = options;
    const seal = createSeal(this.masterKeys(options));
    const wanted = { name, roles, apps, issuedBy: 'cli' };
    const issue = { wanted, lifetimeSeconds: hours * SECONDS_PER_HOUR };
    const result = await this.withStore(options, (store) =>
      issueOperatorToken(createCommandExecutor(store), seal, issue),
    );
    if (!result.accepted) throw refusal(result.rejection);
    const { token, issued } = result;
    const { tokenId: id, expiresAt } = issued;
    if (options.json !== true) process.stderr.write(revocationHint(id, apps, expiresAt));
    print(options.json, { id, token, name, roles, apps, expiresAt }, token);
  }

  @Option({
    flags: '--name <name>',
    description: 'who it is for; events will say so',
    required: true,
  })
  parseName(value: string): string {
    if (/^[\w.@-]{1,64}$/.test(value)) return value;
    throw new CliError('--name must be 1 to 64 letters, digits or . _ @ -', 'usage');
  }

  @Option({
    flags: '--role <roles>',
    description: `their rights: ${OPERATOR_ROLES.join(', ')}; several with commas`,
    required: true,
  })
  parseRole(value: string): OperatorRole[] {
    return [...new Set(value.split(',').map(parseRole))];
  }

  @Option({ flags: '--apps <appIds>', description: 'comma-separated; * for all', required: true })
  parseApps(value: string): string[] {
    const apps = [...new Set(value.split(',').map((app) => app.trim()))];
    if (apps.includes(ALL_APPS) && apps.length === 1) return apps;
    if (apps.every((app) => /^app_[0-9a-z]+$/.test(app))) return apps;
    throw new CliError('--apps must be ids such as app_01..., separated by commas, or *.', 'usage');
  }

  @Option({
    flags: '--hours <hours>',
    description: `how long it is valid, at most ${MAX_HOURS}`,
    defaultValue: DEFAULT_OPERATOR_TOKEN_SECONDS / SECONDS_PER_HOUR,
  })
  parseHours(value: string): number {
    const hours = wholeNumber(value, '--hours');
    if (hours <= MAX_HOURS) return hours;
    throw new CliError(`--hours must be at most ${MAX_HOURS}.`, 'usage');
  }
}

function parseRole(text: string): OperatorRole {
  const role = OPERATOR_ROLES.find((known) => known === text.trim());
  if (role !== undefined) return role;
  throw new CliError(`--role must be of ${OPERATOR_ROLES.join(', ')}.`, 'usage');
}

/** On stderr, since the token alone is the output: scripts take it into a variable. */
function revocationHint(id: string, apps: readonly string[], expiresAt: string): string {
  const [app = ''] = apps;
  const where = chooseRegister(apps) === app ? ` --app ${app}` : '';
  return `${id} expires at ${expiresAt}. To revoke it: subledger operator-token revoke ${id}${where}\n`;
}
