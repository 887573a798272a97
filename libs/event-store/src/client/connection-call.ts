import process from 'node:process';
import {
  type Channel,
  connectivityState,
  type Metadata,
  type ServiceError,
  status,
  type StatusObject,
} from '@grpc/grpc-js';
import { ChannelWatch, type CallListener, type WatchedCall } from './channel-watch.js';
import type { TwoWayCall } from './incoming-answers.js';

/** A connection's own call, as grpc-js makes one below its channel. */
interface RawCall extends WatchedCall {
  sendMessageWithContext(context: object, message: Buffer): void;
  halfClose(): void;
  startRead(): void;
}

/** What a channel calls over. grpc-js's version is pinned exactly, and each read of a test goes through it. */
interface Connection {
  getConnectivityState(): connectivityState;
  getRealSubchannel(): {
    createCall(metadata: Metadata, host: string, path: string, listener: CallListener): RawCall;
  };
}
interface ChannelInternals {
  readonly internalChannel: {
    readonly defaultAuthority: string;
    doPick(metadata: Metadata, info: object): { readonly subchannel: Connection | null };
  };
}

/** A byte that says whether a message is packed, and four of its length. */
const FRAME_BYTES = 5;
/** Answers that may wait to be taken; the connection's window holds the others back. */
const UNTAKEN = 256;

export interface CallRequest<Answer> {
  readonly path: string;
  readonly metadata: Metadata;
  /** All that is sent; without it the call stays open for what `send` is given. */
  readonly request: Buffer | undefined;
  readonly read: (bytes: Buffer) => Answer;
  /** Called once, however the call ends; with the error if it failed. */
  readonly onEnd: (error: ServiceError | undefined) => void;
}

/**
 * One call whose answers stream in, made on the connection that a channel has, without what grpc-js puts before
 * it: load balancing, retries, interceptors and a stream of objects are two thirds of the processor time of a
 * read of one event (decision 0005). Frames, statuses, keepalive and lost connections are grpc-js's own.
 */
export class ConnectionCall<Answer> implements TwoWayCall<Answer> {
  readonly #request: CallRequest<Answer>;
  readonly #call: RawCall;
  #answers: Answer[] = [];
  #unsent: Buffer[] = [];
  #isReading = false;
  #isLeft = false;
  hasEnded = false;
  error: ServiceError | undefined;
  onChange: () => void = () => undefined;

  /** @returns nothing where the channel has no connection now: its own call dials, and says what is wrong. */
  static begin<Answer>(
    channel: Channel,
    request: CallRequest<Answer>,
  ): ConnectionCall<Answer> | undefined {
    // What of a channel is used here, of which each is one.
    const { internalChannel } = channel as unknown as ChannelInternals;
    const { subchannel } = internalChannel.doPick(request.metadata, {});
    if (subchannel?.getConnectivityState() !== connectivityState.READY) return undefined;
    const open = (listener: CallListener) =>
      subchannel
        .getRealSubchannel()
        .createCall(request.metadata, internalChannel.defaultAuthority, request.path, listener);
    try {
      return new ConnectionCall(channel, request, open);
    } catch {
      // The connection was lost and its channel has not noticed yet.
      return undefined;
    }
  }

  private constructor(
    channel: Channel,
    request: CallRequest<Answer>,
    open: (listener: CallListener) => RawCall,
  ) {
    this.#request = request;
    this.#call = ChannelWatch.open(channel, request.metadata, open, {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (message: Buffer) => this.#receive(message),
      onReceiveStatus: (ending) => this.#end(ending),
    });
    if (request.request !== undefined) {
      this.#call.sendMessageWithContext({}, frame([request.request]));
      this.#call.halfClose();
    }
    this.#readOn();
  }

  take(): Answer[] {
    const answers = this.#answers;
    this.#answers = [];
    this.#readOn();
    return answers;
  }

  /** What is still to come is read, as is due, and dropped. */
  drop(): void {
    this.#isLeft = true;
    this.take();
  }

  /** What is sent within one turn leaves as one piece, so that HTTP/2 has one frame to make for all of it. */
  send(message: Buffer): void {
    if (this.#unsent.push(message) === 1) process.nextTick(() => this.#sendUnsent());
  }

  #sendUnsent(): void {
    const messages = this.#unsent;
    this.#unsent = [];
    this.#call.sendMessageWithContext({}, frame(messages));
  }

  /** By this the client ends what is open when it is disposed of, where that is no call of a channel. */
  destroy(): void {
    this.cancel();
  }

  cancel(): void {
    this.#call.cancelWithStatus(status.CANCELLED, 'Cancelled on client');
  }

  lose(why: string): void {
    this.#call.cancelWithStatus(status.UNAVAILABLE, why);
  }

  #receive(message: Buffer): void {
    this.#isReading = false;
    try {
      if (message[0] !== 0) throw new Error('the answer is packed, which was not asked for');
      if (!this.#isLeft) this.#answers.push(this.#request.read(message.subarray(FRAME_BYTES)));
    } catch (error) {
      this.#call.cancelWithStatus(
        status.INTERNAL,
        `Response message parsing error: ${String(error)}`,
      );
      return;
    }
    this.#readOn();
    this.onChange();
  }

  #readOn(): void {
    if (this.#isReading || this.hasEnded || this.#answers.length >= UNTAKEN) return;
    this.#isReading = true;
    this.#call.startRead();
  }

  #end(ending: StatusObject): void {
    if (ending.code === status.OK) this.hasEnded = true;
    else this.error = toServiceError(ending);
    this.#request.onEnd(this.error);
    this.onChange();
  }
}

/** Each message behind its frame. */
function frame(messages: readonly Buffer[]): Buffer {
  const lengths = messages.map(({ length }) => FRAME_BYTES + length);
  const framed = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const message of messages) {
    framed.writeUInt8(0, at);
    framed.writeUInt32BE(message.length, at + 1);
    at += FRAME_BYTES + message.copy(framed, at + FRAME_BYTES);
  }
  return framed;
}

/** As grpc-js makes them. */
function toServiceError({ code, details, metadata }: StatusObject): ServiceError {
  const error = new Error(`${code} ${status[code]}: ${details}`);
  return Object.assign(error, { code, details, metadata });
}
