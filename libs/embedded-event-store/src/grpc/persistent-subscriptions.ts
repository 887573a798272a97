import type { CallStatus } from '../failures.js';
import type { CallHandler } from './grpc-server.js';
import { service } from './services.js';
import { GrpcCode } from './status.js';

/**
 * Persistent subscriptions are not supported and are refused (rules/protocol 9). They are listed
 * all the same: a client that does not find them among the server's features asks the HTTP
 * interface of an older node instead, and fails on an answer that is not HTTP.
 */
const METHODS = [
  'Create',
  'Update',
  'Delete',
  'GetInfo',
  'ReplayParked',
  'List',
  'RestartSubsystem',
  'Read',
] as const;

const SERVICE_NAME = 'event_store.client.persistent_subscriptions.PersistentSubscriptions';

const NOT_HERE: CallStatus = {
  code: GrpcCode.UNIMPLEMENTED,
  details:
    'The embedded event store has no persistent subscriptions: subscribe to a stream or to $all ' +
    'and keep the checkpoint, or use an EventStoreDB node.',
};

export const PERSISTENT_SUBSCRIPTIONS_SERVICE = service(
  SERVICE_NAME,
  Object.fromEntries(METHODS.map((name) => [name, name])),
);

/** Refuses every method at once with UNIMPLEMENTED. */
export const persistentSubscriptionHandlers: Readonly<Record<string, CallHandler>> =
  Object.fromEntries(METHODS.map((name) => [name, (call) => call.fail(NOT_HERE)]));

/** The methods with the features that make clients call them instead of the HTTP interface. */
export const PERSISTENT_SUBSCRIPTION_FEATURES = METHODS.map(
  (name) => [SERVICE_NAME.toLowerCase(), name.toLowerCase(), ['stream', 'all']] as const,
);
