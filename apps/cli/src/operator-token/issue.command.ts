import process from 'node:process';
import { Option, SubCommand } from 'nest-commander';
import { createSeal, readConfig, variables } from '#platform';
import { createOperatorTokens, OPERATOR_ROLES, type OperatorRole } from '#tenancy';
import { CliCommand } from '../cli-command.js';
import { countOption } from '../arguments.js';
import { CliError, EXIT_USAGE } from '../cli-error.js';
import { print } from '../output.js';

/** A token is for a piece of work, not for good: it cannot be taken back. */
const MAX_HOURS = 24 * 366;

interface IssueOptions {
  readonly name: string;
  readonly role: string;
  readonly apps: string;
  readonly hours: number;
  readonly json?: boolean;
}

@SubCommand({
  name: 'issue',
  description: 'issue a token; needs MASTER_KEY, since who holds it may issue any',
})
export class IssueOperatorToken extends CliCommand {
  async run(_arguments: string[], options: IssueOptions): Promise<void> {
    const { name, hours } = options;
    const { masterKey } = readConfig(process.env, { masterKey: variables.masterKey });
    const operator = { name, role: roleOf(options.role), apps: appsOf(options.apps) };
    const tokens = createOperatorTokens(createSeal(masterKey));
    const token = await tokens.issue(operator, hours * 3600);
    const expiresAt = new Date(Date.now() + hours * 3_600_000).toISOString();
    print(options.json, { token, ...operator, expiresAt }, token);
  }

  @Option({
    flags: '--name <name>',
    description: 'who it is for; facts will say so',
    required: true,
  })
  parseName(value: string): string {
    if (/^[\w.@-]{1,64}$/.test(value)) return value;
    throw new CliError('--name must be 1 to 64 letters, digits or . _ @ -', EXIT_USAGE);
  }

  @Option({
    flags: '--role <role>',
    description: `what they may do: ${OPERATOR_ROLES.join(', ')}`,
    required: true,
  })
  parseRole(value: string): string {
    return roleOf(value);
  }

  @Option({ flags: '--apps <appIds>', description: 'comma-separated; * for all', required: true })
  parseApps(value: string): string {
    return value;
  }

  @Option({ flags: '--hours <hours>', description: 'how long it is valid', defaultValue: 24 })
  parseHours(value: string): number {
    const hours = countOption('hours', value);
    if (hours <= MAX_HOURS) return hours;
    throw new CliError(`--hours must be at most ${MAX_HOURS}.`, EXIT_USAGE);
  }

  @Option({ flags: '--json', description: 'print JSON' })
  parseJson(): boolean {
    return true;
  }
}

function roleOf(text: string): OperatorRole {
  const role = OPERATOR_ROLES.find((known) => known === text);
  if (role !== undefined) return role;
  throw new CliError(`--role must be one of ${OPERATOR_ROLES.join(', ')}.`, EXIT_USAGE);
}

function appsOf(text: string): string[] {
  const apps = text.split(',').map((app) => app.trim());
  if (apps.every((app) => app === '*' || app.startsWith('app_'))) return apps;
  throw new CliError(
    '--apps must be ids such as app_01..., separated by commas, or *.',
    EXIT_USAGE,
  );
}
