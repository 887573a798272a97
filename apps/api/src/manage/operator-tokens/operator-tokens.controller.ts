import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, CommandContextShowingSecret, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCommandHeaders, ApiSecretCreationHeaders } from '../../auth/allow.decorator.js';
import { AdminsOnly } from '../../auth/operator-scope.js';
import { PageQuery } from '../../http/page.dto.js';
import {
  IssueOperatorToken,
  IssueOperatorTokenHandler,
  RevokeOperatorToken,
  RevokeOperatorTokenHandler,
} from './commands/operator-tokens.js';
import {
  IssuedOperatorTokenDto,
  IssueOperatorTokenBody,
  OperatorTokenListDto,
} from './operator-token.dto.js';
import { ListOperatorTokens, ListOperatorTokensHandler } from './queries/list-operator-tokens.js';

/** The use cases behind the endpoints; the module provides them. */
export const OPERATOR_TOKEN_HANDLERS = [
  IssueOperatorTokenHandler,
  RevokeOperatorTokenHandler,
  ListOperatorTokensHandler,
];

/** Tokens for this app alone: those for several apps or all are the command line's (rules/operators 3). */
@ApiTags('management: operators')
@Allow('operator')
@Controller('manage/apps/:appId')
export class OperatorTokensController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the tokens of this app's operators that have not expired, oldest first. */
  @Get('operators')
  list(@Param('appId') appId: string, @Query() query: PageQuery): Promise<OperatorTokenListDto> {
    return this.queries.execute(new ListOperatorTokens({ appId, page: query }));
  }

  /** Issues a token for this app; it is shown in this answer and never again. */
  @PostOk('operator-tokens')
  @Refuses('SECRET_SHOWN_ALREADY', 'TOO_MANY_OPERATOR_TOKENS')
  @AdminsOnly()
  @ApiSecretCreationHeaders()
  issue(
    @Body() body: IssueOperatorTokenBody,
    @CommandContextShowingSecret() context: CommandContext,
  ): Promise<IssuedOperatorTokenDto> {
    return this.commands.execute(new IssueOperatorToken({ wanted: body, context }));
  }

  /** Revokes a token: at once here, within about a second everywhere else. One that was revoked before is 204 again. */
  @Delete('operator-tokens/:id')
  @Refuses('OPERATOR_TOKEN_NOT_FOUND')
  @AdminsOnly()
  @HttpCode(204)
  @ApiCommandHeaders()
  revoke(@Param('id') tokenId: string, @CommandContext() context: CommandContext): Promise<void> {
    return this.commands.execute(new RevokeOperatorToken({ tokenId, context }));
  }
}
