import { NotLeaderError } from '@eventstore/db-client';
import grpcStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Instant, Position } from '#domain/event';
import { Fault, retry, withTimeLimit } from '#platform';
import {
  FAILOVER_BASE_MS,
  FAILOVER_CAP_MS,
  LEADER_MOVES,
  CALL_IDLE_MS,
} from '../../streams/limits.js';
import { START } from '../../streams/position.js';
import type { StoredEvent } from '../../streams/stored-event.js';
import type { CallOptions, IncomingAnswers, StoreConnection } from '../connection/index.js';
import { toFault } from '../errors.js';
import { headRequest, positionRequest } from '../read-requests.js';
import { type ReadAnswer, readAnswer } from './read-answer.js';

/** A call of `Streams/Read`. */
export type ReadCall = IncomingAnswers<ReadAnswer>;

const READ = { path: grpcStubs.StreamsService.read.path, read: readAnswer };

/** Opens a read, of which `request` is all that is sent. @throws as `StoreConnection.open`. */
export function openRead(store: StoreConnection, options: CallOptions): Promise<ReadCall> {
  return store.open(READ, options);
}

/**
 * The answers that have come since, at least one; none when the call has ended. They are taken several at once: the
 * client's own stream waits for each, which took a third of a read (decision 0005).
 *
 * @param limitMs how long it may take until something comes; 0 for as long as it takes.
 * @throws Fault where nothing comes in time, or the gRPC error of the call.
 */
export async function nextAnswers(
  call: ReadCall,
  limitMs = CALL_IDLE_MS,
): Promise<readonly ReadAnswer[]> {
  for (;;) {
    const answers = call.take();
    if (answers.length > 0) return answers;
    if (call.error !== undefined) throw call.error;
    if (call.hasEnded) return [];
    const change = new Promise<void>((resolve) => (call.onChange = resolve));
    await (limitMs === 0 ? change : withTimeLimit(change, limitMs, 'the event store'));
  }
}

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
      call = await openRead(store, { request, requiresLeader, limitMs: CALL_IDLE_MS });
      return { call, answers: await nextAnswers(call) };
    } catch (error) {
      call?.leave(true);
      throw toFault(error, doing);
    }
  };
  return retry(attempt, {
    attempts: 1 + LEADER_MOVES,
    baseMs: FAILOVER_BASE_MS,
    capMs: FAILOVER_CAP_MS,
    isRetryable: (error) => error instanceof Fault && error.cause instanceof NotLeaderError,
  });
}

const HEAD_REQUEST = headRequest();

/** See `EventStore.headPosition`. */
export async function headPosition(store: StoreConnection): Promise<Position> {
  const read = { request: HEAD_REQUEST, maxCount: 1, doing: 'reading the head' };
  const [last] = await collectEvents(store, read);
  return last?.position ?? START;
}

/** See `EventStore.hasEventAt`. */
export async function hasEventAt(store: StoreConnection, at: Position): Promise<boolean> {
  return (await readFrom(store, at, true))?.position === at;
}

/** See `EventStore.findTime`. Any node will do: the event was written a while ago. */
export async function findTime(store: StoreConnection, at: Position): Promise<Instant | undefined> {
  const event = await readFrom(store, at, false);
  return event && new Date(event.createdAtMs).toISOString();
}

/** See `EventStore.findTimeAfter`. A store is asked for places of events alone: it refuses others. */
export async function findTimeAfter(
  store: StoreConnection,
  after: Position,
): Promise<Instant | undefined> {
  const doing = `reading the event behind ${after}`;
  const maxCount = 2;
  const events = await collectEvents(store, {
    ...{ request: positionRequest(after, maxCount), maxCount, doing, requiresLeader: false },
  });
  const next = events.find(({ position }) => position > after);
  return next && new Date(next.createdAtMs).toISOString();
}

/** The first event at a position or behind it. */
async function readFrom(store: StoreConnection, at: Position, requiresLeader: boolean) {
  const doing = `reading the event at ${at}`;
  const [first] = await collectEvents(store, {
    ...{ request: positionRequest(at), maxCount: 1, doing, requiresLeader },
  });
  return first;
}
