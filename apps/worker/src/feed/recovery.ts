import type { Redis } from 'ioredis';
import type { Position, RecordedEvent } from '#domain/event';
import { type EventStore, START } from '#event-store';
import type { Log } from '#platform';
import { PARKED_RETRIED } from '../limits.js';
import { ofRedis } from '../redis/connect.js';
import type { WorkerKeys } from '../redis/keys.js';
import type { ReactContext } from '../processes/react.js';
import type { OutgoingMessage } from '../delivery/delivery-job.js';
import type { Outbox } from '../delivery/outbox.js';
import type { Checkpoint } from './checkpoint.js';
import type { Parked, ParkedStreams } from './parked-streams.js';
import { prepare } from './prepare.js';
import { type Mark, readMark } from './delivery-checkpoint.js';
import { RENEWAL_REQUESTED, type Renewals } from '../billing-clock/pending-renewals.js';
import { parseUnsettled, PROCESS, type Unsettled } from './in-flight.js';

interface RecoveryParts {
  readonly store: EventStore;
  readonly context: ReactContext;
  readonly outbox: Outbox;
  readonly checkpoint: Checkpoint;
  readonly parked: ParkedStreams;
  readonly renewals: Renewals;
  readonly redis: Redis;
  readonly keys: WorkerKeys;
  readonly log: Log;
}

/** Does what follows from events, as the reactor does. */
type Work = (events: readonly RecordedEvent[]) => Promise<void>;

/**
 * Where the reactor goes on after a start, an error, or the loss of Redis: from the checkpoint; else
 * from the mark in the event store, with what the mark names as unsettled; else, in a fresh store,
 * from the beginning. So none is lost, and a bounded few are repeated with the same `webhook-id`.
 */
export class Recovery {
  readonly #parts: RecoveryParts;
  #hasRetriedParked = false;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /** @throws Fault of the store or of Redis. */
  async resume(work: Work): Promise<Position> {
    const { checkpoint, store, parked, log } = this.#parts;
    const streams = await parked.load();
    const position = await checkpoint.load();
    if (position !== undefined) {
      await this.#rememberRenewals();
      await this.#retryParked(streams, position, work);
      return position;
    }
    const mark = await readMark(store);
    if (mark === undefined) {
      log.info('no checkpoint and no mark: the store is worked off from its beginning');
      return checkpoint.begin(START);
    }
    const told = { position: mark.position, unsettled: mark.unsettled.length };
    log.warn(told, 'Redis knows nothing of this store: going on from the mark in the store');
    await this.#redo(mark, work);
    return checkpoint.begin(mark.position);
  }

  /** The renewals that were under way, for the test clocks that wait for them. */
  async #rememberRenewals(): Promise<void> {
    const { redis, keys, renewals } = this.#parts;
    let cursor = '0';
    do {
      const scan = redis.zscan(keys.unsettled, cursor, 'MATCH', `* ${PROCESS} *`, 'COUNT', 1_000);
      const [next, found] = await ofRedis(scan);
      cursor = next;
      // Members and scores take turns.
      for (const member of found.filter((_, index) => index % 2 === 0)) {
        const event = await this.#eventOf(parseUnsettled(member));
        if (event?.type === RENEWAL_REQUESTED) renewals.remember(event);
      }
    } while (cursor !== '0');
  }

  /** What the mark names is begun again, in the store's order. */
  async #redo(mark: Mark, work: Work): Promise<void> {
    const messages = new Map<string, OutgoingMessage[]>();
    for (const unsettled of mark.unsettled.map(parseUnsettled)) {
      const event = await this.#eventOf(unsettled);
      if (event === undefined) continue;
      if (unsettled.target === PROCESS) {
        if (event.type === RENEWAL_REQUESTED) this.#parts.renewals.remember(event);
        await work([event]);
        continue;
      }
      const toRepeat = (await prepare(event, this.#parts.context)).messages.filter(
        ({ type }) => type === unsettled.type,
      );
      messages.set(unsettled.target, [...(messages.get(unsettled.target) ?? []), ...toRepeat]);
    }
    for (const [endpointId, toSend] of messages) {
      await this.#parts.outbox.enqueue(toSend, endpointId);
    }
  }

  /** A newer release may know what an older one had to park: once for each start it is tried again. */
  async #retryParked(
    streams: ReadonlyMap<string, Parked>,
    upTo: Position,
    work: Work,
  ): Promise<void> {
    if (this.#hasRetriedParked) return;
    this.#hasRetriedParked = true;
    const { parked, log } = this.#parts;
    for (const [streamName, { revision }] of [...streams].slice(0, PARKED_RETRIED)) {
      try {
        const events = await this.#read(streamName, revision, upTo);
        await parked.retry(streamName, () => work(events));
      } catch (error) {
        log.error({ err: error, streamName, revision }, 'a parked stream stays parked');
      }
    }
  }

  /** What was held back: later events come by themselves. */
  async #read(streamName: string, fromRevision: number, upTo: Position): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of this.#parts.store.readStream(streamName, { fromRevision })) {
      if (event.position <= upTo) events.push(event);
    }
    return events;
  }

  async #eventOf({ streamName, revision }: Unsettled): Promise<RecordedEvent | undefined> {
    const one = { fromRevision: revision, maxCount: 1 };
    for await (const event of this.#parts.store.readStream(streamName, one)) return event;
    return undefined;
  }
}
