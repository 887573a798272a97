import { type DynamicModule, Module } from '@nestjs/common';
import type { Lease } from '#projection-engine';
import { workerKeys } from '#worker-state';
import { ChargesAtBound } from '../billing-clock/charges-at-bound.js';
import { DueDateIntake } from '../billing-clock/due-date-intake.js';
import { DueDatesUnderWay } from '../billing-clock/due-dates-under-way.js';
import { DueDates } from '../billing-clock/due-dates.js';
import { PendingCharges } from '../billing-clock/pending-charges.js';
import { PendingPayments } from '../billing-clock/pending-payments.js';
import { Scheduler } from '../billing-clock/scheduler.js';
import { TestAppLooks } from '../billing-clock/test-app-looks.js';
import type { WorkerConnections } from '../connections.js';
import { DELIVERY_PROVIDERS } from '../delivery/delivery.providers.js';
import { BacklogReader } from '../delivery/plan/backlog-reader.js';
import { FEED_PROVIDERS } from '../feed/feed.providers.js';
import { ChargeAtGateway } from '../payments/charge-at-gateway.js';
import { DailyReconciliation, ReconciliationRuns } from '../payments/daily-reconciliation.js';
import { GatewaySweep } from '../payments/gateway-sweep.js';
import { GivenUpCharges } from '../payments/given-up-charges.js';
import { LostCharges } from '../payments/lost-charges.js';
import { LostRefunds } from '../payments/lost-refunds.js';
import { OpenPayments } from '../payments/lost-sweep.js';
import { PaymentCommands } from '../payments/payment-commands.js';
import { PaymentHandler } from '../payments/payment-handler.js';
import { PaymentRunner } from '../payments/payment-runner.js';
import { RefundAtGateway } from '../payments/refund-at-gateway.js';
import { ProcessConsumer } from '../processes/process-consumer.js';
import { ProcessRouter } from '../processes/process-router.js';
import { StepCommands } from '../processes/step-commands.js';
import { StepExecutor } from '../processes/step-executor.js';
import { ClockParts } from '../test-clock/clock-parts.js';
import { TestClockCharges } from '../test-clock/test-clock-charges.js';
import { TestClockCommands } from '../test-clock/test-clock-commands.js';
import { TestClockConductor, TestClockDriver } from '../test-clock/test-clock-driver.js';
import { TestClockSteps } from '../test-clock/test-clock-steps.js';
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

/** Charges and refunds at the gateway. */
const PAYMENTS = [
  ...[ChargeAtGateway, DailyReconciliation, GatewaySweep, GivenUpCharges, LostCharges, LostRefunds],
  ...[OpenPayments, ReconciliationRuns, PaymentCommands, PaymentHandler, PaymentRunner],
  RefundAtGateway,
];
/** Commands, charges and refunds follow from events. */
const PROCESSES = [ProcessConsumer, ProcessRouter, StepCommands, StepExecutor];
/** The work whose time has come (rules/lifecycle 8). */
const BILLING_CLOCK = [
  ...[ChargesAtBound, DueDateIntake, DueDates, DueDatesUnderWay, PendingCharges, PendingPayments],
  ...[Scheduler, TestAppLooks],
];
/** Moves the clocks of test apps to their targets (rules/lifecycle 9). */
const TEST_CLOCK = [
  ...[ClockParts, TestClockCharges, TestClockCommands],
  ...[TestClockConductor, TestClockDriver, TestClockSteps],
];

const loops = {
  provide: LOOPS,
  useFactory: (...all: PartitionLoop[]) => all,
  inject: [
    ...[Scheduler, TestClockDriver, BacklogReader, GatewaySweep, LostCharges, LostRefunds],
    ...[PendingPayments, DailyReconciliation, TimeIndexWriter],
  ],
};

/** The connections of the process, and the partition's own lease. */
function provideConnections(connections: WorkerConnections, lease: Lease) {
  const { redis, workers } = connections;
  const { partition } = lease;
  const keys = workerKeys(connections.namespace.layoutId, partition);
  return [
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
      providers: [
        ...provideConnections(connections, lease),
        ...[...FEED_PROVIDERS, ...PAYMENTS, ...PROCESSES, ...DELIVERY_PROVIDERS],
        ...[...BILLING_CLOCK, ...TEST_CLOCK],
        ...[EndpointMetrics, JobRunners, loops, PartitionLoops, TimeIndexWriter],
      ],
    };
  }
}
