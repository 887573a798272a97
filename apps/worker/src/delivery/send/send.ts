import { cutAnswer, shortenReason } from '#worker-state';
import type { AcceptedAnswers } from '#domain/webhook-endpoint';
import {
  checkTarget,
  type EgressAnswer,
  type EgressConnections,
  type EgressFailureCode,
  post,
  RequestFailed,
  type TargetRules,
} from '#egress';
import { type Clock, withSignal } from '#platform';
import { ANSWER_LIMIT_BYTES, ATTEMPT_LIMIT_MS, RETRY_AFTER_MAX_MS } from '../../limits.js';

/** A receiver's answer, as much of it as the delivery log keeps. No other log shows any of it. */
export interface Answer {
  readonly status: number;
  /** From the beginning of the attempt to its end. */
  readonly durationMs: number;
  /** The beginning of it, as UTF-8, whatever it says that it is. */
  readonly body: string;
}

export interface Attempted {
  readonly endpointId: string;
  readonly url: string;
  readonly rules: TargetRules;
  readonly connections: EgressConnections;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly accept: AcceptedAnswers;
  /** By which a date of `Retry-After` is read. */
  readonly clock: Clock;
  /** Of the whole attempt. */
  readonly limitMs?: number;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
}

/** The error of an attempt: an answer that is no success, an address that is refused, or a failure on the way. */
export type DeliveryFailureCode = EgressFailureCode | 'status';

interface FailureDetails {
  readonly code: DeliveryFailureCode;
  /** Of the whole attempt, wherever it ended. */
  readonly durationMs: number;
  /** The answer, where its head came at least. */
  readonly answer?: Answer | undefined;
  /** The receiver says that it wants nothing more: 410. */
  readonly isGone?: boolean;
  /** The receiver's `Retry-After`, within bounds. */
  readonly retryAfterMs?: number;
}

/**
 * An attempt that did not succeed: the world failed, and the schedule has the next step. No text of the receiver's
 * answer is in its message; it has no cause, since that may hold some.
 */
export class DeliveryFailed extends Error {
  constructor(
    message: string,
    readonly details: FailureDetails,
  ) {
    // BullMQ keeps it with each attempt.
    super(shortenReason(message));
    this.name = 'DeliveryFailed';
  }
}

const GONE = 410;
/** The date of HTTP, which begins with the day's name and is in GMT (RFC 9110, 5.6.7). */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .{1,30} GMT$/;
/** The answers whose `Retry-After` means something (RFC 9110, RFC 6585). */
const ASKS_TO_WAIT: readonly number[] = [429, 503];

/**
 * One attempt (rules/webhooks 6): a POST of at most 15 s in all, no redirect followed, at most 16 KiB of
 * the answer read.
 *
 * @throws DeliveryFailed for every answer that is not a success and for every error of the target's.
 * @throws Fault where our side failed, so that nothing was attempted: the proxy, or this machine.
 */
export async function send(attempted: Attempted): Promise<Answer> {
  const { url, rules, accept, clock } = attempted;
  const startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  const target = checkTarget(url, rules);
  if (!target.ok) {
    const details = { code: 'forbidden_address', durationMs: 0 } as const;
    throw new DeliveryFailed(`the address is refused: ${target.reason}`, details);
  }
  let answered: EgressAnswer;
  try {
    answered = await postOnce(attempted);
  } catch (error) {
    throw error instanceof RequestFailed ? failedOnTheWay(error, elapsedMs()) : error;
  }
  const answer = summarizeAnswer(answered, elapsedMs());
  const { status, durationMs } = answer;
  const isSuccess = accept === '200' ? status === 200 : status >= 200 && status < 300;
  if (isSuccess) return answer;
  const asked = { isGone: status === GONE, retryAfterMs: waitAsked(answered, clock) };
  const details = { code: 'status', durationMs, answer, ...asked } as const;
  throw new DeliveryFailed(`the receiver answered ${status}`, details);
}

function postOnce(attempted: Attempted): Promise<EgressAnswer> {
  const { endpointId: owner, connections, limitMs = ATTEMPT_LIMIT_MS } = attempted;
  const { url, rules, headers, body } = attempted;
  const answerLimitBytes = ANSWER_LIMIT_BYTES;
  return withSignal(attempted.signal, limitMs, (signal) =>
    post(connections, { owner, url, rules, headers, body, answerLimitBytes, signal }),
  );
}

function waitAsked({ status, headers }: EgressAnswer, clock: Clock): number {
  if (!ASKS_TO_WAIT.includes(status)) return 0;
  return retryAfterMs(headers['retry-after'], Date.parse(clock.now()));
}

function failedOnTheWay(
  { message, code, answer }: RequestFailed,
  durationMs: number,
): DeliveryFailed {
  const kept = answer && summarizeAnswer(answer, durationMs);
  return new DeliveryFailed(message, { code, durationMs, answer: kept });
}

/** @returns as much of an answer as is kept. */
export function summarizeAnswer(
  { status, body }: Pick<EgressAnswer, 'status' | 'body'>,
  durationMs: number,
): Answer {
  // Most receivers answer nothing.
  return { status, durationMs, body: body.length === 0 ? '' : cutAnswer(body) };
}

/** `Retry-After` in milliseconds, as seconds or as a date; 0 for none, and a day at most (rules/webhooks 6). */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number {
  const [text = ''] = [header ?? ''].flat();
  const waitMs = readWaitMs(text.trim(), nowMs);
  return Number.isNaN(waitMs) ? 0 : Math.min(RETRY_AFTER_MAX_MS, Math.max(0, waitMs));
}

function readWaitMs(text: string, nowMs: number): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // The parser of dates may take another text for a year all the same.
  return HTTP_DATE.test(text) ? Date.parse(text) - nowMs : 0;
}
