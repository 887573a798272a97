import type {
  sendUnaryData,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
} from '@grpc/grpc-js';
import type { Writable } from 'node:stream';
import process from 'node:process';
import type { CallStatus } from '../failures.js';

/** Messages cross grpc-js as bytes; each call reads and writes them itself. */
export type ReadCall = ServerWritableStream<Buffer, Buffer>;
export type AppendCall = ServerReadableStream<Buffer, Buffer>;
export type BatchAppendCall = ServerDuplexStream<Buffer, Buffer>;
export type UnaryCall = ServerUnaryCall<Buffer, Buffer>;
export type Answer = sendUnaryData<Buffer>;

/** The events after which nothing can be written any more. */
const FINAL_EVENTS = ['cancelled', 'close', 'error', 'finish'] as const;

/** The writing side of a streaming call: its flow control and its end. */
export class CallSink {
  #isOver = false;
  #room: Promise<void> | undefined;
  #announceRoom: (() => void) | undefined;
  #isGathering = false;

  constructor(
    private readonly call: ReadCall | BatchAppendCall,
    onOver: () => void,
  ) {
    const end = (): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#wake();
      onOver();
    };
    for (const event of FINAL_EVENTS) call.on(event, end);
    call.on('drain', () => this.#wake());
  }

  get isOver(): boolean {
    return this.#isOver || this.call.cancelled || this.call.destroyed;
  }

  /**
   * Writes a message and waits until the client can take the next one. Answers false when the call
   * is over. Without this wait a paused client would fill the memory.
   */
  async send(message: Buffer): Promise<boolean> {
    if (this.isOver) return false;
    this.#gather();
    if (this.call.write(message)) return true;
    this.#room ??= new Promise((resolve) => (this.#announceRoom = resolve));
    await this.#room;
    return !this.isOver;
  }

  /** Ends the call as successful. */
  end(): void {
    if (!this.isOver) this.call.end();
  }

  /** Ends the call with a status. */
  fail(status: CallStatus): void {
    if (this.isOver) return;
    // grpc-js reads code, details and metadata of the emitted error.
    this.call.emit('error', status as unknown as Error);
  }

  /**
   * Messages that are written before this turn ends go out together: one write, few frames and few records of TLS,
   * of which each costs the client as much as a message does.
   */
  #gather(): void {
    if (this.#isGathering) return;
    const stream = findStream(this.call);
    this.#isGathering = true;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  #wake(): void {
    this.#announceRoom?.();
    this.#announceRoom = undefined;
    this.#room = undefined;
  }
}

interface Transport {
  readonly nextCall?: Transport;
  readonly stream?: Writable;
}

/** grpc-js keeps it to itself, below the calls of interceptors. Its version is pinned exactly. */
function findStream(call: object): Writable {
  let { call: transport } = call as { call: Transport };
  while (transport.nextCall) transport = transport.nextCall;
  if (transport.stream) return transport.stream;
  throw new Error('a call of grpc-js has no stream');
}
