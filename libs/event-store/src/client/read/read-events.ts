import { NotLeaderError } from '@eventstore/db-client';
import { Fault, retry } from '#platform';
import {
  LEADER_MOVE_BASE_MS,
  LEADER_MOVE_CAP_MS,
  LEADER_MOVES,
  READ_IDLE_MS,
} from '../../streams/limits.js';
import type { StoredEvent } from '../../streams/stored-event.js';
import type { StoreConnection } from '../connection/index.js';
import { toFault } from '../errors.js';
import { nextAnswers, openRead, type ReadCall } from './next-answers.js';

export interface EventsRead {
  readonly request: Buffer;
  /** The most that is read: after so many events the store ends the call by itself. */
  readonly maxCount: number;
  /** Names the read in a fault: `reading subscription-1`. */
  readonly doing: string;
  /** By default the leader is asked, since another node may be behind. */
  readonly requiresLeader?: boolean;
}

/** Events as they come, several at once. @throws Fault. */
export async function* readBatches(
  store: StoreConnection,
  read: EventsRead,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const { call, answers: first } = await begin(store, read);
  let left = read.maxCount;
  try {
    for (let answers = first; answers.length > 0; answers = await nextAnswers(call)) {
      const events = answers.flatMap((answer) => (answer.kind === 'event' ? [answer.event] : []));
      left -= events.length;
      yield events;
    }
  } catch (error) {
    left = 1;
    throw toFault(error, read.doing);
  } finally {
    call.leave(left > 0);
  }
}

/** All events of a short read. @throws Fault. */
export async function collectEvents(
  store: StoreConnection,
  read: EventsRead,
): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for await (const events of readBatches(store, read)) all.push(...events);
  return all;
}

/**
 * Opens a read and waits for its first answers. A node that leads no more names the one that does, and the client asks
 * there next. Nothing was read of a node that refused, so that another one may be asked for all of it.
 */
function begin(store: StoreConnection, { request, doing, requiresLeader = true }: EventsRead) {
  const attempt = async () => {
    let call: ReadCall | undefined;
    try {
      call = await openRead(store, { request, requiresLeader, limitMs: READ_IDLE_MS });
      return { call, answers: await nextAnswers(call) };
    } catch (error) {
      call?.leave(true);
      throw toFault(error, doing);
    }
  };
  return retry(attempt, {
    attempts: 1 + LEADER_MOVES,
    baseMs: LEADER_MOVE_BASE_MS,
    capMs: LEADER_MOVE_CAP_MS,
    isRetryable: (error) => error instanceof Fault && error.cause instanceof NotLeaderError,
  });
}
