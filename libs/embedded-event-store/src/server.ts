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
  persistentSubscriptionHandlers,
  START_SCAVENGE,
  startScavengeHandler,
} from './grpc/server-info.js';
import { readHandler } from './grpc/read-call.js';
import { GOSSIP, OPEN_METHODS, STREAMS, SUPPORTED_METHODS } from './grpc/services.js';
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
      refuse: access && ((path, headers) => refusalFor(headers, access, OPEN_METHODS.has(path))),
    });
  }

  #handlers(): [path: string, handler: CallHandler][] {
    const { appender, queue } = this.log;
    const instanceId = randomUUID();
    const supportedMethods = encodeSupportedMethods();
    return [
      [`${STREAMS}/Read`, readHandler(new Reader(this.log), this.#openCalls)],
      [`${STREAMS}/Append`, appendHandler(appender, this.#openCalls)],
      [`${STREAMS}/BatchAppend`, batchAppendHandler(appender, queue, this.#openCalls)],
      [`${STREAMS}/Delete`, deleteHandler((...asked) => appender.softDelete(...asked))],
      [`${STREAMS}/Tombstone`, deleteHandler((...asked) => appender.tombstone(...asked))],
      ...persistentSubscriptionHandlers,
      [START_SCAVENGE, startScavengeHandler(this.#scavenger)],
      [GOSSIP, (call) => call.end(encodeClusterInfo(instanceId, HOST, this.#port))],
      [SUPPORTED_METHODS, (call) => call.end(supportedMethods)],
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
