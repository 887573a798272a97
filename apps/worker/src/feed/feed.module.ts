import { Module } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { CommandExecutor, EventStore } from '#event-store';
import { type Log, wallClock } from '#platform';
import type { AppDirectory } from '#tenancy';
import type { PaymentJobData } from '../processes/payments/payment-jobs.js';
import { PaymentsModule } from '../processes/payments/payments.module.js';
import type { WorkerKeys } from '../redis/keys.js';
import { APPS, COMMANDS, EVENT_STORE, KEYS, LOG, PAYMENT_QUEUE, REDIS } from '../tokens.js';
import { Outbox } from '../delivery/outbox.js';
import { WebhooksModule } from '../delivery/delivery.module.js';
import { Checkpoint } from './checkpoint.js';
import { Effects } from '../processes/step-executor.js';
import { StateAtRevisionCache } from './state-at-revision-cache.js';
import { MarkWriter } from './checkpoint-backup.js';
import { Notices } from './progress-notifier.js';
import { ParkedStreams } from './parked-streams.js';
import { Reactor } from './reactor.js';
import { Recovery } from './recovery.js';

/** From events to jobs and commands (architecture, "Life of an event"). */
@Module({
  imports: [PaymentsModule, WebhooksModule],
  providers: [
    {
      provide: Effects,
      useFactory: (
        commands: CommandExecutor,
        apps: AppDirectory,
        queue: Queue<PaymentJobData>,
        redis: Redis,
        keys: WorkerKeys,
      ) => new Effects({ commands, apps, queue, redis, keys }),
      inject: [COMMANDS, APPS, PAYMENT_QUEUE, REDIS, KEYS],
    },
    {
      provide: Reactor,
      useFactory: createReactor,
      inject: [...[EVENT_STORE, COMMANDS, APPS, Outbox], ...[Effects, Notices, REDIS, KEYS, LOG]],
    },
    {
      provide: MarkWriter,
      useFactory: (store: EventStore, redis: Redis, keys: WorkerKeys, reactor: Reactor, log: Log) =>
        new MarkWriter({
          store,
          redis,
          keys,
          clock: wallClock,
          lastEventAt: () => reactor.lastEventAt,
          log,
        }),
      inject: [EVENT_STORE, REDIS, KEYS, Reactor, LOG],
    },
  ],
  exports: [Reactor, MarkWriter],
})
export class ReactorModule {}

function createReactor(
  store: EventStore,
  commands: CommandExecutor,
  apps: AppDirectory,
  outbox: Outbox,
  effects: Effects,
  notices: Notices,
  redis: Redis,
  keys: WorkerKeys,
  log: Log,
): Reactor {
  const checkpoint = new Checkpoint(redis, keys);
  const parked = new ParkedStreams(redis, keys.parked, log);
  const context = {
    commands,
    streams: new StateAtRevisionCache(commands),
    findApp: (appId: string) => apps.find(appId),
  };
  const { renewals } = notices;
  const recovery = new Recovery({
    ...{ store, context, outbox, checkpoint, parked },
    ...{ renewals, redis, keys, log },
  });
  return new Reactor({
    ...{ store, apps, context, outbox },
    ...{ effects, notices, checkpoint, parked, recovery, log },
  });
}
