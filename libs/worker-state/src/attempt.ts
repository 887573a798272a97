import { assertDefect } from '#platform';
import { loadScript, type Redis } from '#redis';
import { workerKeys } from './keys.js';
import {
  ANSWER_BYTES,
  ATTEMPTS_KEPT,
  ERROR_CHARACTERS,
  KEPT_SECONDS,
  SEALED_ANSWER_CHARACTERS,
  URL_CHARACTERS,
} from './limits.js';

/**
 * How an attempt ended; with `erased` nothing was sent, since the player was erased. They are stored by their places
 * here: later releases can only add to them.
 */
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
   * message is about a player, since it may repeat the message.
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

/** In the order in which they are stored: later releases can only add to it. */
const FIELDS = [
  ...['messageId', 'type', 'streamName', 'revision', 'sequence', 'attempt', 'startedAt'],
  ...['durationMs', 'outcome', 'status', 'error', 'player', 'answer', 'url'],
] as (keyof StoredAttempt)[];

/** Of each endpoint 10,000 are kept: time and outcome are numbers. */
interface StoredAttempt extends Omit<AttemptRecord, 'startedAt' | 'outcome'> {
  readonly startedAt: number;
  readonly outcome: number;
}

/** An attempt as it is stored: an array of JSON. */
export function encodeAttempt(attempt: AttemptRecord): string {
  const { startedAt, durationMs, outcome, answer, error, url } = attempt;
  assertDefect((answer?.length ?? 0) <= SEALED_ANSWER_CHARACTERS, 'an answer that was not cut');
  const stored: StoredAttempt = {
    ...attempt,
    startedAt: Date.parse(startedAt),
    durationMs: Math.round(durationMs),
    outcome: OUTCOMES.indexOf(outcome),
    error: error && { code: error.code, text: error.text.slice(0, ERROR_CHARACTERS) },
    url: url.slice(0, URL_CHARACTERS),
  };
  return JSON.stringify(FIELDS.map((field) => stored[field]));
}

/** The reverse. */
export function decodeAttempt(text: string): AttemptRecord {
  const values = JSON.parse(text) as unknown[];
  // Nothing but `encodeAttempt` writes there.
  const stored: unknown = Object.fromEntries(FIELDS.map((field, at) => [field, values[at]]));
  const { startedAt, outcome, ...others } = stored as StoredAttempt;
  return {
    ...others,
    startedAt: new Date(startedAt).toISOString(),
    outcome: OUTCOMES[outcome] ?? 'failed',
  };
}

const appendToLogs = loadScript(new URL('./lua/append-attempts-n.lua', import.meta.url));

/** An attempt, at the endpoint that it was made for. */
export interface AttemptToLog extends AttemptRecord {
  readonly endpointId: string;
}

/** A partition of a ledger, and of how many it is one. */
interface LogPartition {
  readonly layoutId: string;
  readonly partition: number;
  readonly partitions: number;
}

/**
 * Adds attempts to the logs of their endpoints, all of one partition and in one act (decision 0031). Each partition
 * keeps its share of an endpoint's attempts, to within one node of the stream, which Redis drops whole; attempts older
 * than seven days go with it, or with the stream, where nothing was added for so long.
 *
 * @throws Fault `unavailable`. The log may be lost: who calls goes on without it.
 */
export async function appendAttempts(
  redis: Redis,
  { layoutId, partition, partitions }: LogPartition,
  attempts: readonly AttemptToLog[],
): Promise<void> {
  if (attempts.length === 0) return;
  const share = Math.ceil(ATTEMPTS_KEPT / partitions);
  const oldest = Date.now() - KEPT_SECONDS * 1_000;
  const endpointIds = [...new Set(attempts.map(({ endpointId }) => endpointId))];
  const entries = attempts.flatMap((attempt) => [
    endpointIds.indexOf(attempt.endpointId) + 1,
    encodeAttempt(attempt),
  ]);
  const keys = workerKeys(layoutId, partition);
  const logs = endpointIds.map((endpointId) => keys.deliveryLog(endpointId));
  await appendToLogs(redis, logs, [share, oldest, KEPT_SECONDS, ...entries]);
}
