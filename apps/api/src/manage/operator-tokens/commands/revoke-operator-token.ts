import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { answerWithoutBody, CLOCK, type CommandContext } from '#nest';
import type { Clock } from '#platform';
import { OperatorTokenRegister } from '../operator-token-register.js';

/** Revokes a token of an app (rules/operators 3). */
export class RevokeOperatorToken extends Command<undefined> {
  constructor(
    readonly tokenId: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RevokeOperatorToken)
export class RevokeOperatorTokenHandler implements ICommandHandler<RevokeOperatorToken> {
  constructor(
    private readonly register: OperatorTokenRegister,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Clients send a DELETE again by themselves, with the If-Match of the first (rules/api 14). */
  async execute({ tokenId, context }: RevokeOperatorToken): Promise<undefined> {
    const [revokedBy, wallNow] = [context.actor, this.clock.now()];
    const command = { kind: 'RevokeOperatorToken', tokenId, revokedBy, wallNow } as const;
    try {
      // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- no body, but headers
      return answerWithoutBody(await this.register.execute(command, context));
    } catch (error) {
      if (await this.register.hasRevoked(context.appId, tokenId)) return undefined;
      throw error;
    }
  }
}
