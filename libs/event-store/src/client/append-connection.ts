import { Fault } from '#platform';
import { appendBytes } from './append-bytes.js';
import { isOfNodeNotReady, toAppendResult } from './append-outcome.js';
import { type AppendReply, correlationId } from './append-reply.js';
import { TooLargeToAppend } from './too-large-to-append.js';
import { toFault } from './errors.js';
import type { AppendResult, ExpectedRevision } from '../streams/event-store.js';
import type { TwoWayCall } from './incoming-answers.js';
import { LEDGER_APPEND_BYTES } from '../streams/limits.js';
import type { StoredForm } from '../streams/stored-form.js';
import type { VerbatimForm } from './verbatim/verbatim-event.js';

/** A timer that is later than this was held up by our own event loop. */
const LATE_MS = 100;

interface Pending {
  readonly number: number;
  readonly streamName: string;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
  dueAt: number;
  timer: NodeJS.Timeout;
}

/** One BatchAppend call, and the appends that wait for their answers on it. */
export class AppendConnection {
  readonly #call: TwoWayCall<AppendReply>;
  readonly #attemptMs: number;
  readonly #onLost: () => void;
  /** In the order in which they were sent; an array for the reason that the acts of a server are in one. */
  readonly #pending: Pending[] = [];
  #sent = 0;
  #lost: Fault | undefined;

  /** @param onLost called once, when it is of no use any more. */
  constructor(call: TwoWayCall<AppendReply>, attemptMs: number, onLost: () => void) {
    this.#call = call;
    this.#attemptMs = attemptMs;
    this.#onLost = onLost;
    call.onChange = () => this.#take();
  }

  /** @throws as `BatchAppender.append`. */
  append(
    streamName: string,
    expected: ExpectedRevision,
    events: readonly (StoredForm | VerbatimForm)[],
  ): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      // It may have been lost before it was listened to.
      if (this.#sent === 0) this.#take();
      if (this.#lost !== undefined) throw this.#lost;
      const number = (this.#sent += 1);
      const id = correlationId(number);
      // What cannot be written as JSON throws here, before anything is pending.
      const request = appendBytes(id, streamName, expected, events, this.#attemptMs);
      requireLedgerSize(streamName, events, request.length);
      const timer = setTimeout(() => this.#giveUp(number), this.#attemptMs);
      const dueAt = performance.now() + this.#attemptMs;
      this.#pending.push({ number, streamName, resolve, reject, timer, dueAt });
      // The number of appends in flight is bounded by our caller, so the buffer is, too.
      this.#call.send(request);
    });
  }

  #take(): void {
    for (const reply of this.#call.take()) this.#answer(reply);
    const { error, hasEnded } = this.#call;
    if (error !== undefined) this.#lose(error);
    // A call that ends in order leaves pending appends without an answer.
    else if (hasEnded) this.#lose(new Error('the store ended it'));
  }

  #answer(reply: AppendReply): void {
    const pending = this.#settle(reply.number);
    // Another node leads, or will: the next attempt looks for it instead of asking here again.
    if (isOfNodeNotReady(reply)) this.#call.lose('the node is not ready');
    // The caller already got `unavailable`; ignore the late answer.
    if (pending === undefined) return;
    try {
      pending.resolve(toAppendResult(reply, pending.streamName));
    } catch (error) {
      pending.reject(asError(error, pending.streamName));
    }
  }

  #giveUp(number: number): void {
    const pending = this.#pending.find((one) => one.number === number);
    if (pending === undefined) return;
    if (performance.now() - pending.dueAt > LATE_MS) {
      // Our own loop was blocked: the answer may be there, and is read before this comes again.
      pending.dueAt = performance.now() + LATE_MS;
      pending.timer = setTimeout(() => this.#giveUp(number), LATE_MS);
      return;
    }
    this.#settle(number);
    const message = `appending to ${pending.streamName}: no answer in ${this.#attemptMs} ms`;
    pending.reject(new Fault('unavailable', message, { retryable: true }));
  }

  #lose(error: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = toFault(error, 'the connection for appends was lost');
    this.#onLost();
    for (const { timer, reject } of this.#pending.splice(0)) {
      clearTimeout(timer);
      reject(this.#lost);
    }
  }

  /** Answers come about in the order of the appends, so the search is short. */
  #settle(number: number): Pending | undefined {
    const at = this.#pending.findIndex((one) => one.number === number);
    if (at < 0) return undefined;
    const [pending] = this.#pending.splice(at, 1);
    clearTimeout(pending?.timer);
    return pending;
  }
}

/** Events of a copy come from another store, and are as large as that one took them. */
function requireLedgerSize(
  streamName: string,
  events: readonly (StoredForm | VerbatimForm)[],
  bytes: number,
): void {
  const isCopy = events.some((event) => 'contentType' in event);
  if (isCopy || bytes <= LEDGER_APPEND_BYTES) return;
  const limit = `the ledger appends ${LEDGER_APPEND_BYTES} at most`;
  throw new TooLargeToAppend(`appending to ${streamName}: ${bytes} bytes at once, and ${limit}`);
}

function asError(error: unknown, streamName: string): Error {
  return error instanceof Error ? error : toFault(error, `appending to ${streamName}`);
}
