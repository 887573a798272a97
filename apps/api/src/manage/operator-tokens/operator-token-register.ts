import { Inject, Injectable } from '@nestjs/common';
import { type OperatorTokenCommand, operatorTokensAggregate } from '#domain/operator-tokens';
import { type CommandContext, Ledger } from '#nest';
import type { OperatorTokens } from '#tenancy';
import { OPERATOR_TOKENS } from '../../tokens.js';

/** Changes the register of an app's tokens: at once here, within about a second everywhere else. */
@Injectable()
export class OperatorTokenRegister {
  constructor(
    private readonly ledger: Ledger,
    @Inject(OPERATOR_TOKENS) private readonly tokens: OperatorTokens,
  ) {}

  /** @throws ApiError for every rejection. */
  async execute(command: OperatorTokenCommand, context: CommandContext) {
    const { appId } = context;
    const options = { what: 'operator token' };
    try {
      return await this.ledger.execute(operatorTokensAggregate, appId, command, context, options);
    } finally {
      // Also where the outcome is not known: it may be in the store.
      this.tokens.forget(appId);
    }
  }

  /** Whether a token of an app was revoked, as far back as its register tells. */
  async hasRevoked(appId: string, tokenId: string): Promise<boolean> {
    const { state } = await this.ledger.load(operatorTokensAggregate, appId);
    return state.revoked.some((token) => token.tokenId === tokenId);
  }
}
