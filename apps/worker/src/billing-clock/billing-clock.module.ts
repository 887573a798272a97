import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.js';
import { ChargesAtBound } from './charges-at-bound.js';
import { DueDates } from './due-dates.js';
import { PendingPayments } from './pending-payments.js';
import { PendingCharges } from './pending-charges.js';
import { DueDatesUnderWay } from './due-dates-under-way.js';
import { Scheduler } from './scheduler.js';
import { Settlements } from './settlements.js';
import { TestAppLooks } from './test-app-looks.js';
import { TestClockCharges } from './test-clock-charges.js';
import { TestClockCommands } from './test-clock-commands.js';
import { TestClockDriver } from './test-clock-driver.js';
import { ClockParts } from './clock-parts.js';
import { TestClockConductor } from './test-clock-conductor.js';
import { TestClockSteps } from './test-clock-steps.js';

/** What happens because its time has come (rules/lifecycle 8 and 9). */
@Module({
  imports: [FeedModule],
  providers: [
    ChargesAtBound,
    DueDates,
    PendingPayments,
    PendingCharges,
    DueDatesUnderWay,
    Scheduler,
    Settlements,
    TestAppLooks,
    TestClockCharges,
    TestClockCommands,
    TestClockDriver,
    ClockParts,
    TestClockConductor,
    TestClockSteps,
  ],
  exports: [PendingPayments, Scheduler, TestClockDriver],
})
export class BillingClockModule {}
