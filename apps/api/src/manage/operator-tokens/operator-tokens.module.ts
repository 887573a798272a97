import { Module } from '@nestjs/common';
import { OperatorTokenRegister } from './commands/operator-tokens.js';
import { OPERATOR_TOKEN_HANDLERS, OperatorTokensController } from './operator-tokens.controller.js';

@Module({
  controllers: [OperatorTokensController],
  providers: [OperatorTokenRegister, ...OPERATOR_TOKEN_HANDLERS],
})
export class OperatorTokensModule {}
