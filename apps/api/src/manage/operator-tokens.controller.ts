import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type OperatorToken,
  type OperatorTokenCommand,
  operatorTokensAggregate,
  type RevokedOperatorToken,
  unexpired,
} from '#domain/operator-tokens';
import type { CommandExecutor, CommandContext } from '#event-store';
import { CLOCK, COMMAND_EXECUTOR, CommandContexts, setCommandHeaders } from '#nest';
import type { Clock } from '#platform';
import { newOperatorToken, type OperatorTokens } from '#tenancy';
import { Callers } from '../auth/callers.decorator.js';
import { AdminsOnly } from '../auth/operator-scope.js';
import { RunCommand } from '../commands/run-command.js';
import { pageOf } from '../http/page.js';
import { PageQuery } from '../http/page.dto.js';
import type { PageTokens } from '../http/page-token.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { OPERATOR_TOKENS, PAGE_TOKENS } from '../tokens.js';
import {
  IssuedOperatorTokenDto,
  IssueOperatorTokenBody,
  OperatorTokenDto,
  OperatorTokenListDto,
} from './operator-token.dto.js';

/** Tokens for this app alone: those for several apps or all are the command line's (rules/operators 3). */
@ApiTags('management: operators')
@Callers('operator')
@Controller('manage/apps/:appId')
export class OperatorTokensController {
  constructor(
    private readonly bus: CommandBus,
    private readonly contexts: CommandContexts,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
    @Inject(OPERATOR_TOKENS) private readonly tokens: OperatorTokens,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Lists the tokens of this app's operators that have not expired, oldest first. */
  @Get('operators')
  async list(
    @Param('appId') appId: string,
    @Query() query: PageQuery,
  ): Promise<OperatorTokenListDto> {
    await this.contexts.appOf(appId);
    const { state } = await this.commands.load(operatorTokensAggregate, appId);
    const { live, revoked } = unexpired(state, this.clock.now());
    const byId = ({ id }: OperatorTokenDto) => id;
    const sorted = [...live, ...revoked]
      .map(renderToken)
      .sort((a, b) => (byId(a) < byId(b) ? -1 : 1));
    const list = JSON.stringify(['operators', appId]);
    const { items, nextPageToken } = pageOf(sorted, byId, query, list, this.pageTokens);
    return { operators: items, nextPageToken };
  }

  /** Issues a token for this app; it is shown in this answer and never again. */
  @Post('operator-tokens')
  @AdminsOnly()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @AnswersWith('ETag', 'x-consistency-token')
  async issue(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Body() { roles, expiresInSeconds }: IssueOperatorTokenBody,
  ): Promise<IssuedOperatorTokenDto> {
    const context = await this.contexts.withoutIdempotency(request, appId);
    const wanted = { roles: [...new Set(roles)], apps: [appId], issuedBy: context.actor };
    const token = newOperatorToken(wanted, expiresInSeconds);
    await this.run(reply, appId, { kind: 'IssueOperatorToken', token }, context);
    const { tokenId, expiresAt } = token;
    return { id: tokenId, token: await this.tokens.sign(token), expiresAt };
  }

  /** Revokes a token: at once here, within about a second everywhere else. */
  @Delete('operator-tokens/:id')
  @AdminsOnly()
  @HttpCode(204)
  @AnswersWith('ETag', 'x-consistency-token')
  async revoke(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('appId') appId: string,
    @Param('id') tokenId: string,
  ): Promise<void> {
    const context = await this.contexts.withoutIdempotency(request, appId);
    const [revokedBy, now] = [context.actor, this.clock.now()];
    await this.run(reply, appId, { kind: 'RevokeOperatorToken', tokenId, revokedBy, now }, context);
  }

  private async run(
    reply: FastifyReply,
    appId: string,
    command: OperatorTokenCommand,
    context: CommandContext,
  ): Promise<void> {
    const options = { what: 'operator token' };
    const run = new RunCommand(operatorTokensAggregate, appId, command, context, options);
    try {
      setCommandHeaders(reply, await this.bus.execute(run));
    } finally {
      // Also where the outcome is not known: it may be in the store.
      this.tokens.forget(appId);
    }
  }
}

function renderToken(token: OperatorToken | RevokedOperatorToken): OperatorTokenDto {
  const { tokenId, name, roles, issuedBy, issuedAt, expiresAt } = token;
  const revokedAt = 'revokedAt' in token ? token.revokedAt : '';
  return {
    id: tokenId,
    name,
    roles: [...roles],
    issuedBy,
    createdAt: issuedAt,
    expiresAt,
    revokedAt,
  };
}
