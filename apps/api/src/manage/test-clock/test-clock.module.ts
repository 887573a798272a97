import { Module } from '@nestjs/common';
import { AdvanceTestClockHandler } from './commands/advance-test-clock.js';
import { GetTestClockHandler } from './queries/get-test-clock.js';
import { TestClockProgress } from './test-clock-progress.js';
import { TestClockController } from './test-clock.controller.js';

@Module({
  controllers: [TestClockController],
  providers: [TestClockProgress, AdvanceTestClockHandler, GetTestClockHandler],
})
export class TestClockModule {}
