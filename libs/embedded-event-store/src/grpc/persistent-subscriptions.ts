import { status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { CallStatus } from '../failures.js';
import type { Answer, BatchAppendCall, UnaryCall } from './calls.js';
import { service, type Method } from './services.js';

/**
 * Persistent subscriptions are not supported and are refused (rules/protocol 8). They are listed
 * all the same: a client that does not find them among the server's features asks the HTTP
 * interface of an older node instead, and fails on an answer that is not HTTP.
 */
const UNARY_METHODS = [
  'Create',
  'Update',
  'Delete',
  'GetInfo',
  'ReplayParked',
  'List',
  'RestartSubsystem',
] as const;

const SERVICE_NAME = 'event_store.client.persistent_subscriptions.PersistentSubscriptions';

const NOT_HERE: CallStatus = {
  code: status.UNIMPLEMENTED,
  details:
    'The embedded event store has no persistent subscriptions: subscribe to a stream or to $all ' +
    'and keep the checkpoint, or use an EventStoreDB node.',
};

const unaryMethods: Record<string, Method> = Object.fromEntries(
  UNARY_METHODS.map((name) => [name, { name, requestStream: false, responseStream: false }]),
);

export const PERSISTENT_SUBSCRIPTIONS_SERVICE = service(SERVICE_NAME, {
  ...unaryMethods,
  Read: { name: 'Read', requestStream: true, responseStream: true },
});

/** Refuses every method at once with UNIMPLEMENTED. */
export function persistentSubscriptionHandlers(): UntypedServiceImplementation {
  const refuse = (_call: UnaryCall, answer: Answer): void => answer(NOT_HERE);
  const refuseDuplex = (call: BatchAppendCall): void => {
    // grpc-js reads code, details and metadata of the emitted error.
    call.emit('error', NOT_HERE as unknown as Error);
  };
  return {
    ...Object.fromEntries(UNARY_METHODS.map((name) => [name, refuse])),
    Read: refuseDuplex,
  };
}

/** The methods with the features that make clients call them instead of the HTTP interface. */
export const PERSISTENT_SUBSCRIPTION_FEATURES = [...UNARY_METHODS, 'Read'].map(
  (name) => [SERVICE_NAME.toLowerCase(), name.toLowerCase(), ['stream', 'all']] as const,
);
