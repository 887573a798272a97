import { EndpointFailures, SharedTokens, type WorkerKeys } from '#worker-state';
import { type CommandExecutor, type Partitions, StatesAtRevision } from '#event-store';
import type { Log } from '#platform';
import type { Redis } from '#redis';
import type { PersonalData } from '#tenancy';
import { EventReader } from '../feed/event-reader.js';
import { STATES_KEPT } from '../limits.js';
import { COMMANDS, KEYS, LOG, PARTITIONS, PERSONAL_DATA, REDIS } from '../tokens.js';
import { RetryQueue } from '../jobs/retry-queue.js';
import { RetryWorker } from '../jobs/retry-worker.js';
import { EndpointHealth } from './limit/endpoint-health.js';
import { EndpointLimiter } from './limit/endpoint-limiter.js';
import { DeliveryConsumer } from './plan/delivery-consumer.js';
import { InFlightLimit } from './plan/in-flight-limit.js';
import { BacklogIntake } from './plan/backlog-intake.js';
import { BacklogReader } from './plan/backlog-reader.js';
import { DeliveryIntake } from './queue/delivery-intake.js';
import { DeliveryOutcomes } from './queue/delivery-outcomes.js';
import { DeliveryRunner } from './queue/delivery-runner.js';
import { DeliverySettlement } from './queue/delivery-settlement.js';
import { DeliveryUpkeep } from './queue/delivery-upkeep.js';
import { EndpointQueues } from './queue/endpoint-queue.js';
import { DeliveryAct } from './send/delivery-act.js';
import { DeliveryAttempt } from './send/delivery-attempt.js';
import { DeliveryLogWriter } from './send/delivery-log-writer.js';
import { MessagePlanner } from './send/message-planner.js';
import { OutgoingMessages } from './send/outgoing-messages.js';

/** The shared state of endpoints over all partitions. */
const shared = <State>(type: new (redis: Redis, ledger: WorkerKeys) => State) => ({
  provide: type,
  useFactory: (redis: Redis, keys: WorkerKeys) => new type(redis, keys),
  inject: [REDIS, KEYS],
});

/** Plans messages again, with states of its own. */
const outgoingMessages = {
  provide: OutgoingMessages,
  useFactory: (
    commands: CommandExecutor,
    partitions: Partitions,
    personalData: PersonalData,
    events: EventReader,
    log: Log,
  ) => {
    const states = new StatesAtRevision(commands, Math.ceil(STATES_KEPT / partitions.count));
    const planner = new MessagePlanner(states, personalData);
    return new OutgoingMessages(planner, events, partitions, log);
  },
  inject: [COMMANDS, PARTITIONS, PERSONAL_DATA, EventReader, LOG],
};

/** From an event to every endpoint that subscribes to its messages (rules/webhooks 1 to 6). */
export const DELIVERY_PROVIDERS = [
  ...[DeliveryConsumer, InFlightLimit, BacklogIntake, BacklogReader],
  ...[DeliveryIntake, DeliveryOutcomes, DeliveryRunner, DeliverySettlement, DeliveryUpkeep],
  ...[EndpointQueues, RetryQueue, RetryWorker],
  ...[DeliveryAct, DeliveryAttempt, DeliveryLogWriter, MessagePlanner, outgoingMessages],
  ...[EndpointHealth, EndpointLimiter, shared(EndpointFailures), shared(SharedTokens)],
];
