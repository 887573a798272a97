import type { Appender } from '../append/appender.js';
import type { CommitQueue } from '../append/commit-queue.js';
import { InvalidArgument } from '../failures.js';
import {
  MAX_APPEND_BYTES,
  MAX_RECEIVE_BYTES,
  MAX_REQUESTS_IN_FLIGHT,
  MAX_UNFINISHED_REQUESTS,
  WRITE_TIMEOUT_MS,
} from '../limits.js';
import type { ProposedEvent } from '../storage/record.js';
import { eventSize } from '../protobuf/append-messages.js';
import {
  encodeBatchResponse,
  type BatchFailure,
  type Success,
} from '../protobuf/append-response.js';
import {
  readBatchAppendMessage,
  type BatchAppendMessage,
  type BatchOptions,
} from '../protobuf/batch-append-request.js';
import { BATCH_TIMED_OUT, toBatchFailure, toBatchResult } from './batch-answers.js';
import type { Call, OpenCalls } from './call.js';
import type { CallHandler } from './grpc-server.js';
import { AppendTooLarge, GrpcCode, toCallStatus } from './status.js';

/** One request of a batch call, from its first message until its last one and its answer. */
interface BatchRequest {
  readonly correlationId: Buffer;
  readonly options: BatchOptions | undefined;
  events: ProposedEvent[];
  bytes: number;
  /** Of its messages: events are views of them. */
  heldBytes: number;
  isFinal: boolean;
  isAnswered: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Serves `BatchAppend`: many requests on one call, each answered exactly once by its id. */
export function batchAppendHandler(
  appender: Appender,
  queue: CommitQueue,
  openCalls: OpenCalls,
): CallHandler {
  return (call) => {
    new BatchAppendSession(call, appender, queue, openCalls);
  };
}

class BatchAppendSession {
  readonly #requests = new Map<string, BatchRequest>();
  /** Requests whose answer is not yet in the client's hands. */
  #owed = 0;
  #heldBytes = 0;
  #hasEnded = false;
  #isWaiting = false;

  constructor(
    private readonly call: Call,
    private readonly appender: Appender,
    private readonly queue: CommitQueue,
    openCalls: OpenCalls,
  ) {
    call.onOver = () => {
      openCalls.delete(call);
      for (const request of this.#requests.values()) clearTimeout(request.timer);
      this.#requests.clear();
    };
    openCalls.add(call);
    call.onMessage = (message) => this.#receive(message);
    call.onEnd = () => {
      this.#hasEnded = true;
      this.#endWhenDone();
    };
  }

  #receive(bytes: Buffer): void {
    let message: BatchAppendMessage;
    try {
      message = readBatchAppendMessage(bytes, Date.now());
    } catch (error) {
      // Without a correlation id the answer can only go to the whole call.
      this.call.fail(toCallStatus(error));
      return;
    }
    const key = message.correlationId.toString('latin1');
    const request = this.#requests.get(key) ?? this.#open(key, message);
    if (!request) return;
    this.#hold(request, bytes.length);
    this.#collect(request, message);
    if (request.isFinal && !request.isAnswered) void this.#append(request);
    if (request.isFinal) this.#requests.delete(key);
    if (request.isFinal || request.isAnswered) this.#hold(request, -request.heldBytes);
    const heldAtMost = 2 * MAX_RECEIVE_BYTES;
    if (this.#heldBytes > heldAtMost) {
      this.#refuseAll(`More than ${heldAtMost} bytes of requests are unfinished.`);
    }
    if (this.#owed >= MAX_REQUESTS_IN_FLIGHT || this.queue.isCongested) void this.#waitForRoom();
  }

  /** The first message of a request. Its clock starts now (rules/protocol 2). */
  #open(key: string, message: BatchAppendMessage): BatchRequest | undefined {
    if (this.#requests.size >= MAX_UNFINISHED_REQUESTS) {
      this.#refuseAll(`More than ${MAX_UNFINISHED_REQUESTS} requests are unfinished.`);
      return undefined;
    }
    const { correlationId, options } = message;
    const request: BatchRequest = {
      correlationId: message.isFinal ? correlationId : Buffer.from(correlationId),
      options,
      events: [],
      bytes: 0,
      heldBytes: 0,
      isFinal: false,
      isAnswered: false,
      timer: undefined,
    };
    this.#owed += 1;
    this.#requests.set(key, request);
    const leftMs = (options?.deadlineMs ?? Infinity) - Date.now();
    if (leftMs <= 0) this.#answer(request, BATCH_TIMED_OUT);
    else {
      const expire = (): void => this.#answer(request, BATCH_TIMED_OUT);
      request.timer = setTimeout(expire, Math.min(leftMs, WRITE_TIMEOUT_MS));
    }
    return request;
  }

  #refuseAll(details: string): void {
    this.call.fail({ code: GrpcCode.RESOURCE_EXHAUSTED, details });
  }

  #hold(request: BatchRequest, bytes: number): void {
    request.heldBytes += bytes;
    this.#heldBytes += bytes;
  }

  #collect(request: BatchRequest, message: BatchAppendMessage): void {
    request.isFinal = message.isFinal;
    if (request.isAnswered) return;
    for (const event of message.events) request.bytes += eventSize(event);
    if (message.problem) this.#answer(request, toBatchFailure(message.problem));
    else if (!request.options) {
      const missing = new InvalidArgument('The first message of a batch needs options.');
      this.#answer(request, toBatchFailure(missing));
    } else if (request.bytes > MAX_APPEND_BYTES) {
      this.#answer(request, toBatchFailure(new AppendTooLarge()));
    } else if (request.events.length === 0) request.events = [...message.events];
    else request.events.push(...message.events);
  }

  async #append(request: BatchRequest): Promise<void> {
    const { streamName, expected } = request.options ?? { streamName: '', expected: 0 };
    let result: Success | BatchFailure;
    try {
      const outcome = await this.appender.append(streamName, expected, request.events);
      result = toBatchResult(outcome, streamName, expected);
    } catch (error) {
      result = toBatchFailure(error);
    }
    this.#answer(request, result);
  }

  #answer(request: BatchRequest, result: Success | BatchFailure): void {
    if (request.isAnswered) return;
    request.isAnswered = true;
    request.events = [];
    this.#hold(request, -request.heldBytes);
    clearTimeout(request.timer);
    const streamName = request.options?.streamName ?? '';
    const response = encodeBatchResponse(request.correlationId, streamName, result);
    const sent = this.call.send(response);
    if (sent === true) this.#settle();
    else void sent.then(() => this.#settle());
  }

  #settle(): void {
    this.#owed -= 1;
    this.#resumeIfRoom();
    this.#endWhenDone();
  }

  /** Reads no further requests until the client took its answers and the disk its events. */
  async #waitForRoom(): Promise<void> {
    if (this.call.isPaused) return;
    this.call.pause();
    await this.queue.idle();
    this.#isWaiting = true;
    this.#resumeIfRoom();
  }

  #resumeIfRoom(): void {
    if (!this.#isWaiting || this.#owed >= MAX_REQUESTS_IN_FLIGHT) return;
    this.#isWaiting = false;
    this.call.resume();
  }

  #endWhenDone(): void {
    if (this.#hasEnded && this.#owed === 0) this.call.end();
  }
}
