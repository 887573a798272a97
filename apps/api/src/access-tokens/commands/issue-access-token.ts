import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AppCaller, CommandContexts, commandWith } from '#nest';
import type { AccessTokens } from '#tenancy';
import { ACCESS_TOKENS } from '../../tokens.js';
import type { AccessTokenDto, IssueAccessTokenBody } from '../access-token.dto.js';

/** Issues a player's access token, signed with the app's own key: nothing of it is stored. */
export class IssueAccessToken extends commandWith<
  { caller: AppCaller; wanted: IssueAccessTokenBody },
  AccessTokenDto
>() {}

@CommandHandler(IssueAccessToken)
export class IssueAccessTokenHandler implements ICommandHandler<IssueAccessToken> {
  constructor(
    @Inject(ACCESS_TOKENS) private readonly accessTokens: AccessTokens,
    private readonly contexts: CommandContexts,
  ) {}

  async execute({ caller, wanted }: IssueAccessToken): Promise<AccessTokenDto> {
    const app = await this.contexts.requireApp(caller.appId);
    return this.accessTokens.issue(app, wanted.externalAccountId, wanted.expiresInSeconds);
  }
}
