import process from 'node:process';
import { SubCommand } from 'nest-commander';
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
import { Options } from '../options.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { ListOperatorTokens, refusal, RevokeOperatorToken } from './tokens.commands.js';

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
@Options({
  '--name <name>': ['who it is for; events will say so', parseName, { required: true }],
  '--role <roles>': [
    `their rights: ${OPERATOR_ROLES.join(', ')}; several with commas`,
    (value) => [...new Set(value.split(',').map(parseRole))],
    { required: true },
  ],
  '--apps <appIds>': ['comma-separated; * for all', parseApps, { required: true }],
  '--hours <hours>': [
    `how long it is valid, at most ${MAX_HOURS}`,
    parseHours,
    { defaultValue: DEFAULT_OPERATOR_TOKEN_SECONDS / SECONDS_PER_HOUR },
  ],
})
class IssueOperatorToken extends StoreCommand {
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
}

function parseName(value: string): string {
  if (/^[\w.@-]{1,64}$/.test(value)) return value;
  throw new CliError('--name must be 1 to 64 letters, digits or . _ @ -', 'usage');
}

function parseApps(value: string): string[] {
  const apps = [...new Set(value.split(',').map((app) => app.trim()))];
  if (apps.includes(ALL_APPS) && apps.length === 1) return apps;
  if (apps.every((app) => /^app_[0-9a-z]+$/.test(app))) return apps;
  throw new CliError('--apps must be ids such as app_01..., separated by commas, or *.', 'usage');
}

function parseHours(value: string): number {
  const hours = wholeNumber(value, '--hours');
  if (hours <= MAX_HOURS) return hours;
  throw new CliError(`--hours must be at most ${MAX_HOURS}.`, 'usage');
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

export const commands = [IssueOperatorToken, ListOperatorTokens, RevokeOperatorToken];
