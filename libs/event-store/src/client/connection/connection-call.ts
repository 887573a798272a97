import process from 'node:process';
import { type Metadata, type ServiceError, status, type StatusObject } from '@grpc/grpc-js';
import type { WatchedChannel } from '../failover/index.js';
import { type CallListener, openOnConnection, type RawCall } from '../grpc-internals.js';

/** The called method, and how its answers are read from their bytes. */
export interface CalledMethod<Answer> {
  readonly path: string;
  readonly read: (bytes: Buffer) => Answer;
}

/** An open call: its answers so far, and its further messages. */
export interface StoreCall<Answer> {
  /** The answers that have come since the last read, in their order. */
  take(): Answer[];
  readonly hasEnded: boolean;
  readonly error: Error | undefined;
  /** Called whenever one of the above may have changed. */
  onChange: () => void;
  /** Sends one more message; a call that has ended sends nothing. */
  send(message: Buffer): void;
  /**
   * To be called in the end, whatever was read. A call of which more is to come is canceled. A call that the store is
   * about to end anyway is not: the store answers a canceled call all the same, and Node ends a connection after a
   * thousand frames that came too late.
   */
  leave(hasMore: boolean): void;
  /** Ends the call as a lost connection ends: the client drops its channel and looks for the leader. */
  lose(why: string): void;
}

/** A call of which the whole request was sent. */
export type IncomingAnswers<Answer> = Omit<StoreCall<Answer>, 'send' | 'lose'>;

/** A byte that says whether a message is packed, and four of its length. */
const FRAME_BYTES = 5;
/** Answers that may wait to be taken unless the caller takes more at once. */
const UNTAKEN = 256;

export interface CallRequest<Answer> extends CalledMethod<Answer> {
  readonly metadata: Metadata;
  /** All that is sent; without it the call stays open for more messages. */
  readonly request?: Buffer | undefined;
  /** Answers that may wait to be taken; the connection's window holds the others back. */
  readonly untaken?: number | undefined;
  /** Called once, however the call ends; with the error if it failed. */
  readonly onEnd: (error: ServiceError | undefined) => void;
}

/**
 * One call whose answers stream in, made on the connection that a channel has, without the layers of grpc-js before it:
 * load balancing, retries, interceptors and a stream of objects are two thirds of the processor time of a read of one
 * event (decision 0005). Frames, statuses, keepalive and lost connections are grpc-js's own.
 */
export class ConnectionCall<Answer> implements StoreCall<Answer> {
  readonly #raw: RawCall;
  #answers: Answer[] = [];
  #unsent: Buffer[] = [];
  #isReading = false;
  #isLeft = false;
  hasEnded = false;
  error: ServiceError | undefined;
  onChange: () => void = () => undefined;

  /** @returns nothing where the channel has no connection now: a call of its own dials, and names the error. */
  static begin<Answer>(
    channel: WatchedChannel,
    call: CallRequest<Answer>,
  ): ConnectionCall<Answer> | undefined {
    const open = openOnConnection(channel.inner, call.path, call.metadata);
    try {
      return (
        open && new ConnectionCall(call, (listener) => channel.watch(call.metadata, open, listener))
      );
    } catch {
      // The connection was lost and its channel has not noticed yet.
      return undefined;
    }
  }

  private constructor(
    private readonly call: CallRequest<Answer>,
    open: (listener: CallListener) => RawCall,
  ) {
    this.#raw = open({
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (message: Buffer) => this.#receive(message),
      onReceiveStatus: (ending) => this.#end(ending),
    });
    if (call.request !== undefined) {
      this.#raw.sendMessageWithContext({}, frame([call.request]));
      this.#raw.halfClose();
    }
    this.#readOn();
  }

  take(): Answer[] {
    const answers = this.#answers;
    this.#answers = [];
    this.#readOn();
    return answers;
  }

  /** Messages of one turn leave as one piece, so that HTTP/2 has one frame to make for all of them. */
  send(message: Buffer): void {
    if (this.#unsent.push(message) > 1) return;
    process.nextTick(() => {
      this.#raw.sendMessageWithContext({}, frame(this.#unsent));
      this.#unsent = [];
    });
  }

  leave(hasMore: boolean): void {
    if (this.hasEnded || this.error !== undefined) return;
    if (hasMore) this.destroy();
    // The rest is read, so that the call ends, and dropped.
    this.#isLeft = true;
    this.take();
  }

  /** The client, too, ends open calls by this when it is disposed of. */
  destroy(): void {
    this.#raw.cancelWithStatus(status.CANCELLED, 'Cancelled on client');
  }

  lose(why: string): void {
    this.#raw.cancelWithStatus(status.UNAVAILABLE, why);
  }

  #receive(message: Buffer): void {
    this.#isReading = false;
    try {
      if (message[0] !== 0) throw new Error('the answer is packed, which was not asked for');
      if (!this.#isLeft) this.#answers.push(this.call.read(message.subarray(FRAME_BYTES)));
    } catch (error) {
      this.#raw.cancelWithStatus(status.INTERNAL, `The answer cannot be read: ${String(error)}`);
      return;
    }
    this.#readOn();
    this.onChange();
  }

  #readOn(): void {
    const { untaken = UNTAKEN } = this.call;
    if (this.#isReading || this.hasEnded || this.#answers.length >= untaken) return;
    this.#isReading = true;
    this.#raw.startRead();
  }

  #end({ code, details, metadata }: StatusObject): void {
    if (code === status.OK) this.hasEnded = true;
    // As grpc-js makes them.
    else {
      const error = new Error(`${code} ${status[code]}: ${details}`);
      this.error = Object.assign(error, { code, details, metadata });
    }
    this.call.onEnd(this.error);
    this.onChange();
  }
}

/** Each message behind its frame. */
function frame(messages: readonly Buffer[]): Buffer {
  const pieces = messages.flatMap((message) => {
    const head = Buffer.alloc(FRAME_BYTES);
    head.writeUInt32BE(message.length, 1);
    return [head, message];
  });
  return Buffer.concat(pieces);
}
