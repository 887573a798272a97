import { Module } from '@nestjs/common';
import { IssueOperatorTokenHandler } from './commands/issue-operator-token.js';
import { RevokeOperatorTokenHandler } from './commands/revoke-operator-token.js';
import { OperatorTokenRegister } from './operator-token-register.js';
import { OperatorTokensController } from './operator-tokens.controller.js';
import { ListOperatorTokensHandler } from './queries/list-operator-tokens.js';

@Module({
  controllers: [OperatorTokensController],
  providers: [
    OperatorTokenRegister,
    ...[IssueOperatorTokenHandler, RevokeOperatorTokenHandler, ListOperatorTokensHandler],
  ],
})
export class OperatorTokensModule {}
