import type { Call } from './call.js';
import type { CallHandler } from './grpc-server.js';
import { GrpcCode, toCallStatus } from './status.js';
import { type CallStatus, InvalidArgument } from '../failures.js';

/** The service of streams, before the name of a method. */
export const STREAMS = '/event_store.client.streams.Streams';
export const GOSSIP = '/event_store.client.gossip.Gossip/Read';
export const SUPPORTED_METHODS =
  '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';

/**
 * The answers of an EventStoreDB node to callers without credentials: its identity and its features. Its clients ask
 * for both without credentials. Their requests are empty, so nothing of them is read.
 */
export const OPEN_METHODS: ReadonlySet<string> = new Set([GOSSIP, SUPPORTED_METHODS]);

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
