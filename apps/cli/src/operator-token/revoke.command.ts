import { Option, SubCommand } from 'nest-commander';
import { ALL_APPS, chooseRegister } from '#domain/operator-tokens';
import { createCommandExecutor } from '#event-store';
import { revokeOperatorToken } from '#tenancy';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { refusal } from './outcome.js';

interface RevokeOptions extends StoreCommandOptions {
  readonly app?: string;
}

@SubCommand({
  name: 'revoke',
  arguments: '<id>',
  description: 'revoke a token; it is refused everywhere within about a second',
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

  @Option({
    flags: '--app <appId>',
    description: 'the app that the token is for; without it, one for several apps or all',
  })
  parseApp(value: string): string {
    return value;
  }
}
