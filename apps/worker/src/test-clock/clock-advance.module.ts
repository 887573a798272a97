import { Module } from '@nestjs/common';
import { BillingClockModule } from '../billing-clock/billing-clock.module.js';
import { FeedModule } from '../feed/feed.module.js';
import { ClockParts } from './clock-parts.js';
import { Settlements } from './settlements.js';
import { TestClockCharges } from './test-clock-charges.js';
import { TestClockCommands } from './test-clock-commands.js';
import { TestClockConductor, TestClockDriver } from './test-clock-driver.js';
import { TestClockSteps } from './test-clock-steps.js';

/** Moves the clocks of test apps to their targets (rules/lifecycle 9). */
@Module({
  imports: [BillingClockModule, FeedModule],
  providers: [
    ...[ClockParts, Settlements, TestClockCharges, TestClockCommands],
    ...[TestClockConductor, TestClockDriver, TestClockSteps],
  ],
  exports: [TestClockDriver],
})
export class ClockAdvanceModule {}
