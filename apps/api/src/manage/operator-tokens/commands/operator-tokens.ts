import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type OperatorTokenCommand,
  type OperatorTokenEvent,
  operatorTokensAggregate,
} from '#domain/operator-tokens';
import { answer, answerWithoutBody, CLOCK, type CommandContext, commandWith, Ledger } from '#nest';
import { assertDefect, type Clock } from '#platform';
import { newOperatorToken, type OperatorTokens } from '#tenancy';
import { secretShownAlready } from '../../../commands/creations.js';
import { OPERATOR_TOKENS } from '../../../tokens.js';
import type { IssuedOperatorTokenDto, IssueOperatorTokenBody } from '../operator-token.dto.js';

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

/** Issues a token for this app; it is shown in this answer and never again (rules/operators 3). */
export class IssueOperatorToken extends commandWith<
  { wanted: IssueOperatorTokenBody; context: CommandContext },
  IssuedOperatorTokenDto
>() {}

@CommandHandler(IssueOperatorToken)
export class IssueOperatorTokenHandler implements ICommandHandler<IssueOperatorToken> {
  constructor(
    private readonly register: OperatorTokenRegister,
    @Inject(OPERATOR_TOKENS) private readonly tokens: OperatorTokens,
  ) {}

  async execute({ wanted, context }: IssueOperatorToken): Promise<IssuedOperatorTokenDto> {
    const { appId, actor: issuedBy } = context;
    const identity = { roles: [...new Set(wanted.roles)], apps: [appId], issuedBy };
    const token = newOperatorToken(identity, wanted.expiresInSeconds);
    const command = { kind: 'IssueOperatorToken', token } as const;
    const { ifMatch: _ifMatch, ...keyed } = context;
    const notes = await this.register.execute(command, keyed);
    if (notes.replayed) throw secretShownAlready(findIssued(notes.events));
    const { tokenId, expiresAt } = token;
    return answer({ id: tokenId, token: await this.tokens.sign(token), expiresAt }, notes);
  }
}

function findIssued(events: readonly OperatorTokenEvent[]): string {
  const issued = events.find((event) => event.type === 'operator_token.issued.v1');
  assertDefect(issued !== undefined, 'a token that was issued by no event');
  return issued.data.tokenId;
}

/** Revokes a token of an app (rules/operators 3). */
export class RevokeOperatorToken extends commandWith<
  { tokenId: string; context: CommandContext },
  undefined
>() {}

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
