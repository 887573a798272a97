import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import process from 'node:process';
import type { CallStatus } from '../failures.js';
import { MAX_UNSENT_BYTES } from '../limits.js';
import { MESSAGE_HEAD_BYTES, MessageReader } from './message-reader.js';
import { GrpcCode } from './status.js';

/** A call that can be ended with a status before its time. */
export interface OpenCall {
  fail(status: CallStatus): void;
}

/**
 * The calls that are open for longer than a turn, so that a stopping server can end each of them.
 */
export type OpenCalls = Set<OpenCall>;

const HEADERS = {
  [constants.HTTP2_HEADER_STATUS]: 200,
  'content-type': 'application/grpc+proto',
  'grpc-accept-encoding': 'identity',
};

const OK: CallStatus = { code: GrpcCode.OK, details: '' };

const CUT_MESSAGE: CallStatus = {
  code: GrpcCode.INTERNAL,
  details: 'The call ended within a message.',
};

const ignore = (): void => undefined;

/**
 * One gRPC call. Messages sent within a turn of the event loop leave as one piece: HTTP/2 has a price for each write,
 * at both ends, that is above the cost of most messages.
 */
export class Call {
  onMessage: (message: Buffer) => void = ignore;
  /** The client has sent all that it will. */
  onEnd: () => void = ignore;
  /** Nothing can be sent any more: the call was ended, or the client is gone. Called once. */
  onOver: () => void = ignore;
  readonly #reader = new MessageReader((message) => {
    if (!this.#isOver) this.onMessage(message);
  });
  readonly #deadline: NodeJS.Timeout | undefined;
  #isOver = false;
  #unsent: Buffer[] = [];
  /** Of messages that the socket has not taken. */
  #unsentBytes = 0;
  #room: Promise<boolean> | undefined;
  #announceRoom: ((isThere: boolean) => void) | undefined;

  constructor(
    private readonly stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
  ) {
    const limitMs = readTimeoutMs(headers['grpc-timeout']);
    if (limitMs !== undefined) this.#deadline = setTimeout(() => this.fail(TIMED_OUT), limitMs);
    stream.on('data', (chunk: Buffer) => {
      const problem = this.#isOver ? undefined : this.#reader.push(chunk);
      if (problem) this.fail(problem);
    });
    stream.on('end', () => {
      if (this.#reader.isWithinMessage) this.fail(CUT_MESSAGE);
      else if (!this.#isOver) this.onEnd();
    });
    // It comes before the end, which Node tells of a call that was cut as well: the received part is not all of it.
    stream.on('aborted', () => {
      this.#close();
      // A paused one would else stay until its connection ends.
      stream.destroy();
    });
    // An error is followed by the end, and says no more than that the client is gone.
    stream.on('error', ignore);
    stream.on('close', () => this.#close());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isPaused(): boolean {
    return this.stream.isPaused();
  }

  /** Takes no further messages, but for those that have arrived. */
  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }

  /**
   * Sends a message. True when there is room for the next one; otherwise wait: it resolves to false when the call is
   * over. Without this wait a paused client would fill the memory.
   */
  send(message: Buffer): true | Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    if (this.#unsent.length === 0) process.nextTick(() => this.#flush());
    this.#unsent.push(message);
    this.#unsentBytes += message.length;
    if (this.#unsentBytes < MAX_UNSENT_BYTES) return true;
    return (this.#room ??= new Promise((resolve) => (this.#announceRoom = resolve)));
  }

  /** Ends the call as successful, with a last message where there is one. */
  end(message?: Buffer): void {
    if (message) void this.send(message);
    this.#end(OK);
  }

  /** Ends the call with a status. */
  fail(status: CallStatus): void {
    this.#end(status);
  }

  #end(status: CallStatus): void {
    if (this.#isOver) return;
    this.#flush();
    const { stream } = this;
    // The client may be gone without its end having come here yet.
    if (stream.closed || stream.destroyed) return;
    const trailers = renderTrailers(status);
    if (stream.headersSent) {
      stream.once('wantTrailers', () => stream.sendTrailers(trailers));
      stream.end();
    } else {
      stream.respond({ ...HEADERS, ...trailers }, { endStream: true });
    }
    this.#close();
  }

  #flush(): void {
    const messages = this.#unsent;
    if (messages.length === 0 || this.stream.closed || this.stream.destroyed) return;
    this.#unsent = [];
    if (!this.stream.headersSent) this.stream.respond(HEADERS, { waitForTrailers: true });
    const bytes = messages.reduce((sum, message) => sum + message.length, 0);
    this.stream.write(joinMessages(messages, bytes), () => {
      this.#unsentBytes -= bytes;
      if (this.#unsentBytes < MAX_UNSENT_BYTES) this.#wake(!this.#isOver);
    });
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#deadline);
    this.#unsent = [];
    this.#wake(false);
    this.onOver();
  }

  #wake(isThere: boolean): void {
    this.#announceRoom?.(isThere);
    this.#announceRoom = undefined;
    this.#room = undefined;
  }
}

function joinMessages(messages: readonly Buffer[], bytes: number): Buffer {
  const joined = Buffer.allocUnsafe(bytes + messages.length * MESSAGE_HEAD_BYTES);
  let at = 0;
  for (const message of messages) {
    joined[at] = 0;
    joined.writeUInt32BE(message.length, at + 1);
    joined.set(message, at + MESSAGE_HEAD_BYTES);
    at += MESSAGE_HEAD_BYTES + message.length;
  }
  return joined;
}

function renderTrailers({ code, details, trailers }: CallStatus): Record<string, string | number> {
  // A quotation may end within a character, which no URI can say: a replacement stands for it.
  const message = encodeURI(Buffer.from(details).toString());
  return { 'grpc-status': code, 'grpc-message': message, ...trailers };
}

const TIMED_OUT: CallStatus = { code: GrpcCode.DEADLINE_EXCEEDED, details: 'Deadline exceeded' };

const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1 / 1000,
  n: 1 / 1_000_000,
};

/** The longest wait of a timer; a client that waits longer ends the call itself. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function readTimeoutMs(header: string | string[] | undefined): number | undefined {
  const [, amount, unit] = /^(\d{1,8})([HMSmun])$/.exec(String(header)) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return Math.min(Number(amount) * (UNIT_MS[unit] ?? 1), LONGEST_TIMER_MS);
}
