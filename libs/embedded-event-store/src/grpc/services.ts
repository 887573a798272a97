import type { Call } from './call.js';
import type { CallHandler } from './grpc-server.js';
import { GrpcCode, toCallStatus } from './status.js';
import { type CallStatus, InvalidArgument } from '../failures.js';

/** The methods of a service: their paths, by the names that handlers go by. */
export type Service<Key extends string = string> = Readonly<Record<Key, { readonly path: string }>>;

export const STREAMS_SERVICE = service('event_store.client.streams.Streams', {
  read: 'Read',
  append: 'Append',
  delete: 'Delete',
  tombstone: 'Tombstone',
  batchAppend: 'BatchAppend',
});

/**
 * The answers of an EventStoreDB node to callers without credentials: its identity and its features. Its clients ask
 * for both without credentials. Their requests are empty, so nothing of them is read.
 */
export const GOSSIP_SERVICE = service('event_store.client.gossip.Gossip', { read: 'Read' });

export const SERVER_FEATURES_SERVICE = service(
  'event_store.client.server_features.ServerFeatures',
  { getSupportedMethods: 'GetSupportedMethods' },
);

const OPEN_METHODS: ReadonlySet<string> = new Set(
  [GOSSIP_SERVICE, SERVER_FEATURES_SERVICE].flatMap((offered) =>
    Object.values<{ path: string }>(offered).map(({ path }) => path),
  ),
);

/**
 * Whether a method, such as `/package.Service/Method`, is served to callers without credentials.
 */
export function isOpenMethod(path: string): boolean {
  return OPEN_METHODS.has(path);
}

export function service<Key extends string>(
  name: string,
  methods: Readonly<Record<Key, string>>,
): Service<Key> {
  const paths = Object.entries<string>(methods).map(([key, method]) => [
    key,
    { path: `/${name}/${method}` },
  ]);
  // Of the entries of `methods`: its keys are theirs.
  return Object.fromEntries(paths) as Service<Key>;
}

/** The handler of each method of a service, by its path. */
export function serve<Key extends string>(
  offered: Service<Key>,
  handlers: Readonly<Record<Key, CallHandler>>,
): [path: string, handler: CallHandler][] {
  return Object.entries<{ path: string }>(offered).map(([key, { path }]) => [
    path,
    handlers[key as Key],
  ]);
}

const ONE_REQUEST: CallStatus = {
  code: GrpcCode.UNIMPLEMENTED,
  details: 'This method takes one request.',
};

/** A method that takes one message. An error of the handler becomes the status of the call. */
export function withRequest(
  handler: (call: Call, request: Buffer) => void | Promise<void>,
): CallHandler {
  return (call) => {
    let request: Buffer | undefined;
    call.onMessage = (message) => {
      if (request) call.fail(ONE_REQUEST);
      request = message;
    };
    call.onEnd = () => void run();

    async function run(): Promise<void> {
      try {
        if (!request) throw new InvalidArgument('A request is needed.');
        await handler(call, request);
      } catch (error) {
        call.fail(toCallStatus(error));
      }
    }
  };
}
