import { Body, Controller, Header, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { appCallerOf, CommandContexts } from '#nest';
import type { AccessTokens } from '#tenancy';
import { Callers } from '../auth/callers.decorator.js';
import { ACCESS_TOKENS } from '../tokens.js';
import { AccessTokenDto, IssueAccessTokenBody } from './access-token.dto.js';

@ApiTags('access tokens')
@Callers('app')
@Controller('sdk/server/access-tokens')
export class AccessTokensController {
  constructor(
    @Inject(ACCESS_TOKENS) private readonly accessTokens: AccessTokens,
    private readonly contexts: CommandContexts,
  ) {}

  /** Issues a player's access token, signed with the app's own key (rules/api 11). */
  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async issue(
    @Req() request: FastifyRequest,
    @Body() body: IssueAccessTokenBody,
  ): Promise<AccessTokenDto> {
    const app = await this.contexts.appOf(appCallerOf(request).appId);
    return this.accessTokens.issue(app, body.externalAccountId, body.expiresInSeconds);
  }
}
