import { randomUUID } from 'node:crypto';
import { Server, ServerCredentials, type ServerOptions } from '@grpc/grpc-js';
import type { EventLog } from './event-log.js';
import { EventStoreStartRefused } from './failures.js';
import { appendHandler, deleteHandler } from './grpc/append-call.js';
import { accessGuard, type ServerAccess } from './grpc/authentication.js';
import { batchAppendHandler } from './grpc/batch-append-call.js';
import type { Answer, AppendCall } from './grpc/calls.js';
import { Connections } from './grpc/connections.js';
import type { OpenCalls } from './grpc/open-calls.js';
import { OPERATIONS_SERVICE, operationsHandlers } from './grpc/operations.js';
import {
  PERSISTENT_SUBSCRIPTIONS_SERVICE,
  persistentSubscriptionHandlers,
} from './grpc/persistent-subscriptions.js';
import { readHandler } from './grpc/read-call.js';
import { encodeClusterInfo, encodeSupportedMethods } from './grpc/server-info.js';
import {
  GOSSIP_SERVICE,
  isOpenMethod,
  SERVER_FEATURES_SERVICE,
  STREAMS_SERVICE,
} from './grpc/services.js';
import { STOPPING } from './grpc/status.js';
import { HOST, MAX_CALLS_PER_CONNECTION, MAX_RECEIVE_BYTES, SHUTDOWN_GRACE_MS } from './limits.js';
import { Reader } from './read/reader.js';
import { Scavenger } from './scavenge/scavenger.js';

const OPTIONS: ServerOptions = {
  'grpc.max_receive_message_length': MAX_RECEIVE_BYTES,
  'grpc.max_send_message_length': -1,
  'grpc.max_concurrent_streams': MAX_CALLS_PER_CONNECTION,
};

/** The gRPC side of the event store. */
export class EventStoreServer {
  readonly #server: Server;
  readonly #openCalls: OpenCalls = new Set();
  readonly #connections = new Connections();
  readonly #scavenger: Scavenger;
  #port = 0;

  /** @param access without it, every account of the machine may call. */
  constructor(
    private readonly log: EventLog,
    dataDir: string,
    private readonly access?: ServerAccess,
  ) {
    this.#scavenger = new Scavenger(log, dataDir, () => `${HOST}:${this.#port}`);
    const interceptors = access ? [accessGuard(access, isOpenMethod)] : [];
    this.#server = new Server({ ...OPTIONS, interceptors });
    const { appender, queue } = log;
    const reader = new Reader(log);
    this.#server.addService(STREAMS_SERVICE, {
      read: readHandler(reader, this.#openCalls),
      append: appendHandler(appender, this.#openCalls),
      batchAppend: batchAppendHandler(appender, queue, this.#openCalls),
      delete: deleteHandler((name, expected) => appender.softDelete(name, expected)),
      tombstone: deleteHandler((name, expected) => appender.tombstone(name, expected)),
    });
    this.#server.addService(PERSISTENT_SUBSCRIPTIONS_SERVICE, persistentSubscriptionHandlers());
    this.#server.addService(OPERATIONS_SERVICE, operationsHandlers(this.#scavenger));
    const instanceId = randomUUID();
    this.#server.addService(GOSSIP_SERVICE, {
      read: (_call: AppendCall, answer: Answer) =>
        answer(null, encodeClusterInfo(instanceId, HOST, this.#port)),
    });
    const supportedMethods = encodeSupportedMethods();
    this.#server.addService(SERVER_FEATURES_SERVICE, {
      getSupportedMethods: (_call: AppendCall, answer: Answer) => answer(null, supportedMethods),
    });
  }

  /** Listens on the port, any free one for 0. Throws `EventStoreStartRefused` if it is taken. */
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
    this.#connections.watch(this.#server);
    await this.#scavenger.endInterrupted();
    return this.#port;
  }

  /** Answers what is on its way to the disk, then ends every open call with UNAVAILABLE. */
  async stop(): Promise<void> {
    await this.#scavenger.stop();
    await this.log.queue.idle();
    await new Promise((resolve) => setImmediate(resolve));
    for (const call of this.#openCalls) call.fail(STOPPING);
    await new Promise<void>((resolve) => {
      const cut = setTimeout(() => {
        this.#server.forceShutdown();
        this.#connections.cut();
      }, SHUTDOWN_GRACE_MS);
      this.#server.tryShutdown(() => {
        clearTimeout(cut);
        resolve();
      });
    });
  }
}

function refusedPort(port: number, error: Error): EventStoreStartRefused {
  if (/EADDRINUSE/.test(error.message)) {
    return new EventStoreStartRefused(
      `Port ${port} is taken by another program: stop it or choose another port with --port.`,
    );
  }
  return new EventStoreStartRefused(`Port ${port} can't be listened on: ${error.message}`);
}
