import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OperatorTokenEvent } from '#domain/operator-tokens';
import { answer, type CommandContext } from '#nest';
import { assertDefect } from '#platform';
import { newOperatorToken, type OperatorTokens } from '#tenancy';
import { secretShownAlready } from '../../../commands/shown-secrets.js';
import { OPERATOR_TOKENS } from '../../../tokens.js';
import type { IssuedOperatorTokenDto, IssueOperatorTokenBody } from '../operator-token.dto.js';
import { OperatorTokenRegister } from '../operator-token-register.js';

/** Issues a token for this app; it is shown in this answer and never again (rules/operators 3). */
export class IssueOperatorToken extends Command<IssuedOperatorTokenDto> {
  constructor(
    readonly wanted: IssueOperatorTokenBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

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
