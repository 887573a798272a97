import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type AppCaller, Caller, PostOk } from '#nest';
import { Allow } from '../auth/allow.decorator.js';
import { AccessTokenDto, IssueAccessTokenBody } from './access-token.dto.js';
import { IssueAccessToken, IssueAccessTokenHandler } from './commands/issue-access-token.js';

/** The use cases behind the endpoints; the module provides them. */
export const ACCESS_TOKEN_HANDLERS = [IssueAccessTokenHandler];

@ApiTags('access tokens')
@Allow('app')
@Controller('sdk/server/access-tokens')
export class AccessTokensController {
  constructor(private readonly commands: CommandBus) {}

  /** Issues a player's access token, signed with the app's own key (rules/api 11). */
  @PostOk()
  issue(@Caller() caller: AppCaller, @Body() body: IssueAccessTokenBody): Promise<AccessTokenDto> {
    return this.commands.execute(new IssueAccessToken({ caller, wanted: body }));
  }
}
