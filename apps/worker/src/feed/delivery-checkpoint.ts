import type { Redis } from 'ioredis';
import type { Position, RecordedEvent } from '#domain/event';
import { type EventStore, type EventToAppend, RevisionConflict, START } from '#event-store';
import { assertDefect, type Clock, newUuid } from '#platform';
import { MARKS_KEPT, UNSETTLED_IN_MARK } from '../limits.js';
import type { WorkerKeys } from '../redis/keys.js';
import { loadScript } from '../redis/script.js';
import { parseUnsettled } from './in-flight.js';

/** The stored name of a mark, for the list of types that this program reads. */
export const PROGRESS_MARKED = 'webhook_progress.marked.v1';

/**
 * How far everything is settled, kept in the event store for the day on which Redis is lost: every
 * message is delivered or dead and every process step done, up to `position`, but for what is named
 * in `unsettled`. A delivery in its third day of retries so holds nothing back.
 */
export interface Mark {
  readonly position: Position;
  /** Members as `unsettledMember` writes them. */
  readonly unsettled: readonly string[];
}

const STREAM = 'webhook_progress-reactor';

const readProgress = loadScript('read-progress-2.lua');

/** The last mark; undefined when there is none. @throws Fault of the store. */
export async function readMark(store: EventStore): Promise<Mark | undefined> {
  for await (const event of store.readStream(STREAM, { backwards: true, maxCount: 1 })) {
    if (event.type === PROGRESS_MARKED) return markOf(event);
  }
  return undefined;
}

/** @throws Fault of the store. */
export async function writeMark(store: EventStore, mark: Mark, clock: Clock): Promise<void> {
  // Marks of several workers may cross: an older one written last only repeats a little more.
  await store.append(STREAM, 'any', [eventOf(PROGRESS_MARKED, mark, clock)]);
}

/**
 * Tells the store how many marks it need keep, once for all: without it the stream would grow by one
 * every few seconds, for ever.
 *
 * @throws Fault of the store.
 */
export async function limitMarks(store: EventStore, clock: Clock): Promise<void> {
  const limit = eventOf('$metadata', { $maxCount: MARKS_KEPT }, clock);
  try {
    await store.append(`$$${STREAM}`, 'no_stream', [limit]);
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
  }
}

function eventOf(type: string, data: unknown, clock: Clock): EventToAppend {
  return {
    id: newUuid(),
    type,
    data,
    metadata: {
      $correlationId: newUuid(),
      actor: 'process:mark_progress',
      appId: '',
      environment: 'production',
      schemaVersion: 1,
      occurredAt: clock.now(),
    },
  };
}

/** What a mark would say now; undefined when Redis knows nothing. @throws Fault of Redis. */
export async function presentMark(redis: Redis, keys: WorkerKeys): Promise<Mark | undefined> {
  const limit = UNSETTLED_IN_MARK + 1;
  // The script's header says what it answers.
  const reply = await readProgress(redis, [keys.checkpoint, keys.unsettled], [limit]);
  const [position, ...members] = reply as [string | null, ...string[]];
  if (position === null || position === START) return undefined;
  return boundedMark(position, members);
}

/**
 * A mark that names a bounded number of unsettled things: with more of them it stands before the
 * first that it does not name.
 */
export function boundedMark(
  position: Position,
  members: readonly string[],
  limit = UNSETTLED_IN_MARK,
): Mark {
  const firstUnnamed = members[limit];
  if (firstUnnamed === undefined) return { position, unsettled: before(members, position) };
  const bound = (BigInt(parseUnsettled(firstUnnamed).position) - 1n).toString();
  const earlier = bound.padStart(position.length, '0');
  const at = earlier < position ? earlier : position;
  return { position: at, unsettled: before(members, at) };
}

/** What lies behind the position is worked on again anyway. */
function before(members: readonly string[], position: Position): string[] {
  return members.filter((member) => parseUnsettled(member).position <= position);
}

function markOf({ data }: RecordedEvent): Mark {
  // Only `writeMark` writes this type; what it must have is checked all the same.
  const mark = data as Mark;
  assertDefect(
    typeof mark.position === 'string' && Array.isArray(mark.unsettled),
    `${STREAM} holds a mark without a position`,
  );
  return mark;
}
