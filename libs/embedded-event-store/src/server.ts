import { randomUUID } from 'node:crypto';
import type { EventLog } from './event-log.js';
import { EventStoreStartRefused } from './failures.js';
import { appendHandler, deleteHandler } from './grpc/append-call.js';
import { refusalFor, type ServerAccess } from './grpc/authentication.js';
import { batchAppendHandler } from './grpc/batch-append-call.js';
import { type CallHandler, GrpcServer } from './grpc/grpc-server.js';
import type { OpenCalls } from './grpc/call.js';
import {
  encodeClusterInfo,
  encodeSupportedMethods,
  OPERATIONS_SERVICE,
  PERSISTENT_SUBSCRIPTIONS_SERVICE,
  persistentSubscriptionHandlers,
  startScavengeHandler,
} from './grpc/server-info.js';
import { readHandler } from './grpc/read-call.js';
import {
  GOSSIP_SERVICE,
  isOpenMethod,
  serve,
  SERVER_FEATURES_SERVICE,
  STREAMS_SERVICE,
} from './grpc/services.js';
import { STOPPING } from './grpc/status.js';
import { HOST, SHUTDOWN_GRACE_MS } from './limits.js';
import { Reader } from './read/reader.js';
import { Scavenger } from './scavenge/scavenger.js';

/** The gRPC side of the event store. */
export class EventStoreServer {
  readonly #server: GrpcServer;
  readonly #openCalls: OpenCalls = new Set();
  readonly #scavenger: Scavenger;
  #port = 0;

  /** @param access without it, every account of the machine may call. */
  constructor(
    private readonly log: EventLog,
    dataDir: string,
    access?: ServerAccess,
  ) {
    this.#scavenger = new Scavenger(log, dataDir, () => `${HOST}:${this.#port}`);
    this.#server = new GrpcServer({
      handlers: new Map(this.#handlers()),
      keyPair: access?.keyPair,
      refuse: access && ((path, headers) => refusalFor(headers, access, isOpenMethod(path))),
    });
  }

  #handlers(): [path: string, handler: CallHandler][] {
    const { appender, queue } = this.log;
    const instanceId = randomUUID();
    const supportedMethods = encodeSupportedMethods();
    return [
      ...serve(STREAMS_SERVICE, {
        read: readHandler(new Reader(this.log), this.#openCalls),
        append: appendHandler(appender, this.#openCalls),
        batchAppend: batchAppendHandler(appender, queue, this.#openCalls),
        delete: deleteHandler((name, expected) => appender.softDelete(name, expected)),
        tombstone: deleteHandler((name, expected) => appender.tombstone(name, expected)),
      }),
      ...serve(PERSISTENT_SUBSCRIPTIONS_SERVICE, persistentSubscriptionHandlers),
      ...serve(OPERATIONS_SERVICE, { startScavenge: startScavengeHandler(this.#scavenger) }),
      ...serve(GOSSIP_SERVICE, {
        read: (call) => call.end(encodeClusterInfo(instanceId, HOST, this.#port)),
      }),
      ...serve(SERVER_FEATURES_SERVICE, {
        getSupportedMethods: (call) => call.end(supportedMethods),
      }),
    ];
  }

  /** Listens on the port, any free one for 0. Throws `EventStoreStartRefused` if it is taken. */
  async listen(port: number): Promise<number> {
    this.#port = await this.#server.listen(HOST, port).catch((error: unknown) => {
      throw refusedPort(port, error);
    });
    await this.#scavenger.endInterrupted();
    return this.#port;
  }

  /** Answers appends on their way to the disk, then ends every open call with UNAVAILABLE. */
  async stop(): Promise<void> {
    await this.#scavenger.stop();
    await this.log.queue.idle();
    await new Promise((resolve) => setImmediate(resolve));
    for (const call of this.#openCalls) call.fail(STOPPING);
    await this.#server.close(SHUTDOWN_GRACE_MS);
  }
}

function refusedPort(port: number, error: unknown): EventStoreStartRefused {
  const { message } = error as Error;
  if (/EADDRINUSE/.test(message)) {
    return new EventStoreStartRefused(
      `Port ${port} is taken by another program: stop it or choose another port with --port.`,
    );
  }
  return new EventStoreStartRefused(`Port ${port} can't be listened on: ${message}`);
}
