import { randomUUID } from 'node:crypto';
import {
  Server,
  ServerCredentials,
  type ServerOptions,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { EventLog } from './event-log.js';
import { StartRefused } from './failures.js';
import { appendHandler, deleteHandler } from './grpc/append-call.js';
import { guarded, type ServerAccess } from './grpc/authentication.js';
import { batchAppendHandler } from './grpc/batch-append-call.js';
import type { Answer, UnaryCall } from './grpc/calls.js';
import type { OpenCalls } from './grpc/open-calls.js';
import {
  PERSISTENT_SUBSCRIPTIONS_SERVICE,
  persistentSubscriptionHandlers,
} from './grpc/persistent-subscriptions.js';
import { readHandler } from './grpc/read-call.js';
import { encodeClusterInfo, encodeSupportedMethods } from './grpc/server-info.js';
import {
  GOSSIP_SERVICE,
  OPEN_SERVICES,
  SERVER_FEATURES_SERVICE,
  STREAMS_SERVICE,
} from './grpc/services.js';
import { STOPPING } from './grpc/status.js';
import { HOST, MAX_CALLS_PER_CONNECTION, MAX_RECEIVE_BYTES, SHUTDOWN_GRACE_MS } from './limits.js';
import { Reader } from './read/reader.js';

const OPTIONS: ServerOptions = {
  'grpc.max_receive_message_length': MAX_RECEIVE_BYTES,
  'grpc.max_send_message_length': -1,
  'grpc.max_concurrent_streams': MAX_CALLS_PER_CONNECTION,
};

/** The gRPC side of the event store. */
export class EventStoreServer {
  readonly #server = new Server(OPTIONS);
  readonly #openCalls: OpenCalls = new Set();
  #port = 0;

  /** @param access without it, anybody on the machine may call. */
  constructor(
    private readonly log: EventLog,
    private readonly access?: ServerAccess,
  ) {
    const { appender, queue } = log;
    const reader = new Reader(log);
    this.#offer(STREAMS_SERVICE, {
      read: readHandler(reader, this.#openCalls),
      append: appendHandler(appender, this.#openCalls),
      batchAppend: batchAppendHandler(appender, queue, this.#openCalls),
      delete: deleteHandler((name, expected) => appender.softDelete(name, expected)),
      tombstone: deleteHandler((name, expected) => appender.tombstone(name, expected)),
    });
    this.#offer(PERSISTENT_SUBSCRIPTIONS_SERVICE, persistentSubscriptionHandlers());
    const instanceId = randomUUID();
    this.#offer(GOSSIP_SERVICE, {
      read: (_call: UnaryCall, answer: Answer) =>
        answer(null, encodeClusterInfo(instanceId, HOST, this.#port)),
    });
    const supportedMethods = encodeSupportedMethods();
    this.#offer(SERVER_FEATURES_SERVICE, {
      getSupportedMethods: (_call: UnaryCall, answer: Answer) => answer(null, supportedMethods),
    });
  }

  #offer(service: ServiceDefinition, calls: UntypedServiceImplementation): void {
    const isOpen = OPEN_SERVICES.has(service);
    this.#server.addService(service, this.access ? guarded(calls, this.access, isOpen) : calls);
  }

  /** Listens on the port, any free one for 0. Throws `StartRefused` if it is taken. */
  async listen(port: number): Promise<number> {
    this.#port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(
        `${HOST}:${port}`,
        this.access?.channel ?? ServerCredentials.createInsecure(),
        (error, bound) => {
          if (!error) resolve(bound);
          else reject(refusedPort(port, error));
        },
      );
    });
    return this.#port;
  }

  /** Answers what is on its way to the disk, then tells every open call that this server stops. */
  async stop(): Promise<void> {
    await this.log.queue.idle();
    await new Promise((resolve) => setImmediate(resolve));
    for (const call of this.#openCalls) call.fail(STOPPING);
    await new Promise<void>((resolve) => {
      const cut = setTimeout(() => this.#server.forceShutdown(), SHUTDOWN_GRACE_MS);
      this.#server.tryShutdown(() => {
        clearTimeout(cut);
        resolve();
      });
    });
  }
}

function refusedPort(port: number, error: Error): StartRefused {
  if (/EADDRINUSE/.test(error.message)) {
    return new StartRefused(
      `Port ${port} is taken by another program: stop it or choose another port with --port.`,
    );
  }
  return new StartRefused(`Port ${port} can't be listened on: ${error.message}`);
}
