import { Option, SubCommand } from 'nest-commander';
import { ALL_APPS, chooseRegister, unexpired } from '#domain/operator-tokens';
import { createCommandExecutor } from '#event-store';
import { wallClock } from '#platform';
import { registersIn } from '#tenancy';
import { print, table } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

interface ListOptions extends StoreCommandOptions {
  readonly app?: string;
}

@SubCommand({
  name: 'list',
  description: 'list the tokens that have not expired, without the tokens themselves',
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

  @Option({
    flags: '--app <appId>',
    description: 'tokens for this app alone; without it, those for several apps or all',
  })
  parseApp(value: string): string {
    return value;
  }
}
