import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Fault } from '#platform';
import type { AppendResult, ExpectedRevision } from '../../streams/event-store.js';
import { LEDGER_APPEND_BYTES } from '../../streams/limits.js';
import type { StoreCall, StoreConnection } from '../connection/index.js';
import { toFault, TooLargeToAppend, toUnknownOutcome } from '../errors.js';
import type { LongCalls } from '../long-calls.js';
import {
  answeredNumber,
  type AppendAnswer,
  correlationId,
  isOfNodeNotReady,
  toAppendResult,
} from './append-answer.js';
import { appendRequest, type ProposedForm } from './append-request.js';

/** A timer that is later than this was held up by our own event loop. */
const LATE_MS = 100;

interface Pending {
  readonly streamName: string;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
  dueAt: number;
  timer: NodeJS.Timeout;
}

/** One BatchAppend call, and the appends that wait for their answers on it. */
export class AppendConnection {
  readonly #pending = new Map<number, Pending>();
  #sent = 0;
  #lost: Fault | undefined;

  /** @param onLost called once, when it is of no use any more. */
  constructor(
    private readonly call: StoreCall<AppendAnswer>,
    private readonly attemptMs: number,
    private readonly onLost: () => void,
  ) {
    call.onChange = () => this.#take();
  }

  /** @throws as `BatchAppender.append`. */
  append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly ProposedForm[],
  ): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      // It may have been lost before it was listened to.
      if (this.#sent === 0) this.#take();
      if (this.#lost !== undefined) throw this.#lost;
      const number = (this.#sent += 1);
      const id = correlationId(number);
      const request = appendRequest(id, streamName, expected, events, this.attemptMs);
      requireLedgerSize(streamName, events, request.length);
      const timer = setTimeout(() => this.#giveUp(number), this.attemptMs);
      const dueAt = performance.now() + this.attemptMs;
      this.#pending.set(number, { streamName, resolve, reject, timer, dueAt });
      // The number of appends in flight is bounded by our caller, so the buffer is, too.
      this.call.send(request);
    });
  }

  #take(): void {
    for (const answer of this.call.take()) this.#answer(answer);
    const { error, hasEnded } = this.call;
    if (error !== undefined) this.#lose(error);
    // A call that ends in order leaves pending appends without an answer.
    else if (hasEnded) this.#lose(new Error('the store ended it'));
  }

  #answer(answer: AppendAnswer): void {
    const pending = this.#settle(answeredNumber(answer));
    // Another node leads, or will: the next attempt looks for it instead of asking here again.
    if (isOfNodeNotReady(answer)) this.call.lose('the node is not ready');
    // The caller already got `unavailable`; ignore the late answer.
    if (pending === undefined) return;
    try {
      pending.resolve(toAppendResult(answer, pending.streamName));
    } catch (error) {
      pending.reject(error as Error);
    }
  }

  #giveUp(number: number): void {
    const pending = this.#pending.get(number);
    if (pending === undefined) return;
    if (performance.now() - pending.dueAt > LATE_MS) {
      // Our own loop was blocked: the answer may be there, and is read before this comes again.
      pending.dueAt = performance.now() + LATE_MS;
      pending.timer = setTimeout(() => this.#giveUp(number), LATE_MS);
      return;
    }
    this.#settle(number);
    const message = `appending to ${pending.streamName}: no answer in ${this.attemptMs} ms`;
    pending.reject(new Fault('unavailable', message, { retryable: true }));
  }

  #lose(error: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = toUnknownOutcome(error, 'the connection for appends was lost');
    this.onLost();
    for (const number of this.#pending.keys()) this.#settle(number)?.reject(this.#lost);
  }

  #settle(number: number): Pending | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    clearTimeout(pending?.timer);
    return pending;
  }
}

/** Events of a copy come from another store, and are as large as that one took them. */
function requireLedgerSize(streamName: string, events: readonly object[], bytes: number): void {
  if (bytes <= LEDGER_APPEND_BYTES || events.some((event) => 'contentType' in event)) return;
  const limit = `the ledger appends ${LEDGER_APPEND_BYTES} at most`;
  throw new TooLargeToAppend(`appending to ${streamName}: ${bytes} bytes at once, and ${limit}`);
}

const BATCH_APPEND = {
  path: grpcStubs.StreamsService.batchAppend.path,
  read: (bytes: Buffer) => streams.BatchAppendResp.deserializeBinary(bytes),
};

/**
 * Appends over one BatchAppend call of the client's connection (decision 0005). The client's own `appendToStream` keeps
 * its pending appends in a table shared by the whole process, without a time limit; here every append has its limit,
 * and a broken call fails the appends sent over it, and nothing else.
 */
export class BatchAppender {
  #connection: Promise<AppendConnection> | undefined;

  constructor(
    private readonly store: StoreConnection,
    private readonly longCalls: LongCalls,
    private readonly attemptMs: number,
  ) {}

  /** One attempt. @throws RevisionConflict, or Fault: `unavailable` means that the outcome is unknown. */
  async append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly ProposedForm[],
  ): Promise<AppendResult> {
    this.#connection ??= this.#connect();
    const connection = await this.#connection;
    return connection.append(streamName, expected, events);
  }

  async #connect(): Promise<AppendConnection> {
    try {
      const call = await this.store.open(BATCH_APPEND, {
        // A follower that has no leader takes an append and never answers it; asked for the leader, it says so.
        requiresLeader: true,
        limitMs: this.attemptMs,
      });
      const endCall = this.longCalls.begin();
      return new AppendConnection(call, this.attemptMs, () => {
        endCall();
        this.#connection = undefined;
      });
    } catch (error) {
      this.#connection = undefined;
      throw toFault(error, 'connecting to the event store');
    }
  }
}
