import { Module } from '@nestjs/common';
import { AccessTokensController } from './access-tokens.controller.js';
import { IssueAccessTokenHandler } from './commands/issue-access-token.js';

@Module({ controllers: [AccessTokensController], providers: [IssueAccessTokenHandler] })
export class AccessTokensModule {}
