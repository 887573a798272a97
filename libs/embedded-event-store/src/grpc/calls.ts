import type {
  sendUnaryData,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
} from '@grpc/grpc-js';
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

  #wake(): void {
    this.#announceRoom?.();
    this.#announceRoom = undefined;
    this.#room = undefined;
  }
}
