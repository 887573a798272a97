import { SubCommand } from 'nest-commander';
import { ALL_APPS, chooseRegister, unexpired } from '#domain/operator-tokens';
import { createCommandExecutor } from '#event-store';
import { wallClock } from '#platform';
import { type IssueResult, registersIn, revokeOperatorToken } from '#tenancy';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print, table } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

type Rejection = Extract<IssueResult, { accepted: false }>['rejection'];

/** The sentence for a person when the ledger refuses to issue or revoke a token. */
export function refusal(rejection: Rejection): CliError {
  switch (rejection.code) {
    case 'app/not_found':
      return new CliError(`There is no app ${rejection.detail}.`);
    case 'operator_token/not_found':
      return new CliError(
        'There is no such token that is valid. A token for one app is named with --app.',
      );
    case 'operator_token/too_many':
      return new CliError('There are too many valid tokens for this. Revoke some first.');
    default:
      return new CliError(`The ledger refused: ${rejection.code}.`);
  }
}

interface ListOptions extends StoreCommandOptions {
  readonly app?: string;
}

@SubCommand({
  name: 'list',
  description: 'list the tokens that have not expired, without the tokens themselves',
})
@Options({
  '--app <appId>': 'tokens for this app alone; without it, those for several apps or all',
})
export class ListOperatorTokens extends StoreCommand {
  async run(_arguments: string[], options: ListOptions): Promise<void> {
    const name = chooseRegister([options.app ?? ALL_APPS]);
    const register = await this.withStore(options, (store) =>
      registersIn(createCommandExecutor(store))(name),
    );
    const { live, revoked } = unexpired(register, wallClock.now());
    const tokens = [...live.map((token) => ({ ...token, revokedAt: '' })), ...revoked];
    const rows = tokens.map(({ tokenId, ...token }) => [
      tokenId,
      token.name,
      token.roles.join(','),
      token.apps.join(','),
      token.expiresAt,
      token.revokedAt,
    ]);
    const head = ['id', 'name', 'roles', 'apps', 'expires at', 'revoked at'];
    const text = rows.length === 0 ? 'There are no tokens.' : table(head, rows);
    print(options.json, { operators: tokens }, text);
  }
}

interface RevokeOptions extends StoreCommandOptions {
  readonly app?: string;
}

@SubCommand({
  name: 'revoke',
  arguments: '<id>',
  description: 'revoke a token; it is refused everywhere within about a second',
})
@Options({
  '--app <appId>': 'the app that the token is for; without it, one for several apps or all',
})
export class RevokeOperatorToken extends StoreCommand {
  async run([id = '']: string[], options: RevokeOptions): Promise<void> {
    const register = chooseRegister([options.app ?? ALL_APPS]);
    const rejection = await this.withStore(options, (store) =>
      revokeOperatorToken(createCommandExecutor(store), register, id, 'cli'),
    );
    if (rejection !== undefined) throw refusal(rejection);
    print(options.json, { id, revoked: true }, `${id} is revoked.`);
  }
}
