import { Module } from '@nestjs/common';
import { SandboxDisputes } from './sandbox-disputes.js';
import { SANDBOX_HANDLERS, SandboxController } from './sandbox.controller.js';

@Module({ controllers: [SandboxController], providers: [SandboxDisputes, ...SANDBOX_HANDLERS] })
export class SandboxModule {}
