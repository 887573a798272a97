import { type DynamicModule, Module } from '@nestjs/common';
import type { Lease } from '#projection-engine';
import { workerKeys } from '#worker-state';
import { BillingClockModule } from '../billing-clock/billing-clock.module.js';
import { PendingPayments } from '../billing-clock/pending-payments.js';
import { Scheduler } from '../billing-clock/scheduler.js';
import type { WorkerConnections } from '../connections.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { BacklogReader } from '../delivery/plan/backlog-reader.js';
import { FeedModule } from '../feed/feed.module.js';
import { DailyReconciliation } from '../payments/daily-reconciliation.js';
import { GatewaySweep } from '../payments/gateway-sweep.js';
import { LostCharges } from '../payments/lost-charges.js';
import { LostRefunds } from '../payments/lost-refunds.js';
import { PaymentJobsModule } from '../payments/payment-jobs.module.js';
import { ProcessesModule } from '../processes/processes.module.js';
import { ClockAdvanceModule } from '../test-clock/clock-advance.module.js';
import { TestClockDriver } from '../test-clock/test-clock-driver.js';
import {
  APPS,
  CHALLENGE_ADDRESSES,
  CLOCK,
  CLOCKS,
  COMMANDS,
  CONFIG,
  EGRESS,
  EVENT_STORE,
  BOOKS,
  GATEWAYS,
  PERSONAL_DATA,
  JOB_CONNECTIONS,
  KEYS,
  LEASE,
  LOG,
  LOOPS,
  NAMESPACE,
  PARTITIONS,
  READ_MODELS,
  REDIS,
  STOREFRONT_URL,
  TAX_RATES,
} from '../tokens.js';
import { EndpointMetrics } from './endpoint-metrics.js';
import { JobRunners, type PartitionLoop, PartitionLoops } from './partition-loops.js';
import { TimeIndexWriter } from './time-index-writer.js';

const loops = {
  provide: LOOPS,
  useFactory: (...all: PartitionLoop[]) => all,
  inject: [
    ...[Scheduler, TestClockDriver, BacklogReader, GatewaySweep, LostCharges, LostRefunds],
    ...[PendingPayments, DailyReconciliation, TimeIndexWriter],
  ],
};

/** The shared providers of a partition's modules: the process's connections, and its own lease. */
@Module({})
class PartitionConnectionsModule {
  static with(connections: WorkerConnections, lease: Lease): DynamicModule {
    const { redis, workers } = connections;
    const { partition } = lease;
    const keys = workerKeys(connections.namespace.layoutId, partition);
    const provided = [
      { provide: CONFIG, useValue: connections.config },
      { provide: LOG, useValue: connections.log },
      { provide: CLOCK, useValue: connections.clock },
      { provide: EGRESS, useValue: connections.egress },
      { provide: EVENT_STORE, useValue: connections.store },
      { provide: NAMESPACE, useValue: connections.namespace },
      { provide: PARTITIONS, useValue: connections.partitions },
      { provide: COMMANDS, useValue: connections.commands },
      { provide: READ_MODELS, useValue: connections.readModels },
      { provide: APPS, useValue: connections.apps },
      { provide: TAX_RATES, useValue: connections.taxRates },
      { provide: CLOCKS, useValue: connections.clocks },
      { provide: PERSONAL_DATA, useValue: connections.personalData },
      { provide: CHALLENGE_ADDRESSES, useValue: connections.challengeAddresses },
      { provide: GATEWAYS, useValue: connections.gateways },
      { provide: BOOKS, useValue: connections.books },
      { provide: STOREFRONT_URL, useValue: connections.config.storefrontUrl },
      { provide: REDIS, useValue: redis },
      { provide: JOB_CONNECTIONS, useValue: { redis, workers, partition, prefix: keys.prefix } },
      { provide: LEASE, useValue: lease },
      { provide: KEYS, useValue: keys },
    ];
    return {
      module: PartitionConnectionsModule,
      global: true,
      providers: provided,
      exports: provided,
    };
  }
}

/**
 * All that is done for one partition, as an application of its own (decision 0009): its classes know of no
 * other partition. The connections are the process's, and outlive it.
 */
@Module({})
export class PartitionModule {
  static with(connections: WorkerConnections, lease: Lease): DynamicModule {
    return {
      module: PartitionModule,
      imports: [
        PartitionConnectionsModule.with(connections, lease),
        FeedModule,
        PaymentJobsModule,
        ProcessesModule,
        DeliveryModule,
        BillingClockModule,
        ClockAdvanceModule,
      ],
      providers: [EndpointMetrics, JobRunners, loops, PartitionLoops, TimeIndexWriter],
    };
  }
}
