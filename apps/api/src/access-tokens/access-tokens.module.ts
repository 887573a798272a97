import { Module } from '@nestjs/common';
import { ACCESS_TOKEN_HANDLERS, AccessTokensController } from './access-tokens.controller.js';

@Module({ controllers: [AccessTokensController], providers: ACCESS_TOKEN_HANDLERS })
export class AccessTokensModule {}
