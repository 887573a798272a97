import { Injectable } from '@nestjs/common';
import { type OperatorTokenCommand, operatorTokensAggregate } from '#domain/operator-tokens';
import { type CommandContext, Ledger } from '#nest';

/** Changes the register of an app's tokens, by which each request of an operator is judged (rules/operators 3). */
@Injectable()
export class OperatorTokenRegister {
  constructor(private readonly ledger: Ledger) {}

  /** @throws ApiError for every rejection. */
  async execute(command: OperatorTokenCommand, context: CommandContext) {
    return this.ledger.execute(operatorTokensAggregate, context.appId, command, context);
  }

  /** Whether a token of an app was revoked, as far back as its register tells. */
  async hasRevoked(appId: string, tokenId: string): Promise<boolean> {
    const { state } = await this.ledger.load(operatorTokensAggregate, appId);
    return state.revoked.some((token) => token.tokenId === tokenId);
  }
}
