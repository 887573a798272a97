import { Module } from '@nestjs/common';
import { TestClockProgress } from './test-clock.handlers.js';
import { TEST_CLOCK_HANDLERS, TestClockController } from './test-clock.controller.js';

@Module({
  controllers: [TestClockController],
  providers: [TestClockProgress, ...TEST_CLOCK_HANDLERS],
})
export class TestClockModule {}
