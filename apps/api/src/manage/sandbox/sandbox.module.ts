import { Module } from '@nestjs/common';
import { EndsByDispute } from './ends-by-dispute.js';
import { SandboxDisputes } from './commands/sandbox-disputes.js';
import { SANDBOX_HANDLERS, SandboxController } from './sandbox.controller.js';

@Module({
  controllers: [SandboxController],
  providers: [SandboxDisputes, EndsByDispute, ...SANDBOX_HANDLERS],
})
export class SandboxModule {}
