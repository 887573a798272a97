import { Module } from '@nestjs/common';
import type { CommandExecutor } from '#event-store';
import { type Log, wallClock } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { Notices } from '../feed/progress-notifier.js';
import { APPS, COMMANDS, LOG, READ_MODELS } from '../tokens.js';
import { Scheduler } from './scheduler.js';
import { TestClockDriver } from './test-clock-driver.js';

/** What happens because its time has come (decisions 6). */
@Module({
  providers: [
    {
      provide: Scheduler,
      useFactory: (
        commands: CommandExecutor,
        readModels: ReadModels,
        apps: AppDirectory,
        log: Log,
      ) => new Scheduler({ commands, readModels, apps, log }),
      inject: [COMMANDS, READ_MODELS, APPS, LOG],
    },
    {
      provide: TestClockDriver,
      useFactory: (
        commands: CommandExecutor,
        readModels: ReadModels,
        apps: AppDirectory,
        notices: Notices,
        log: Log,
      ) => new TestClockDriver({ commands, readModels, apps, notices, clock: wallClock, log }),
      inject: [COMMANDS, READ_MODELS, APPS, Notices, LOG],
    },
  ],
  exports: [Scheduler, TestClockDriver],
})
export class ScheduleModule {}
