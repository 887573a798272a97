import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module.js';
import { ChargesAtBound } from './charges-at-bound.js';
import { DueDateIntake } from './due-date-intake.js';
import { DueDatesUnderWay } from './due-dates-under-way.js';
import { DueDates } from './due-dates.js';
import { PendingCharges } from './pending-charges.js';
import { PendingPayments } from './pending-payments.js';
import { Scheduler } from './scheduler.js';
import { TestAppLooks } from './test-app-looks.js';

/** The work whose time has come (rules/lifecycle 8). */
@Module({
  imports: [FeedModule],
  providers: [
    ...[ChargesAtBound, DueDateIntake, DueDates, DueDatesUnderWay, PendingCharges, PendingPayments],
    ...[Scheduler, TestAppLooks],
  ],
  exports: [DueDates, PendingCharges, PendingPayments, Scheduler],
})
export class BillingClockModule {}
