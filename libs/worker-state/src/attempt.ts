import { assertDefect } from '#platform';
import {
  ANSWER_BYTES,
  ERROR_CHARACTERS,
  SEALED_ANSWER_CHARACTERS,
  URL_CHARACTERS,
} from './limits.js';

/** How an attempt ended; with `erased` nothing was sent, since the player was erased. */
export const OUTCOMES = ['delivered', 'failed', 'exhausted', 'erased'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * One attempt at one delivery, as the log keeps it (decision 0031). There is no body: from the stream and the
 * revision it is rendered again. There is no header either: they follow from the message and the time.
 */
export interface AttemptRecord {
  readonly messageId: string;
  readonly type: string;
  /** The event that the message follows from. */
  readonly streamName: string;
  readonly revision: number;
  /** `service-event-sequence`. */
  readonly sequence: number;
  /** `service-retry-count`: 0 on the first attempt. */
  readonly attempt: number;
  /** An ISO instant, by the clock of the process that sent. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** The answer's HTTP status; null where there was none. */
  readonly status: number | null;
  readonly error: AttemptError | null;
  /** The pseudonym of the player whom the message is about; null for a message about none. */
  readonly player: string | null;
  /**
   * The beginning of the answer; null where none is kept. As `sealAnswer` of the personal data gives it where the
   * message is about a player, since it may repeat what it was sent.
   */
  readonly answer: string | null;
  /** Where its endpoint was then, which may be at another address now: the beginning of it (decision 0031). */
  readonly url: string;
}

/** Why an attempt failed, in words of ours: nothing that the receiver wrote is in here. */
export interface AttemptError {
  /** Without spaces, such as `ECONNREFUSED`. */
  readonly code: string;
  readonly text: string;
}

/** As much of an answer as the log keeps: 1,024 bytes of UTF-8, cut between two characters. */
export function cutAnswer(answer: string | Uint8Array): string {
  const bytes = typeof answer === 'string' ? Buffer.from(answer) : answer;
  const isWhole = bytes.length <= ANSWER_BYTES;
  // The beginning of a character that was cut is kept back by the decoder.
  return new TextDecoder().decode(bytes.subarray(0, ANSWER_BYTES), { stream: !isWhole });
}

/** By letters, since an outcome is stored 10,000 times for each endpoint. */
const OUTCOME_LETTERS: Readonly<Record<Outcome, string>> = {
  delivered: 'd',
  failed: 'f',
  exhausted: 'x',
  erased: 'e',
};

type StoredAttempt = readonly [
  ...[messageId: string, type: string, streamName: string, revision: number],
  ...[sequence: number, attempt: number, startedAtMs: number, durationMs: number],
  ...[letter: string, status: number | null, errorCode: string, errorText: string],
  ...[player: string, answer: string],
  url: string,
];

/** What an attempt is stored as: an array of JSON, in an order that later releases can only add to. */
export function encodeAttempt(attempt: AttemptRecord): string {
  const { messageId, type, streamName, revision, sequence, startedAt, durationMs } = attempt;
  const { outcome, status, error, player, answer, url } = attempt;
  const length = answer?.length ?? 0;
  assertDefect(length <= SEALED_ANSWER_CHARACTERS, 'an answer is cut before it is sealed');
  return JSON.stringify([
    ...[messageId, type, streamName, revision, sequence, attempt.attempt],
    ...[Date.parse(startedAt), Math.round(durationMs), OUTCOME_LETTERS[outcome], status],
    ...[error?.code ?? '', error?.text.slice(0, ERROR_CHARACTERS) ?? ''],
    ...[player ?? '', answer ?? '', url.slice(0, URL_CHARACTERS)],
  ]);
}

/** What `encodeAttempt` wrote. */
export function decodeAttempt(text: string): AttemptRecord {
  // Nothing else writes there.
  const stored = JSON.parse(text) as StoredAttempt;
  const [messageId, type, streamName, revision, sequence, attempt, startedAtMs, ...more] = stored;
  const [durationMs, letter, status, code, errorText, player, answer, url] = more;
  return {
    ...{ messageId, type, streamName, revision, sequence, attempt, durationMs, status },
    startedAt: new Date(startedAtMs).toISOString(),
    outcome: OUTCOMES.find((outcome) => OUTCOME_LETTERS[outcome] === letter) ?? 'failed',
    error: code === '' ? null : { code, text: errorText },
    player: player || null,
    answer: answer || null,
    url,
  };
}
