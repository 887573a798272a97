import { type Agent, request } from 'undici';
import { shortenReason } from '#checkpoint-backup';
import type { AcceptedAnswers } from '#domain/webhook-endpoint';
import { checkTarget, type TargetRules } from '#egress';
import { ANSWER_LIMIT_BYTES, ATTEMPT_LIMIT_MS, RETRY_AFTER_MAX_MS } from '../limits.js';

export interface Attempted {
  readonly url: string;
  readonly rules: TargetRules;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly accept: AcceptedAnswers;
  readonly signal: AbortSignal;
}

/** An attempt that did not succeed: the world failed, and the schedule says what comes next. */
export class DeliveryFailed extends Error {
  constructor(
    message: string,
    /** The receiver says that it wants nothing more: 410. */
    readonly isGone = false,
    /** What the receiver asked for by `Retry-After`, within bounds. */
    readonly retryAfterMs = 0,
    options?: ErrorOptions,
  ) {
    // BullMQ keeps it with each attempt. All of it is in the cause, which is logged.
    super(shortenReason(message), options);
    this.name = 'DeliveryFailed';
  }
}

const GONE = 410;
/** The answers whose `Retry-After` means something (RFC 9110, RFC 6585). */
const ASKS_FOR_PATIENCE: readonly number[] = [429, 503];

/**
 * One attempt (rules/webhooks 6): a POST of at most 15 s in all, no redirect followed, at most 64 KiB of
 * the answer read.
 *
 * @throws DeliveryFailed for every answer that is not a success and for every error.
 */
export async function send(attempted: Attempted): Promise<void> {
  const { url, rules, accept } = attempted;
  const target = checkTarget(url, rules);
  if (!target.ok) throw new DeliveryFailed(`the address is refused: ${target.reason}`);
  const { status, retryAfter } = await requestAnswer(attempted).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw new DeliveryFailed(message, false, 0, { cause: error });
  });
  const isSuccess = accept === '200' ? status === 200 : status >= 200 && status < 300;
  if (isSuccess) return;
  const waitMs = ASKS_FOR_PATIENCE.includes(status) ? retryAfterMs(retryAfter, Date.now()) : 0;
  throw new DeliveryFailed(`the receiver answered ${status}`, status === GONE, waitMs);
}

async function requestAnswer({ url, agent, headers, body, signal }: Attempted) {
  const limit = AbortSignal.timeout(ATTEMPT_LIMIT_MS);
  const answer = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers,
    body,
    signal: AbortSignal.any([signal, limit]),
  });
  let readBytes = 0;
  for await (const chunk of answer.body) {
    // The client gives the body as bytes.
    readBytes += (chunk as Buffer).length;
    if (readBytes > ANSWER_LIMIT_BYTES) break;
  }
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] };
}

/** `Retry-After` in milliseconds, as seconds or as a date; 0 for none, and a day at most. */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number {
  const [text] = [header ?? ''].flat();
  if (text === undefined || text === '') return 0;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? 0 : Math.min(RETRY_AFTER_MAX_MS, Math.max(0, waitMs));
}
