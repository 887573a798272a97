import type { ServiceDefinition } from '@grpc/grpc-js';

/**
 * The services that are offered. Methods that are not listed here are answered with UNIMPLEMENTED
 * by grpc-js. Messages are left as bytes (see `calls.ts`).
 */
export const STREAMS_SERVICE = service('event_store.client.streams.Streams', {
  read: { name: 'Read', requestStream: false, responseStream: true },
  append: { name: 'Append', requestStream: true, responseStream: false },
  delete: { name: 'Delete', requestStream: false, responseStream: false },
  tombstone: { name: 'Tombstone', requestStream: false, responseStream: false },
  batchAppend: { name: 'BatchAppend', requestStream: true, responseStream: true },
});

/**
 * What an EventStoreDB node tells callers without credentials: its identity and its features. Its
 * clients ask for both without credentials. What they ask with is empty, so nothing of it is read:
 * grpc-js shows a call to its handler before its messages where these are a stream, which looks the
 * same on the wire.
 */
const UNREAD = { requestStream: true, responseStream: false } as const;

export const GOSSIP_SERVICE = service('event_store.client.gossip.Gossip', {
  read: { name: 'Read', ...UNREAD },
});

export const SERVER_FEATURES_SERVICE = service(
  'event_store.client.server_features.ServerFeatures',
  { getSupportedMethods: { name: 'GetSupportedMethods', ...UNREAD } },
);

const OPEN_METHODS: ReadonlySet<string> = new Set(
  [GOSSIP_SERVICE, SERVER_FEATURES_SERVICE].flatMap((offered) =>
    Object.values(offered).map(({ path }) => path),
  ),
);

/**
 * Whether a method, such as `/package.Service/Method`, is served to callers without credentials.
 */
export function isOpenMethod(path: string): boolean {
  return OPEN_METHODS.has(path);
}

export interface Method {
  readonly name: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
}

/** A service whose messages are left as bytes. */
export function service(name: string, methods: Record<string, Method>): ServiceDefinition {
  const definitions = Object.entries(methods).map(([key, method]) => [
    key,
    {
      path: `/${name}/${method.name}`,
      originalName: key,
      requestStream: method.requestStream,
      responseStream: method.responseStream,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  ]);
  return Object.fromEntries(definitions) as ServiceDefinition;
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}
